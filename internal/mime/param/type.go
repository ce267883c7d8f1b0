package param

// mediaType reads the type. Its parts may have white space and comments between them
// (RFC 2045 section 5.1).
func (p *parser) mediaType() {
	s := p.s
	start, faults := skipBlank(s, 0)
	end, text, bad := start, "", false
	switch {
	case start == len(s):
	case s[start] == '"':
		// QUIRK: RFC 2045 section 5.1 allows no quotes around a type; some senders
		// write them.
		if end = quoteEnd(s, start+1); end < 0 {
			end = len(s)
		}
		text, end, bad = s[start+1:end], min(end+1, len(s)), true
	default:
		i, good := skipTypeWord(s, start, true)
		next, between := skipBlank(s, i)
		if next < len(s) && s[next] == '=' {
			break // the type is missing, and a parameter comes first
		}
		text, end, bad = s[start:i], i, !good
		if next == len(s) || s[next] != '/' {
			break
		}
		sub, after := skipBlank(s, next+1)
		faults |= between | after
		end, good = skipTypeWord(s, sub, false)
		bad = bad || !good
		if sub == i+1 {
			text = s[start:end]
		} else {
			text += "/" + s[sub:end]
		}
	}
	p.pos = end
	p.diagBlank(faults, 0)
	if start == end {
		p.diag(MissingType, start)
		return
	}
	if bad {
		p.diag(BadType, start)
	}
	p.v.Type = lower(text)
}

// skipTypeWord returns the index after one half of a type, and whether that half is a
// token. An octet that no reader takes for a separator is part of the half.
func skipTypeWord(s string, i int, major bool) (end int, token bool) {
	start := i
	token = true
	for i < len(s) {
		c := s[i]
		if class[c]&isToken == 0 {
			if c == ';' || c == '(' || c == '"' || c == '=' || c == ',' || c == '/' && major || spaceAt(s, i) > 0 {
				break
			}
			token = false
		}
		i++
	}
	return i, token && i > start
}
