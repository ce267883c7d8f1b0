package redact

import (
	"unicode"
	"unicode/utf8"
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
			p.text = appendEscaped(p.text, s[:size])
			p.runes += len("%HH") * size
		} else {
			p.text = append(p.text, s[:size]...)
			p.runes++
		}
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

// plain returns how many octets s begins with that are written as they are, and after
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
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if isEscaped(r, size) {
			n += len("%HH") * size
		} else {
			n++
		}
		i += size
	}
	return n
}

// appendHidden appends the replacement for s.
func appendHidden(dst []byte, s string) []byte {
	if s == "" {
		return dst
	}
	return append(dst, hidden...)
}

// appendEscaped appends s with each octet percent-encoded.
func appendEscaped(dst []byte, s string) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(s) {
		dst = append(dst, '%', digits[s[i]>>4], digits[s[i]&0x0F])
	}
	return dst
}
