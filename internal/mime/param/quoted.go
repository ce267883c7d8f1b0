package param

import "slices"

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
	s, start := p.s, p.pos+1
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
// letter. So a backslash counts only before tspecials, as in package mime.
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
			if i+1 < len(s) && class[s[i+1]]&isTSpecial != 0 {
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
			if drop = n; !foldsAt(s, i+n) {
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
		if i = start; c != '\\' {
			i--
		}
	}
	if backslash >= 0 {
		p.diag(StrayBackslash, offset+backslash)
	}
	p.diagOctets(kinds, offset)
	return append(dst, s[start:]...)
}
