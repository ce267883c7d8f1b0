package dataurl

import "strings"

// isSerialized reports whether s is exactly as ParseMediaType would return it and as
// the URL parser would leave it: a type and subtype, and perhaps one parameter whose
// value is a token. It may return false by mistake, but never true.
func isSerialized(s string) bool {
	const plain = token | upper | special
	subtype := tokenEnd(s, 0, plain) + 1
	if subtype == 1 || subtype > len(s) || s[subtype-1] != '/' {
		return false
	}
	end := tokenEnd(s, subtype, plain)
	if end == len(s) {
		return end > subtype
	}
	name := end + 1
	value := tokenEnd(s, name, plain) + 1
	if end == subtype || s[end] != ';' {
		return false
	}
	if value == name+1 || value >= len(s) || s[value-1] != '=' {
		return false
	}
	return tokenEnd(s, value, token|special) == len(s)
}

// consistsOf reports whether s is a token without characters that have another of the
// properties in mask.
func consistsOf(s string, mask class) bool { return s != "" && tokenEnd(s, 0, mask) == len(s) }

// tokenEnd returns where the token ends that starts at i, or i. A character that has another of the properties in
// mask ends it too.
func tokenEnd(s string, i int, mask class) int {
	for i < len(s) && classes[s[i]]&mask == token {
		i++
	}
	return i
}

// A mediaTypeRecord is a MIME type record of the MIME Sniffing Standard.
type mediaTypeRecord struct {
	essence    string // type "/" subtype
	parameters []parameter
	names      map[string]bool // of parameters
}

// A parameter has a valid name in lower case, and a valid value.
type parameter struct{ name, value string }

// parseMediaType parses s (MIME Sniffing, "parse a MIME type"). It returns false if
// that returns failure.
func parseMediaType(s string) (mediaTypeRecord, bool) {
	s = strings.Trim(s, httpSpace)
	essence, s, more := strings.Cut(s, ";")
	essence = strings.TrimRight(essence, httpSpace)
	typ, subtype, _ := strings.Cut(essence, "/")
	if !isToken(typ) || !isToken(subtype) {
		return mediaTypeRecord{}, false
	}
	m := mediaTypeRecord{essence: strings.ToLower(essence)}
	for more {
		var p parameter
		var ok bool
		p, ok, s, more = cutParameter(s)
		if ok && isToken(p.name) && isQuotable(p.value) {
			m.add(strings.ToLower(p.name), p.value)
		}
	}
	return m, true
}

// cutParameter cuts a parameter, and the ";" after it, from the start of s. ok
// reports whether it has a value, and more whether there was a ";".
func cutParameter(s string) (p parameter, ok bool, rest string, more bool) {
	s = strings.TrimLeft(s, httpSpace)
	i := strings.IndexAny(s, ";=")
	if i < 0 {
		return parameter{}, false, "", false
	}
	name := s[:i]
	s = s[i:]
	if s[0] == ';' {
		return parameter{}, false, s[1:], true
	}
	if strings.HasPrefix(s, `="`) {
		value, s := cutQuoted(s[1:])
		// Text after the quotes is ignored.
		_, rest, more = strings.Cut(s, ";")
		return parameter{name, value}, true, rest, more
	}
	value, rest, more := strings.Cut(s[1:], ";")
	value = strings.TrimRight(value, httpSpace)
	return parameter{name, value}, value != "", rest, more
}

// cutQuoted cuts a quoted string from the start of s, and returns its value
// (Fetch, "collect an HTTP quoted string"). The end of s also ends it.
func cutQuoted(s string) (value, rest string) {
	s = s[1:]
	var b []byte
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return string(b), s[i+1:]
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b = append(b, s[i])
	}
	return string(b), ""
}

// add adds a parameter and reports whether there was none of that name.
func (m *mediaTypeRecord) add(name, value string) bool {
	if m.names[name] {
		return false
	}
	if m.names == nil {
		m.names = make(map[string]bool)
	}
	m.names[name] = true
	m.parameters = append(m.parameters, parameter{name, value})
	return true
}

// String returns m in text form (MIME Sniffing, "serialize a MIME type").
func (m *mediaTypeRecord) String() string {
	var b strings.Builder
	b.WriteString(m.essence)
	for _, p := range m.parameters {
		b.WriteByte(';')
		b.WriteString(p.name)
		b.WriteByte('=')
		if isToken(p.value) {
			b.WriteString(p.value)
			continue
		}
		b.WriteString(quote(p.value))
	}
	return b.String()
}

func quote(value string) string { return `"` + quotedPairs.Replace(value) + `"` }

var quotedPairs = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// isToken reports whether s consists of HTTP token code points and is not empty.
func isToken(s string) bool { return consistsOf(s, token) }

// isQuotable reports whether s consists of HTTP quoted-string token code points.
func isQuotable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		isPrintable := ' ' <= r && r <= '~'
		isHigh := 0x80 <= r && r <= 0xFF
		return r != '\t' && !isPrintable && !isHigh
	})
}
