package param

// IsType reports whether the media type of a field value is want, which must be in
// lower case. It is [Parse] and a comparison of Type, without allocation.
func IsType(field, want string) bool {
	t := readType(field)
	if !t.slash {
		return t.size() == len(want) && equalLower(t.major, want)
	}
	n := len(t.major)
	return t.size() == len(want) && want[n] == '/' &&
		equalLower(t.major, want[:n]) && equalLower(t.sub, want[n+1:])
}

// A typeText is the type at the start of a field value, as written.
type typeText struct {
	major, sub string
	joined     string // major "/" sub as in the field; "" if something is between them
	slash      bool   // there was a slash
	faults     uint8  // of the white space before and within
	bad        bool   // there are octets that cannot be in a type
	start, end int    // its place in the field; equal if it is missing
}

func (t *typeText) size() int {
	if t.slash {
		return len(t.major) + 1 + len(t.sub)
	}
	return len(t.major)
}

// readType finds the type. Its parts may have white space and comments between them
// (RFC 2045 section 5.1).
func readType(s string) typeText {
	var t typeText
	t.start, t.faults = skipBlank(s, 0)
	t.end = t.start
	if t.start == len(s) {
		return t
	}
	if s[t.start] == '"' {
		// QUIRK: RFC 2045 section 5.1 allows no quotes around a type; some senders
		// write them.
		end := quoteEnd(s, t.start+1)
		if end < 0 {
			end = len(s)
		}
		t.major = s[t.start+1 : end]
		t.end = min(end+1, len(s))
		t.bad = true
		return t
	}

	i, good := skipTypeWord(s, t.start, true)
	t.major = s[t.start:i]
	t.bad = !good
	next, faults := skipBlank(s, i)
	if next < len(s) && s[next] == '=' {
		// The type is missing, and a parameter comes first.
		return typeText{start: t.start, end: t.start, faults: t.faults}
	}
	t.end = i
	if next == len(s) || s[next] != '/' {
		return t
	}
	t.slash = true
	t.faults |= faults
	start, faults := skipBlank(s, next+1)
	t.faults |= faults
	t.end, good = skipTypeWord(s, start, false)
	t.sub = s[start:t.end]
	t.bad = t.bad || !good
	if start == i+1 {
		t.joined = s[t.start:t.end]
	}
	return t
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

// mediaType reads the type.
func (p *parser) mediaType() {
	t := readType(p.s)
	p.pos = t.end
	p.diagBlank(t.faults, 0)
	if t.start == t.end {
		p.diag(MissingType, t.start)
		return
	}
	if t.bad {
		p.diag(BadType, t.start)
	}
	switch {
	case !t.slash:
		p.v.Type = lower(t.major)
	case t.joined != "":
		p.v.Type = lower(t.joined)
	default:
		p.v.Type = lower(t.major + "/" + t.sub)
	}
}
