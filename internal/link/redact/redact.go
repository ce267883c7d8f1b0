// Package redact makes URLs fit for logs, error texts and listings.
//
// Its results are for people. A result is one line of printable UTF-8 of at most
// [MaxRunes] characters, for any input. It need not be a URL, or lead anywhere. It is
// made from the text alone: nothing is parsed with net/url, so that a text that is not
// a valid URL is redacted too.
//
// All functions take time linear in their argument and little memory, and never panic.
// Applied to their own result, they change nothing. Several goroutines may call them at
// once.
package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/urlaccess"
)

// MaxRunes is the most characters that a redacted URL has.
const MaxRunes = 300

// Each part has a limit of its own, so that a redacted text keeps to all of them. A
// query may exceed its limit by a separator and cut.
const (
	maxHierarchy = 200
	maxHost      = 100
	maxQuery     = 80
	maxType      = 80
)

const (
	// hidden replaces what was hidden. It is the word with which [net/url.URL.Redacted]
	// replaces a password.
	hidden = "xxxxx"
	// cut ends a part that was too long.
	cut = "..."
)

// Rules are the rules by which share links are recognised. The functions of this package are
// those of the zero Rules, which have the known hosts alone.
type Rules struct {
	// Own has hosts of the caller besides. It may be nil.
	Own *sharelink.Table
}

// URL returns raw without the parts that can be secret. It hides
//
//   - user names and passwords. If a password has characters that should have been
//     escaped, the host is hidden with it;
//   - the values of the query. The names stay, in their order, and so does the
//     difference between "a=" and "a". Only "&" separates, since the text after a
//     ";" can be part of a value. A name that can be a value, because it is long or has an "@",
//     is hidden as well, and so is a query that is not UTF-8;
//   - the fragment, which in share links is a decryption key;
//   - everything after ";URLAUTH=" (RFC 5092 section 6.1);
//   - the path of a share link of a known host, in the way of [Origin], also where the
//     link is in the path of another URL;
//   - the data of a data: URL. The media type and the number of octets after the comma
//     stay.
//
// A hidden part becomes "xxxxx", unless it was empty. A part that is too long ends
// with "...". White space, control characters, and everything that is not printable or
// not UTF-8 is percent-encoded. White space around the URL and a wrapper before it,
// such as "<URL:", are removed.
//
// The scheme, the host and the path are not hidden. If a URL is known to be a
// credential as a whole, use [Origin]. A long host loses its beginning and not its end,
// which shows its owner. The addresses of mailto:, cid: and mid: are shown. So is a
// user name that looks like a scheme or a host: a password before an unescaped "?" or
// "#" makes it look so.
func URL(raw string) string { return Rules{}.URL(raw) }

// URL is the function URL by these rules.
func (r Rules) URL(raw string) string {
	shown, _, _ := r.Analyze(raw)
	return shown
}

// Analyze returns the results of URL and Credential for one match of the share link rules.
// link is the share link that raw is, or nil.
func (r Rules) Analyze(raw string) (shown string, link *sharelink.Link, credential bool) {
	whole := raw
	raw = trim(raw)
	if rest, ok := cutPrefixFold(raw, "data:"); ok {
		return dataURL(rest), nil, false
	}
	if link, credential = r.match(whole); credential {
		return Origin(raw), link, true
	}
	text := r.appendURL(nil, raw)
	if string(text) == raw {
		return raw, nil, false // nothing was hidden, and raw is not a credential
	}
	if r.Credential(string(text)) { // raw has too much in it, or too little escaped, to be recognised
		return Origin(raw), nil, false
	}
	hierarchy, _, _ := split(string(text))
	if inner := r.innerCredential(hierarchy); inner >= 0 {
		text = append(text[:inner], cut...)
	}
	return string(text), nil, false
}

// appendURL appends the result of URL for a URL that is not a credential.
func (r Rules) appendURL(dst []byte, raw string) []byte {
	hierarchy, query, fragment := split(raw)
	inner := r.innerCredential(hierarchy)
	if inner >= 0 {
		hierarchy = hierarchy[:inner]
	}
	text, whole := appendHierarchy(dst, hierarchy, raw)
	if !whole {
		return text
	}
	if inner >= 0 {
		return append(text, cut...)
	}
	if query != "" {
		text = append(text, '?')
		text = appendQuery(text, query[1:])
	}
	if fragment != "" {
		text = append(text, '#')
	}
	if len(fragment) > len("#") {
		text = append(text, hidden...)
	}
	return text
}

// Origin returns the result of [URL] for the scheme and the host of raw, and "..." for
// the rest. It is for URLs that are a credential as a whole. Of a text without "//"
// after the scheme it returns the scheme, if any. For a data: URL it returns the same
// as URL.
func Origin(raw string) string {
	raw = trim(raw)
	if rest, ok := cutPrefixFold(raw, "data:"); ok {
		return dataURL(rest)
	}
	hierarchy, _, _ := split(raw)
	end := len(scheme(hierarchy))
	if !strings.HasPrefix(hierarchy[end:], "//") {
		return hierarchy[:end] + cut
	}
	end += len("//")
	if i := strings.IndexByte(hierarchy[end:], '/'); i >= 0 {
		end += i
	} else {
		end = len(hierarchy)
	}
	text, _ := appendHierarchy(nil, raw[:end], raw)
	if end < len(raw) {
		text = append(text, "/"+cut...)
	}
	return string(text)
}

// A part is one part of a redacted URL while it is written. It accepts at most max
// characters.
type part struct {
	text  []byte
	max   int
	runes int  // written so far
	fits  int  // the length of text up to which cut still fits
	full  bool // cut was written, and nothing more is
}

// write writes s, with unprintable characters percent-encoded.
func (p *part) write(s string) {
	for s != "" && !p.full {
		if n := p.plain(s); n > 0 {
			p.text = append(p.text, s[:n]...)
			p.runes += n
			p.fits = len(p.text)
			s = s[n:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		if isEscaped(r, size) {
			p.text = percent.AppendEncode(p.text, s[:size], &allOctets)
		} else {
			p.text = append(p.text, s[:size]...)
		}
		p.runes += width(s[:size])
		s = s[size:]
		switch {
		case p.runes > p.max:
			p.text = append(p.text[:p.fits], cut...)
			p.full = true
		case p.runes <= p.max-len(cut):
			p.fits = len(p.text)
		}
	}
}

// plain returns how many octets s starts with that are written as they are, and after
// which cut still fits.
func (p *part) plain(s string) int {
	s = s[:max(0, min(len(s), p.max-len(cut)-p.runes))]
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7F {
			return i
		}
	}
	return len(s)
}

// isEscaped reports whether a character of size octets is percent-encoded.
func isEscaped(r rune, size int) bool {
	return r == utf8.RuneError && size == 1 || r == ' ' || !unicode.IsPrint(r)
}

// width returns how many characters write makes of s.
func width(s string) (n int) {
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		if isEscaped(r, size) {
			n += len("%HH")*size - 1
		}
		n++
		s = s[size:]
	}
	return n
}

// allOctets is the set of all octets.
var allOctets = percent.NewSet(func(byte) bool { return true })

// trim removes the text around a URL: white space and control characters, and before
// it the delimiters of RFC 1738 (appendix). Otherwise a wrapped URL would not be
// recognised.
func trim(raw string) string {
	for {
		raw = strings.TrimFunc(raw, func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) })
		if rest, ok := cutPrefixFold(raw, "url:"); ok {
			raw = rest
			continue
		}
		if raw == "" || strings.IndexByte(`<"'(`, raw[0]) < 0 {
			return raw
		}
		raw = raw[1:]
	}
}

// split splits a URL into its hierarchical part, its query with the "?" and its
// fragment with the "#" (RFC 3986 section 3).
func split(raw string) (hierarchy, query, fragment string) {
	if i := strings.IndexByte(raw, '#'); i >= 0 {
		raw, fragment = raw[:i], raw[i:]
	}
	if i := strings.IndexByte(raw, '?'); i >= 0 {
		raw, query = raw[:i], raw[i:]
	}
	return raw, query, fragment
}

// scheme returns the scheme of a URL and its colon, or "" if it has no scheme or a
// scheme of more than 32 characters.
func scheme(raw string) string {
	const max = 32
	name, ok := urlaccess.Scheme(raw)
	if !ok || len(name) > max {
		return ""
	}
	return raw[:len(name)+1]
}

// cutPrefixFold is strings.CutPrefix without regard to the case of US-ASCII.
func cutPrefixFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
