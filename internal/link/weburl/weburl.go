// Package weburl splits an absolute http or https URL into its parts without changing
// an octet of its path, query or fragment. It is for code that recognises URLs by their
// shape and makes other URLs from their parts.
//
// It is strict. A text that browsers and RFC 3986 read in different ways is not a URL
// here, for example one with a backslash or with user information before the host.
// Nothing in it uses the network. Several goroutines may call all functions at once.
package weburl

import (
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/host"
)

// MaxBytes is the greatest length of a URL, in octets. Fetchers have the same limit.
const MaxBytes = 64 << 10

// A URL is an absolute http or https URL in parts. All but Scheme, Host and Port are as
// written in the text.
type URL struct {
	Scheme string // "http" or "https"
	Host   string // canonical, see package hostname
	Port   uint16 // 0 if it is absent or the default of the scheme

	Path     string // "" or begins with "/"
	Query    string // without "?"
	Fragment string // without "#"

	HasQuery    bool // there is a "?", perhaps with nothing after it
	HasFragment bool // there is a "#"
}

// Parse splits text. It reports false if text
//
//   - is longer than MaxBytes or is not absolute with the scheme http or https;
//   - contains a space, an ASCII control character, a backslash, "<", ">" or a double
//     quote, which no URL contains (RFC 3986 appendix C), or is not UTF-8;
//   - has user information;
//   - has a host that is not in ASCII or that package host refuses, or a port that
//     is not a port number.
//
// After the host it accepts all other characters, even those that should be escaped in a
// URL, such as "{" and those outside ASCII. URLs in mail contain them.
func Parse(text string) (URL, bool) {
	if len(text) > MaxBytes || !clean(text) {
		return URL{}, false
	}
	var u URL
	switch colon := strings.IndexByte(text, ':'); {
	case colon == len("http") && strings.EqualFold(text[:colon], "http"):
		u.Scheme = "http"
	case colon == len("https") && strings.EqualFold(text[:colon], "https"):
		u.Scheme = "https"
	default:
		return URL{}, false
	}
	rest, ok := strings.CutPrefix(text[len(u.Scheme)+1:], "//")
	if !ok {
		return URL{}, false
	}
	rest, u.Fragment, u.HasFragment = strings.Cut(rest, "#")
	rest, u.Query, u.HasQuery = strings.Cut(rest, "?")
	authority := rest
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		authority, u.Path = rest[:i], rest[i:]
	}
	for i := range len(authority) {
		// hostname maps other characters to ASCII. Here a host is recognised by its
		// text, so it must be written with that text.
		if authority[i] >= 0x80 {
			return URL{}, false
		}
	}
	var err error
	if u.Host, u.Port, err = host.Split(authority); err != nil {
		return URL{}, false
	}
	if u.Scheme == "http" && u.Port == 80 || u.Scheme == "https" && u.Port == 443 {
		u.Port = 0
	}
	return u, true
}

// SameSite reports whether u and v have the same scheme, host and port.
func (u URL) SameSite(v URL) bool {
	return u.Scheme == v.Scheme && u.Host == v.Host && u.Port == v.Port
}

// HostIs reports whether the host is pattern. If pattern begins with a dot, it reports
// whether the host ends with pattern.
func (u URL) HostIs(pattern string) bool {
	if strings.HasPrefix(pattern, ".") {
		return strings.HasSuffix(u.Host, pattern)
	}
	return u.Host == pattern
}

// Decode undoes the percent-encoding of s once. A "+" is not a space. It
// reports false if a "%" is not followed by two hexadecimal digits.
func Decode(s string) (string, bool) {
	if strings.IndexByte(s, '%') < 0 {
		return s, true
	}
	if !percent.Valid(s) {
		return "", false
	}
	return string(percent.AppendDecode(nil, s)), true
}

// Unescape undoes the percent-encoding of characters that need none in a path: letters,
// digits, "-", ".", "_" and "~" (RFC 3986 section 6.2.2.2), and ":" and "!", which mean
// the same there in either form. All other octets stay as they are.
func Unescape(path string) string {
	i := strings.IndexByte(path, '%')
	if i < 0 {
		return path
	}
	out := append(make([]byte, 0, len(path)), path[:i]...)
	for ; i < len(path); i++ {
		if path[i] == '%' && i+2 < len(path) && percent.Valid(path[i:i+3]) {
			if c := percent.AppendDecode(nil, path[i:i+3])[0]; plain(c) {
				out = append(out, c)
				i += 2
				continue
			}
		}
		out = append(out, path[i])
	}
	return string(out)
}

// plain reports whether c needs no escape in a path.
func plain(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-._~:!", c) >= 0
}

// clean reports whether s is UTF-8 and has no octet that ends a URL in running text or
// that parsers disagree about.
func clean(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c == 0x7f || c == '\\' || c == '<' || c == '>' || c == '"' {
			return false
		}
	}
	return utf8.ValidString(s)
}
