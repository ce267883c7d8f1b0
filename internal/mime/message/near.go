package message

import "bytes"

// The names of the fields that decide how a part is read.
const (
	typeName     = "Content-Type"
	encodingName = "Content-Transfer-Encoding"
)

// nearName returns typeName or encodingName if a line is such a field, or is nearly one to some mail programs:
// controls, blanks or a comment are before the name or after it, or there is "=" or nothing instead of the colon. It
// returns "" for another line.
func nearName(line []byte) string {
	line, _, _ = bytes.Cut(line, []byte("\n"))
	name, _ := cutNear(line)
	return name
}

// nearValue returns the value of a field that nearName knows.
func nearValue(raw []byte) []byte {
	_, value := cutNear(raw)
	return value
}

func cutNear(line []byte) (name string, value []byte) {
	line = skipComments(line)
	for _, name := range []string{typeName, encodingName} {
		if len(line) < len(name) || !bytes.EqualFold(line[:len(name)], []byte(name)) {
			continue
		}
		rest := skipComments(line[len(name):])
		separated := len(rest) < len(line)-len(name)
		text := bytes.TrimLeft(rest, ":= \t\r\n")
		if separated || len(rest) == 0 || len(text) < len(rest) {
			return name, text
		}
	}
	return "", nil
}

// skipComments returns line after the controls, blanks and comments at its start.
func skipComments(line []byte) []byte {
	for len(line) > 0 {
		switch c := line[0]; {
		case c <= ' ', c == 0x7F:
			line = line[1:]
		case c == '(':
			end := bytes.IndexByte(line, ')')
			if end < 0 {
				return line
			}
			line = line[end+1:]
		default:
			return line
		}
	}
	return line
}

// mentionsBoundary reports whether the value of a Content-Type has the word boundary.
func mentionsBoundary(value []byte) bool {
	const word = "boundary"
	for i := 0; i+len(word) <= len(value); i++ {
		if value[i]|0x20 == word[0] && bytes.EqualFold(value[i:i+len(word)], []byte(word)) {
			return true
		}
	}
	return false
}
