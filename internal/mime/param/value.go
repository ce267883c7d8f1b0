package param

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/percent"
)

// quoteEnd returns the index of the quote that ends the quoted-string whose content
// starts at i, or -1 if the quoted-string is not closed.
func quoteEnd(s string, i int) int {
	for ; i < len(s); i++ {
		switch s[i] {
		case '"':
			return i
		case '\\':
			i++
		}
	}
	return -1
}

// quoted reads the quoted-string that comes next.
func (p *parser) quoted() string {
	s := p.s
	start := p.pos + 1
	i := start
	for i < len(s) && class[s[i]]&isStop == 0 {
		i++
	}
	if i < len(s) && s[i] == '"' {
		p.pos = i + 1
		return s[start:i]
	}
	end := -1
	if !p.unclosed {
		end = quoteEnd(s, i)
	}
	if end >= 0 {
		p.pos = end + 1
	} else {
		// If a quoted-string has no end, no later one has an end either: all quotes
		// from here on have a backslash before them.
		p.unclosed = true
		p.diag(UnterminatedQuote, start-1)
		end = p.endOpen(start)
	}
	return string(unfold(p, nil, s[start:end], start))
}

// endOpen finds the end of a quoted-string without a closing quote, moves past it,
// and returns its index. The end is a quote whose backslash was not meant as a
// quoted-pair, as in name="C:\dir\", or a ";" before a known parameter, or the end of
// the field.
func (p *parser) endOpen(i int) int {
	s := p.s
	for ; i < len(s); i++ {
		switch s[i] {
		case '"':
			if next := skipSpaces(s, i+1); next == len(s) || s[next] == ';' {
				p.pos = i + 1
				return i
			}
		case ';':
			if knownAt(s, i+1) {
				p.pos = i
				return i
			}
		}
	}
	p.pos = len(s)
	return len(s)
}

// unfold appends the content of a quoted-string, which starts at offset, to dst without
// the backslashes of quoted-pairs and without line breaks. The white space after a line
// break stays (RFC 5322 section 2.2.3).
//
// QUIRK: by RFC 822 section 3.3 a backslash may precede any character. But Windows
// programs write names as "C:\dir\f.txt", and no program needs a quoted-pair for a
// letter. So a backslash counts only before tspecials, as in package mime. A URL has no
// backslash, and there it counts before any character.
func unfold[T string | []byte](p *parser, dst []byte, s T, offset int) []byte {
	dst = slices.Grow(dst, len(s))
	var kinds uint8
	start := 0 // s[:start] is in dst, or removed
	backslash := -1
	for i := 0; i < len(s); i++ {
		c := s[i]
		if class[c]&isStop == 0 {
			continue
		}
		kinds |= class[c]
		drop := 0 // of the octets from i on
		switch c {
		case '\\':
			if i+1 < len(s) && p.isQuoted(s[i+1]) {
				drop = 1
			} else if backslash < 0 {
				backslash = i
			}
		case '\r', '\n':
			n, ok := lineBreak(s, i)
			if !ok {
				kinds |= isControl
				i += n - 1
				break
			}
			drop = n
			if !foldsAt(s, i+n) {
				p.diag(BadFolding, offset+i)
			}
		case '\v', '\f':
			kinds |= isControl
		}
		if drop == 0 {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + drop
		i = start
		if c != '\\' {
			i--
		}
	}
	if backslash >= 0 {
		p.diag(StrayBackslash, offset+backslash)
	}
	p.diagOctets(kinds, offset)
	return append(dst, s[start:]...)
}

// isQuoted reports whether a backslash before c counts.
func (p *parser) isQuoted(c byte) bool {
	return class[c]&isTSpecial != 0 || c != '\r' && c != '\n' && p.inURL()
}

// unquoted reads a value without quotes, which by RFC 2045 section 5.1 is a token. A
// value that is not a token ends at white space, a comment, a quote or ";", like a
// token. But a ";" may be part of a URL, and white space part of the name of a file.
func (p *parser) unquoted() string {
	s := p.s
	start := p.pos
	i := skipToken(s, start)
	switch {
	case i == len(s), s[i] == ';', s[i] == '(', s[i] == '"', spaceAt(s, i) > 0 && !p.goesOn(i):
		p.pos = i
		return s[start:i]
	}

	encoded := strings.HasPrefix(s[start:], "=?")
	folded := false // the skipped white space has line breaks
	var kinds uint8
	for i < len(s) {
		c := s[i]
		if c == '"' || c == '(' {
			break
		}
		if c == ';' && !(p.inURL() && semicolonInURL(s, i)) {
			break
		}
		if spaceAt(s, i) > 0 {
			// White space separates encoded-words, and no parameter starts like one.
			next := skipSpaces(s, i)
			if !p.goesOn(i) && (!encoded || !strings.HasPrefix(s[next:], "=?")) {
				break
			}
			folded = folded || strings.ContainsAny(s[i:next], "\r\n")
			i = next
			continue
		}
		kinds |= class[c]
		i++
	}
	p.pos = i
	p.diag(UnquotedValue, start)
	p.diagOctets(kinds, start)
	if folded {
		return strings.NewReplacer("\r", "", "\n", "").Replace(s[start:i])
	}
	return s[start:i]
}

// inURL reports whether the current parameter is a URL.
func (p *parser) inURL() bool { return isURL(p.name) }

func isURL(name string) bool { return name == "url" || name == "uri" }

// goesOn reports whether the value without quotes goes on after the white space at i. QUIRK: names of files have
// blanks, and some senders quote them not at all. The words up to the next parameter, ";", comment or quote are of
// such a name.
func (p *parser) goesOn(i int) bool {
	if p.name != "name" && p.name != "filename" && p.name != "directory" {
		return false
	}
	s := p.s
	next := skipSpaces(s, i)
	if delimitedAt(s, next) || s[next] == '"' {
		return false
	}
	end := skipToken(s, next)
	if end == next {
		return s[next] != '='
	}
	after, _ := skipBlank(s, end)
	return after == len(s) || s[after] != '='
}

// delimitedAt reports whether white space, a comment, ";" or the end of the field is at i.
func delimitedAt(s string, i int) bool {
	if i >= len(s) {
		return true
	}
	return s[i] == ';' || s[i] == '(' || spaceAt(s, i) > 0
}

// semicolonInURL reports whether the ";" at i is part of the unquoted URL before it.
// It is not if white space, a comment, another ";" or the end of the field follows,
// or a known parameter.
func semicolonInURL(s string, i int) bool {
	return !delimitedAt(s, i+1) && !knownAt(s, i+1)
}

// diagOctets records octets that RFC 2045 allows in no value.
func (p *parser) diagOctets(kinds uint8, offset int) {
	if kinds&isControl != 0 {
		p.diag(Control, offset)
	}
	if kinds&isHigh != 0 {
		p.diag(EightBit, offset)
	}
}

// maxKnown is the length of the longest of known.
const maxKnown = len("access-type")

// known are the parameters of message/external-body by RFC 2046 section 5.2.3, RFC 2017
// and RFC 4483, and the LENGTH of deleted attachments, without names that also occur in
// URLs, such as ";type=i" of RFC 1738 and ";charset=utf-8" of RFC 2397.
var known = []string{
	"access-type", "directory", "expiration", "hash", "length", "mode", "name",
	"permission", "server", "site", "size", "subject", "uri", "url",
}

// knownAt reports whether a known parameter starts at i: white space, its name,
// possibly with an RFC 2231 suffix, and "=".
func knownAt(s string, i int) bool {
	i = skipSpaces(s, i)
	start := i
	limit := min(len(s), i+maxKnown)
	for i < limit && class[s[i]]&isToken != 0 && s[i] != '*' {
		i++
	}
	if !slices.Contains(known, lower(s[start:i])) {
		return false
	}
	for i < len(s) && strings.IndexByte("*0123456789", s[i]) >= 0 {
		i++
	}
	i = skipSpaces(s, i)
	return i < len(s) && s[i] == '='
}

// AppendParam appends a parameter to dst, without ";" and without folding, and
// returns the extended buffer. It appends only printable US-ASCII and HT. [Parse]
// returns the same value, octet for octet and without a Diag.
//
// A value that is a token is written as a token, and other values as a quoted-string.
// A value is written in RFC 2231 form if it has octets that are neither printable
// US-ASCII nor HT, or if it looks like an encoded-word. Readers might decode an
// encoded-word, although RFC 2047 section 5 does not allow it here. The charset is
// then utf-8, or blank for a value that is not valid UTF-8.
//
// The name is written unchanged. If it is not an attribute of RFC 2231 section 7 (a
// token without "*", "'" and "%"), AppendParam returns dst unchanged.
func AppendParam(dst []byte, name, value string) []byte {
	if !isAttribute(name) {
		return dst
	}
	dst = append(dst, name...)
	if needsEncoding(value) {
		// RFC 2231 section 4.
		dst = append(dst, "*="...)
		if utf8.ValidString(value) {
			dst = append(dst, "utf-8"...)
		}
		dst = append(dst, "''"...)
		return percent.AppendEncode(dst, value, &noAttributeChar)
	}
	dst = append(dst, '=')
	if value != "" && skipToken(value, 0) == len(value) {
		return append(dst, value...)
	}
	dst = append(dst, '"')
	start := 0
	for i := range len(value) {
		if c := value[i]; c == '"' || c == '\\' {
			dst = append(dst, value[start:i]...)
			dst = append(dst, '\\')
			start = i
		}
	}
	dst = append(dst, value[start:]...)
	return append(dst, '"')
}

// Fold returns a parameter in the form of [AppendParam]. If that has more than width octets, Fold returns it in
// sections of RFC 2231 (section 3) instead, each of at most width octets if the name leaves room, to be written as
// parameters in this order.
func Fold(name, value string, width int) []string {
	if whole := AppendParam(nil, name, value); len(whole) <= width {
		return []string{string(whole)}
	}
	charset := ""
	if utf8.ValidString(value) {
		charset = "utf-8"
	}
	text := charset + "''" + string(percent.AppendEncode(nil, value, &noAttributeChar))
	var sections []string
	for text != "" {
		section := fmt.Sprintf("%s*%d*=", name, len(sections))
		n := min(len(text), max(width-len(section), minSection))
		for n < len(text) && (text[n-1] == '%' || text[n-2] == '%') {
			n--
		}
		sections = append(sections, section+text[:n])
		text = text[n:]
	}
	return sections
}

// minSection is the least number of octets that are written into a section of a long value.
const minSection = 16

// needsEncoding reports whether a quoted-string cannot hold the value safely.
func needsEncoding(value string) bool {
	for i := range len(value) {
		if c := value[i]; class[c]&(isControl|isHigh) != 0 || c >= '\n' && c <= '\r' {
			return true
		}
	}
	_, rest, ok := strings.Cut(value, "=?")
	return ok && strings.Contains(rest, "?=")
}

func isAttribute(name string) bool {
	for i := range len(name) {
		if noAttributeChar[name[i]] {
			return false
		}
	}
	return name != ""
}

// noAttributeChar has the octets that are not an attribute-char of RFC 2231 section 7.
var noAttributeChar = percent.NewSet(func(c byte) bool {
	return class[c]&isToken == 0 || c == '*' || c == '\'' || c == '%'
})
