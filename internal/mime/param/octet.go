package param

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The classes of octets, as bits of the table class.
const (
	isToken    = 1 << iota // may be in a token (RFC 2045 section 5.1)
	isTSpecial             // tspecials (RFC 2045 section 5.1)
	isSpace                // SP, HT, CR, LF, VT, FF
	isControl              // other control octets and DEL
	isHigh                 // above 127
	isUpper                // A to Z
	isStop                 // has a meaning in a quoted-string, or is a fault there
)

var class = classTable()

func classTable() (t [256]uint8) {
	for i := range t {
		switch c := byte(i); {
		case c == ' ':
			t[i] = isSpace
		case c >= '\t' && c <= '\r':
			t[i] = isSpace
			if c != '\t' {
				t[i] |= isStop
			}
		case c < ' ' || c == 0x7F:
			t[i] = isControl | isStop
		case c > 0x7F:
			t[i] = isHigh | isStop
		case c >= 'A' && c <= 'Z':
			t[i] = isToken | isUpper
		default:
			t[i] = isToken
		}
	}
	for _, c := range []byte(`()<>@,;:\"/[]?=`) {
		t[c] = isTSpecial
	}
	t['"'] |= isStop
	t['\\'] |= isStop
	return t
}

// spaceAt returns the length of the white space character of s at i, or 0 if there is
// another character. White space of Unicode counts, as it does in package mime.
func spaceAt(s string, i int) int {
	switch k := class[s[i]]; {
	case k&isSpace != 0:
		return 1
	case k&isHigh != 0:
		if r, n := utf8.DecodeRuneInString(s[i:]); unicode.IsSpace(r) {
			return n
		}
	}
	return 0
}

// skipSpaces returns the first index from i on without white space.
func skipSpaces(s string, i int) int {
	for i < len(s) {
		n := spaceAt(s, i)
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

// IsToken reports whether s is a token (RFC 2045 section 5.1).
func IsToken(s string) bool { return s != "" && skipToken(s, 0) == len(s) }

// IsMediaType reports whether s is the name of one media type: two tokens with a slash
// between (RFC 2045 section 5.1). A "*" stands for several (RFC 9110 section 12.5.1).
func IsMediaType(s string) bool {
	typ, sub, ok := strings.Cut(s, "/")
	if !ok || strings.Contains(s, "*") {
		return false
	}
	return IsToken(typ) && IsToken(sub)
}

// skipToken returns the first index from i on whose octet cannot be in a token.
func skipToken(s string, i int) int {
	for i < len(s) && class[s[i]]&isToken != 0 {
		i++
	}
	return i
}

// lineBreak returns the length of the line break of s at i, which must be a CR or LF.
// A line break is an LF with all CR before it. If no LF follows, lineBreak returns
// the number of CR, and false.
func lineBreak[T string | []byte](s T, i int) (n int, ok bool) {
	j := i
	for j < len(s) && s[j] == '\r' {
		j++
	}
	if j < len(s) && s[j] == '\n' {
		return j + 1 - i, true
	}
	return j - i, false
}

// Faults in white space, as bits, in the order of the codes in diagBlank.
const (
	openComment = 1 << iota
	badFold
	badControl
	badHigh
)

// skipBlank returns the first index from i on with neither white space nor a comment,
// and the faults before it. Comments nest, and a quoted-pair in them is not a
// parenthesis (RFC 822 section 3.3). White space and comments may be between any two
// tokens (RFC 822 section 3.1.4).
func skipBlank(s string, i int) (next int, faults uint8) {
	for i < len(s) {
		c := s[i]
		if c == ' ' || c == '\t' {
			i++
			continue
		}
		if c == '(' {
			end := skipComment(s, i)
			if end < 0 {
				return len(s), faults | openComment
			}
			i = end
			continue
		}
		n := spaceAt(s, i)
		if n == 0 {
			break
		}
		if c == '\r' || c == '\n' {
			var ok bool
			n, ok = lineBreak(s, i)
			if !ok {
				faults |= badControl
			} else if !foldsAt(s, i+n) {
				faults |= badFold
			}
		} else if c < ' ' {
			faults |= badControl
		} else {
			faults |= badHigh
		}
		i += n
	}
	return i, faults
}

// foldsAt reports whether a line break before i is a fold: white space follows it, or
// the field ends.
func foldsAt[T string | []byte](s T, i int) bool {
	return i == len(s) || s[i] == ' ' || s[i] == '\t' || s[i] == '\r' || s[i] == '\n'
}

// skipComment returns the index after the comment that starts at i, or -1 if
// it has no end.
func skipComment(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// lower returns s in ASCII lower case.
func lower(s string) string {
	i := 0
	for i < len(s) && class[s[i]]&isUpper == 0 {
		i++
	}
	if i == len(s) {
		return s
	}
	b := []byte(s)
	for ; i < len(b); i++ {
		if class[b[i]]&isUpper != 0 {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}
