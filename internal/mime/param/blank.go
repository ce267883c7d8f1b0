package param

// Faults in white space, as bits.
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
			if n, ok = lineBreak(s, i); !ok {
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

// blank skips white space and comments.
func (p *parser) blank() {
	if p.pos < len(p.s) && class[p.s[p.pos]]&(isToken|isControl) != 0 {
		return
	}
	start := p.pos
	next, faults := skipBlank(p.s, start)
	p.pos = next
	if faults != 0 {
		p.diagBlank(faults, start)
	}
}

// diagBlank records faults that skipBlank returned.
func (p *parser) diagBlank(faults uint8, offset int) {
	if faults&openComment != 0 {
		p.diag(UnterminatedComment, offset)
	}
	if faults&badFold != 0 {
		p.diag(BadFolding, offset)
	}
	if faults&badControl != 0 {
		p.diag(Control, offset)
	}
	if faults&badHigh != 0 {
		p.diag(EightBit, offset)
	}
}
