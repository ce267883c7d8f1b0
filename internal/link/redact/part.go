package redact

import (
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link"
)

// allOctets is the set of all octets.
var allOctets = percent.NewSet(func(byte) bool { return true })

const (
	// hidden replaces text that was hidden. It is the word with which [net/url.URL.Redacted]
	// replaces a password.
	hidden = "xxxxx"
	// cut ends a part that was too long.
	cut = "..."
)

// Each part has a limit of its own, so that a redacted text keeps to all of them. A
// query may exceed its limit by a separator and cut.
const (
	maxHierarchy = 200
	maxHost      = 100
	maxQuery     = 80
	maxType      = 80
)

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

// scheme returns the scheme of a URL and its colon, or "" if it has no scheme or a
// scheme of more than 32 characters.
func scheme(raw string) string {
	const max = 32
	name, ok := link.Scheme(raw)
	if !ok || len(name) > max {
		return ""
	}
	return raw[:len(name)+1]
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

// isEscaped reports whether a character of size octets is percent-encoded.
func isEscaped(r rune, size int) bool {
	isInvalid := r == utf8.RuneError && size == 1
	return isInvalid || r == ' ' || !unicode.IsPrint(r)
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
