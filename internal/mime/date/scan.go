package date

// A scanner splits a date into tokens.
type scanner struct {
	s        string
	i        int
	forgiven bool
}

func (s *scanner) end() bool { return s.i == len(s.s) }

// peek returns the next octet, or 0 at the end.
func (s *scanner) peek() byte {
	if s.end() {
		return 0
	}
	return s.s[s.i]
}

// accept skips c if it comes next.
func (s *scanner) accept(c byte) bool {
	if s.end() || s.s[s.i] != c {
		return false
	}
	s.i++
	return true
}

// space skips comments and folding white space (RFC 5322 section 3.2.2), and
// quotes.
func (s *scanner) space() {
	for ; !s.end(); s.i++ {
		switch s.s[s.i] {
		case ' ', '\t', '\r', '\n':
		case '(':
			s.comment()
		case '"', '\'', '\\':
			s.forgiven = true
		default:
			return
		}
	}
}

// comment moves to the last octet of the comment that comes next. Comments nest. An
// unclosed comment extends to the end.
func (s *scanner) comment() {
	depth := 0
	for ; !s.end(); s.i++ {
		switch s.s[s.i] {
		case '\\':
			if s.i+1 < len(s.s) {
				s.i++
			}
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return
			}
		}
	}
	s.forgiven = true
	s.i = len(s.s) - 1
}

// word reads the letters that come next.
func (s *scanner) word() string {
	start := s.i
	for !s.end() {
		if c := s.s[s.i] | 0x20; c < 'a' || c > 'z' {
			break
		}
		s.i++
	}
	return s.s[start:s.i]
}

// number reads the digits that come next. It returns their value and their number. A
// value over a million is not exact.
func (s *scanner) number() (value, digits int) {
	for !s.end() && '0' <= s.s[s.i] && s.s[s.i] <= '9' {
		if value <= 1e6 {
			value = value*10 + int(s.s[s.i]-'0')
		}
		digits++
		s.i++
	}
	return value, digits
}

// clockNext reports whether an hour comes next. An hour, unlike a year, has a colon
// after it.
func (s *scanner) clockNext() bool {
	ahead := *s
	_, digits := ahead.number()
	ahead.space()
	return digits > 0 && ahead.peek() == ':'
}
