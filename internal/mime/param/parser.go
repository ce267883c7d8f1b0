package param

import "strings"

// Parse parses a field value. It never fails and never returns nil.
func Parse(field string) *Value {
	v := &Value{Params: make([]Param, 0, min(strings.Count(field, "="), fewParams))}
	v.Parse(field)
	return v
}

// Parse is the function Parse with the memory of v, which may have been parsed before.
func (v *Value) Parse(field string) {
	*v = Value{Params: v.Params[:0], Diags: v.Diags[:0]}
	p := parser{s: field, v: v}
	p.mediaType()
	for p.next() {
		p.parameter()
	}
	if p.extended {
		p.join()
	}
	p.duplicates()
	p.sortDiags()
}

// next moves to the value of the next parameter and sets raw and at to its name. It
// skips text that is not a parameter. It reports false at the end.
func (p *parser) next() bool {
	p.name = ""
	semicolon := -1 // the last ";", until something follows it
	stray := false
	for {
		p.blank()
		if p.pos == len(p.s) {
			if semicolon >= 0 {
				p.diag(StraySemicolon, semicolon)
			}
			return false
		}
		if p.s[p.pos] == ';' {
			if semicolon >= 0 {
				p.diag(StraySemicolon, p.pos)
			}
			semicolon = p.pos
			stray = false
			p.pos++
			continue
		}
		start := p.pos
		if p.attribute() {
			if semicolon < 0 {
				// An example in RFC 2046 section 5.2.3.7 lacks a ";".
				p.diag(MissingSemicolon, start)
			}
			return true
		}
		p.stray()
		if !stray {
			code := StrayText
			if semicolon >= 0 && skipToken(p.s, start) == p.pos {
				code = MissingValue
			}
			p.diag(code, start)
		}
		semicolon = -1
		stray = true
	}
}

// attribute moves past a name and "=". It reports false if they do not come next.
func (p *parser) attribute() bool {
	end := skipToken(p.s, p.pos)
	if end == p.pos {
		return false
	}
	i := end
	if i < len(p.s) && p.s[i] != '=' {
		i, _ = skipBlank(p.s, i)
	}
	if i == len(p.s) || p.s[i] != '=' {
		return false
	}
	p.raw = p.s[p.pos:end]
	p.at = p.pos
	p.pos = i + 1
	return true
}

// stray skips one word that is not a parameter.
func (p *parser) stray() {
	i := p.pos
	for i < len(p.s) {
		c := p.s[i]
		switch {
		case c == ';' || c == '(' || spaceAt(p.s, i) > 0:
			p.pos = i
			return
		case c == '"':
			i = p.strayQuote(i)
		case c == '\\':
			i += 2
		default:
			i++
		}
	}
	p.pos = len(p.s)
}

// strayQuote returns the index after the quoted-string at i if white space, a
// comment, ";" or the end of the field follows. Otherwise it returns the index after
// the quote, which is more likely part of a value, as in name="a"b".
func (p *parser) strayQuote(i int) int {
	if p.unclosed {
		return i + 1
	}
	end := quoteEnd(p.s, i+1)
	if end < 0 {
		p.unclosed = true
		return i + 1
	}
	if !delimitedAt(p.s, end+1) {
		return i + 1
	}
	return end + 1
}

// parameter reads the value after a name and adds the parameter.
func (p *parser) parameter() {
	name, number, form := splitName(p.raw)
	p.name = lower(name)
	m := mark{offset: p.at, number: number, form: form}
	if form != plain {
		p.extended = true
	}
	// RFC 2231 section 7 allows no leading zero in a number.
	digits := strings.Trim(p.raw[len(name):], "*")
	hasZero := len(digits) > 1 && digits[0] == '0'
	if hasZero || form == plain && strings.Contains(name, "*") {
		p.diag(BadSection, p.at)
	}

	start := p.pos
	p.blank()
	var value string
	switch {
	case p.pos == len(p.s) || p.s[p.pos] == ';':
		if form != encodedSection || number == 0 { // else it is legal (RFC 2231 section 7)
			p.diag(EmptyValue, p.at)
		}
	case p.s[p.pos] == '"':
		m.quoted = true
		value = p.quoted()
	case p.pos > start && knownAt(p.s, p.pos):
		// The value and the ";" after it are missing.
		p.diag(EmptyValue, p.at)
	default:
		value = p.unquoted()
	}
	// RFC 2047 section 5 allows no encoded-word in a parameter.
	if rest, ok := strings.CutPrefix(value, "=?"); ok && strings.Contains(rest, "?=") {
		p.diag(EncodedWord, p.at)
	}

	if n := len(p.v.Params); n < fewParams {
		p.few[n] = m
	} else {
		p.many = append(p.many, m)
	}
	p.v.Params = append(p.v.Params, Param{Name: p.name, Value: value, Extended: form != plain})
}

// duplicates records the names that occur twice.
func (p *parser) duplicates() {
	seen := make(map[string]bool, 8)
	for i, param := range p.v.Params {
		if seen[param.Name] {
			p.diagFor(Duplicate, param.Name, p.mark(i).offset)
		}
		seen[param.Name] = true
	}
}

// mediaType reads the type. Its parts may have white space and comments between them
// (RFC 2045 section 5.1).
func (p *parser) mediaType() {
	s := p.s
	start, faults := skipBlank(s, 0)
	end := start
	text := ""
	bad := false
	switch {
	case start == len(s):
	case s[start] == '"':
		// QUIRK: RFC 2045 section 5.1 allows no quotes around a type; some senders
		// write them.
		end = quoteEnd(s, start+1)
		if end < 0 {
			end = len(s)
		}
		text = s[start+1 : end]
		end = min(end+1, len(s))
		bad = true
	default:
		i, good := skipTypeWord(s, start, true)
		next, between := skipBlank(s, i)
		if next < len(s) && s[next] == '=' {
			break // the type is missing, and a parameter comes first
		}
		text = s[start:i]
		end = i
		bad = !good
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
			separates := strings.IndexByte(`;("=,`, c) >= 0 || c == '/' && major
			if separates || spaceAt(s, i) > 0 {
				break
			}
			token = false
		}
		i++
	}
	return i, token && i > start
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
	for i, code := range [...]string{UnterminatedComment, BadFolding, Control, EightBit} {
		if faults>>i&1 != 0 {
			p.diag(code, offset)
		}
	}
}
