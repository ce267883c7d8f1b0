package param

import "strings"

// unquoted reads a value without quotes, which by RFC 2045 section 5.1 is a token. A
// value that is not a token ends at white space, a comment, a quote or ";", like a
// token. But a ";" may be part of a URL.
func (p *parser) unquoted() string {
	s, start := p.s, p.pos
	i := skipToken(s, start)
	if i == len(s) || s[i] == ';' || s[i] == '(' || s[i] == '"' || spaceAt(s, i) > 0 {
		p.pos = i
		return s[start:i]
	}

	url := p.name == "url" || p.name == "uri"
	encoded := strings.HasPrefix(s[start:], "=?")
	folded := false // the skipped white space has line breaks
	var kinds uint8
	for i < len(s) {
		c := s[i]
		if c == '"' || c == '(' || c == ';' && !(url && semicolonInURL(s, i)) {
			break
		}
		if spaceAt(s, i) > 0 {
			// White space separates encoded-words, and no parameter starts like one.
			next := skipSpaces(s, i)
			if !encoded || !strings.HasPrefix(s[next:], "=?") {
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

// semicolonInURL reports whether the ";" at i is part of the unquoted URL before it.
// It is not if white space, a comment, another ";" or the end of the field follows,
// or a known parameter.
func semicolonInURL(s string, i int) bool {
	i++
	return i < len(s) && s[i] != ';' && s[i] != '(' && spaceAt(s, i) == 0 && !knownAt(s, i)
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
