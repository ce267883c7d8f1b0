// Package weburl splits an absolute http or https URL into its parts, as the URL Standard
// does: the host is canonical, and dot segments are removed from the path. Not another
// octet of path, query and fragment changes. It is for code that recognises URLs by their
// shape and makes other URLs from their parts.
//
// It is strict. A text that browsers and RFC 3986 read in different ways is not a URL
// here, for example one with a backslash or with user information before the host.
// Nothing in it uses the network. Several goroutines may call all functions at once.
package weburl

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/host"
)

// MaxBytes is the greatest length of a URL, in octets. Fetchers have the same limit.
const MaxBytes = 64 << 10

// A URL is an absolute http or https URL in parts.
type URL struct {
	Scheme string // "http" or "https"
	Host   string // canonical, see package host
	Port   uint16 // 0 if it is absent or the default of the scheme

	Path     string // "" or starts with "/"; without dot segments
	Query    string // as written, without "?"
	Fragment string // as written, without "#"

	HasQuery    bool // there is a "?", perhaps with nothing after it
	HasFragment bool // there is a "#"
}

// Parse splits text. It reports false if text
//
//   - is longer than MaxBytes or is not absolute with the scheme http or https;
//   - contains a space, an ASCII control character, a backslash, "<", ">" or a double
//     quote, which no URL contains (RFC 3986 appendix C), or is not UTF-8;
//   - has user information;
//   - has a host that package host refuses, or a port that is not a port number.
//
// As in the URL Standard, a host may be percent-encoded, and in letters that UTS 46 maps
// to others. After the host Parse accepts all other characters, even those that should be
// escaped in a URL, such as "{" and those outside ASCII. URLs in mail contain them.
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
		authority = rest[:i]
		u.Path = withoutDots(rest[i:])
	}
	authority, ok = DecodeHost(authority)
	if !ok {
		return URL{}, false
	}
	var err error
	u.Host, u.Port, err = host.Split(authority)
	if err != nil {
		return URL{}, false
	}
	standard := uint16(443)
	if u.Scheme == "http" {
		standard = 80
	}
	if u.Port == standard {
		u.Port = 0
	}
	return u, true
}

// String returns the URL in its normal form.
func (u URL) String() string {
	text := u.Scheme + "://" + u.Host
	if strings.Contains(u.Host, ":") {
		text = u.Scheme + "://[" + u.Host + "]"
	}
	if u.Port != 0 {
		text += ":" + strconv.Itoa(int(u.Port))
	}
	text += u.Path
	if u.HasQuery {
		text += "?" + u.Query
	}
	if u.HasFragment {
		text += "#" + u.Fragment
	}
	return text
}

// DecodeHost undoes the percent-encoding of the host in an authority without user
// information (URL Standard section 3.5). It reports false if an escape is not valid, or
// stands for a character that separates the parts of a URL.
func DecodeHost(authority string) (string, bool) {
	if strings.IndexByte(authority, '%') < 0 {
		return authority, true
	}
	host, port, found := strings.Cut(authority, ":")
	host, ok := Decode(host)
	if !ok || strings.ContainsAny(host, "/?#@:[]%\\") || !utf8.ValidString(host) {
		return "", false
	}
	if found {
		host += ":" + port
	}
	return host, true
}

// withoutDots returns a path without its segments "." and ".." (URL Standard section
// 4.4). The dots may be percent-encoded.
func withoutDots(path string) string {
	if !strings.Contains(path, "/.") && !strings.Contains(path, "/%2") {
		return path
	}
	var out []string
	for rest, more := path[1:], true; more; {
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		up := isDots(segment, 2)
		if up && len(out) > 0 {
			out = out[:len(out)-1]
		}
		switch {
		case !up && !isDots(segment, 1):
			out = append(out, segment)
		case !more:
			out = append(out, "")
		}
	}
	return "/" + strings.Join(out, "/")
}

// isDots reports whether a segment consists of n dots, each of them "." or "%2e".
func isDots(segment string, n int) bool {
	for range n {
		rest, ok := strings.CutPrefix(segment, ".")
		if !ok && len(segment) >= 3 && strings.EqualFold(segment[:3], "%2e") {
			rest = segment[3:]
			ok = true
		}
		if !ok {
			return false
		}
		segment = rest
	}
	return segment == ""
}

// HidesHost reports whether text has a URL whose host is percent-encoded, in letters outside ASCII or
// in character references, so that a search for the name of the host may not find it. The URL may
// have other slashes than "//", as browsers allow. It also reports true for a URL at any host whose
// path has the shape of a share, also percent-encoded in another URL, which no search for a string
// finds; see isTokenPath.
func HidesHost(text []byte) bool {
	for i := 0; ; {
		n := bytes.IndexByte(text[i:], ':')
		if n < 0 {
			return false
		}
		i += n + 1
		if i < len(text) && (isSlash(text[i]) || endsScheme(text[:i])) {
			n, hidden := hides(text[i:])
			if hidden {
				return true
			}
			i += n
		}
	}
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// A HiddenHost is HidesHost for a text that is written piece by piece.
type HiddenHost struct {
	Found bool
	tail  []byte // the end of the text so far
}

// maxHidden is how many octets of a URL are looked at, after its slashes.
const maxHidden = 300

// Reset makes h ready for a new text.
func (h *HiddenHost) Reset() {
	h.Found = false
	h.tail = h.tail[:0]
}

// Write looks at the next octets of a text. It does not fail.
func (h *HiddenHost) Write(text []byte) (int, error) {
	all := text
	if len(h.tail) > 0 {
		all = append(h.tail, text...)
	}
	h.Found = h.Found || HidesHost(all)
	h.tail = append(h.tail[:0], all[max(0, len(all)-len("tps://")-maxHidden):]...)
	return len(text), nil
}

// endsScheme reports whether text, which ends with a colon, may end with "http:" or "https:".
func endsScheme(text []byte) bool {
	n := len(text) - len("tps:")
	if n < 0 || text[n]|0x20 != 't' {
		return false
	}
	switch text[n+1] | 0x20 {
	case 't':
		return text[n+2]|0x20 == 'p'
	case 'p':
		return text[n+2]|0x20 == 's'
	}
	return false
}

// hides reports whether url, after its scheme, is one that a HiddenHost looks for. n is the
// number of octets that need not be looked at again.
func hides(url []byte) (n int, hidden bool) {
	for n < len(url) && slashes[url[n]] {
		n++
	}
	for url = url[:min(len(url), n+maxHidden)]; n < len(url); n++ {
		switch c := url[n]; {
		case !endsHost[c]:
		case c == '/':
			return n, isTokenPath(url[n:]) || wrapsTokenPath(url[n:])
		case c == '\t', c == '\r', c == '\n':
		case c == '&':
			return n, len(url)-n >= len("&quot;") && !usual().Match(url[n:])
		default:
			return n, c == '%' || c >= utf8.RuneSelf || wrapsTokenPath(url[n:])
		}
	}
	return n, false
}

// slashes are the characters that may be between the scheme and the host.
var slashes = percent.NewSet(func(c byte) bool { return strings.IndexByte("/\\\t\r\n", c) >= 0 })

// usual matches the references that often follow a host.
var usual = lazyregexp.New("^&(amp|gt|lt|nbsp|quot);")

// isTokenPath reports whether path starts with "/f/" or "/d/" and 20 hexadecimal digits, or with
// "/s/" and 15 letters and digits, not all of them small.
func isTokenPath(path []byte) bool {
	if len(path) < 3 || path[0] != '/' || path[2] != '/' {
		return false
	}
	if path[1] == 's' {
		n := len(path[3:]) - len(bytes.TrimLeft(path[3:], ascii.Upper+ascii.Lower+ascii.Digits))
		return n == 15 && bytes.ContainsAny(path[3:18], ascii.Upper)
	}
	if path[1] != 'f' && path[1] != 'd' {
		return false
	}
	return len(path) >= 23 && len(bytes.Trim(path[3:23], hex)) == 0
}

const hex = "0123456789abcdefABCDEF"

// wrapsTokenPath reports whether url has such a path percent-encoded.
func wrapsTokenPath(url []byte) bool {
	for n := bytes.IndexByte(url, '%'); n >= 0; n = bytes.IndexByte(url, '%') {
		url = url[n+1:]
		if len(url) <= 6 || !isSlashEscape(url) || url[3] != '%' || !isSlashEscape(url[4:]) {
			continue
		}
		if isTokenPath(append([]byte{'/', url[2], '/'}, url[6:min(len(url), 6+20)]...)) {
			return true
		}
	}
	return false
}

// isSlashEscape reports whether digits, which follow a "%", escape a slash.
func isSlashEscape(digits []byte) bool { return digits[0] == '2' && digits[1]|0x20 == 'f' }

// CutHost cuts text, which follows the "://" of a URL, after the host. It reports false
// if the host has another canonical form, or is not followed by a path, a query or a
// fragment. It does not report that the host is valid.
func CutHost(text []byte) (name, rest []byte, ok bool) {
	n := slices.IndexFunc(text, func(c byte) bool { return !isHostOctet(c) })
	if n <= 0 || text[n-1] == '.' {
		return nil, nil, false
	}
	switch text[n] {
	case '/', '?', '#':
		return text[:n], text[n:], true
	}
	return nil, nil, false
}

// isHostOctet reports whether c may be in the canonical form of a host in ASCII.
func isHostOctet(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', ascii.IsDigit(c), c == '-', c == '.':
		return true
	}
	return false
}

// endsHost has the octets that cannot be in a host in ASCII.
var endsHost = percent.NewSet(func(c byte) bool {
	return c >= utf8.RuneSelf || c <= ' ' || strings.IndexByte(`%&/?#"'<>()`, c) >= 0
})

// WithoutUser returns url without its user information. Browsers send that only to a host
// that asks for it.
func WithoutUser(url string) string {
	scheme, rest, _ := strings.Cut(url, "//")
	end := strings.IndexAny(rest, `/?#\`)
	if end < 0 {
		end = len(rest)
	}
	i := strings.LastIndexByte(rest[:end], '@')
	if host := rest[i+1 : end]; i < 0 || host == "http:" || host == "https:" { // another URL starts
		return url
	}
	return scheme + "//" + rest[i+1:]
}

// SameSite reports whether u and v have the same scheme, host and port.
func (u URL) SameSite(v URL) bool {
	return u.Scheme == v.Scheme && u.Host == v.Host && u.Port == v.Port
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
		if c, ok := percent.Octet(path[i:]); ok && plain(c) {
			out = append(out, c)
			i += 2
			continue
		}
		out = append(out, path[i])
	}
	return string(out)
}

// plain reports whether c needs no escape in a path.
func plain(c byte) bool {
	return ascii.IsAlphanumeric(c) || strings.IndexByte("-._~:!", c) >= 0
}

// clean reports whether s is UTF-8 and has no octet that ends a URL in running text or
// that parsers disagree about.
func clean(s string) bool {
	for i := range len(s) {
		if unclean[s[i]] {
			return false
		}
	}
	return utf8.ValidString(s)
}

var unclean = percent.NewSet(func(c byte) bool { return c <= ' ' || strings.IndexByte("\x7f\\<>\"", c) >= 0 })

// Param returns the value of the parameter name of the query, as written. It reports
// false if the parameter is missing or repeated, since servers differ in which one they
// take. Names are compared octet for octet. Only "&" separates parameters.
func (u URL) Param(name string) (value string, ok bool) {
	for field := range strings.SplitSeq(u.Query, "&") {
		n, v, _ := strings.Cut(field, "=")
		if n != name {
			continue
		}
		if ok {
			return "", false
		}
		value = v
		ok = true
	}
	return value, ok
}

// SetParam returns text, a URL that Parse accepts, without its fragment and with the
// parameter name set to value. It replaces an existing parameter in place and removes
// later ones of the same name. If there is not one yet, it adds the parameter at the end. All
// other octets stay. name and value are not escaped.
func SetParam(text, name, value string) string {
	text, _, _ = strings.Cut(text, "#")
	head, query, found := strings.Cut(text, "?")
	pair := name + "=" + value
	if !found || query == "" {
		return head + "?" + pair
	}
	var fields []string
	set := false
	for field := range strings.SplitSeq(query, "&") {
		switch n, _, _ := strings.Cut(field, "="); {
		case n != name:
			fields = append(fields, field)
		case !set:
			fields = append(fields, pair)
			set = true
		}
	}
	if !set {
		fields = append(fields, pair)
	}
	return head + "?" + strings.Join(fields, "&")
}
