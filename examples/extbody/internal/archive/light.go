package archive

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"
)

// members calls f with the name and the value of each member of a JSON object, without
// decoding them. It works for the objects that this program writes: without white space
// between the members, and with names in UTF-8 without escapes. For another object it
// returns false, and may have called f for some of the members.
func members(text []byte, f func(name, value []byte)) bool {
	if len(text) < 2 || text[0] != '{' {
		return false
	}
	for i := 1; ; {
		if i+1 == len(text) && text[i] == '}' && i == 1 {
			return true
		}
		end := stringEnd(text, i)
		if end < 0 || end >= len(text) || text[end] != ':' {
			return false
		}
		name := text[i+1 : end-1]
		if bytes.IndexByte(name, '\\') >= 0 || !utf8.Valid(name) {
			return false
		}
		i = end + 1
		end = valueEnd(text, i)
		if end <= i || end >= len(text) || text[i] <= ' ' || text[end-1] <= ' ' {
			return false
		}
		f(name, text[i:end])
		switch {
		case text[end] == ',':
			i = end + 1
		case text[end] == '}' && end+1 == len(text):
			return true
		default:
			return false
		}
	}
}

// stringEnd returns the index after the string that begins at i. It returns a negative
// number if there is no such string.
func stringEnd(text []byte, i int) int {
	if i >= len(text) || text[i] != '"' {
		return -1
	}
	for i++; ; {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return -1
		}
		escapes := 0
		for k := i + n - 1; k >= i && text[k] == '\\'; k-- {
			escapes++
		}
		if i += n + 1; escapes%2 == 0 {
			return i
		}
	}
}

// valueEnd returns the index after the value that begins at i. It returns a negative number
// if there is no such value.
func valueEnd(text []byte, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '"':
			if i = stringEnd(text, i); i < 0 {
				return -1
			}
			i--
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return -1
}

// A light decodes single members of a line. It keeps the first error.
type light struct {
	err error
}

func (x *light) text(value []byte) string {
	if len(value) >= 2 && value[0] == '"' && bytes.IndexByte(value, '\\') < 0 && utf8.Valid(value) {
		return string(value[1 : len(value)-1])
	}
	var s string
	x.json(value, &s)
	return s
}

func (x *light) json(value []byte, to any) {
	if err := json.Unmarshal(value, to); err != nil && x.err == nil {
		x.err = err
	}
}

func (x *light) number(value []byte) int64 {
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil && x.err == nil {
		x.err = err
	}
	return n
}

func (x *light) time(value []byte) (t time.Time) {
	x.json(value, &t)
	return t
}

// bodyOf calls f with each member of text. If text is not of the form that this program
// writes, it decodes all of text into v instead.
func (x *light) bodyOf(text []byte, v any, f func(name, value []byte)) error {
	if !members(text, f) {
		x.err = json.Unmarshal(text, v)
	}
	return x.err
}

// read reads what the index needs of a reference.
func (r *ReferenceRecord) read(text []byte) error {
	var x light
	return x.bodyOf(text, r, func(name, value []byte) {
		switch string(name) {
		case "key":
			r.Key = x.text(value)
		case "expect":
			r.Expect = x.text(value)
		case "message":
			r.Message = x.text(value)
		case "host":
			r.Host = x.text(value)
		case "expiration":
			r.Expiration = x.time(value)
		}
	})
}

// read reads what the index needs of an exception.
func (e *Exception) read(text []byte) error {
	var x light
	return x.bodyOf(text, e, func(name, value []byte) {
		switch string(name) {
		case "key":
			e.Key = x.text(value)
		case "expect":
			e.Expect = x.text(value)
		case "source":
			e.Source = x.text(value)
		case "file":
			e.File = x.text(value)
		case "uid":
			e.UID = uint32(x.number(value))
		case "kind":
			e.Kind = x.text(value)
		case "resolved":
			e.Resolved = string(value) == "true"
		case "attempts":
			e.Attempts = int(x.number(value))
		case "first":
			e.First = x.time(value)
		case "due":
			e.Due = x.time(value)
		}
	})
}

// read reads what the index needs of a capture.
func (c *Capture) read(text []byte) error {
	var x light
	return x.bodyOf(text, c, func(name, value []byte) {
		switch string(name) {
		case "key":
			c.Key = x.text(value)
		case "expect":
			c.Expect = x.text(value)
		case "sha256":
			c.SHA256 = x.text(value)
		case "size":
			c.Size = x.number(value)
		case "label":
			c.Label = x.text(value)
		case "not_modified":
			c.NotModified = string(value) == "true"
		}
	})
}

// read reads what the index needs of a message.
func (m *MessageRecord) read(text []byte) error {
	var x light
	return x.bodyOf(text, m, func(name, value []byte) {
		switch string(name) {
		case "sha256":
			m.SHA256 = x.text(value)
		case "stored":
			m.Stored = string(value) == "true"
		case "again":
			m.Again = string(value) == "true"
		case "references":
			m.References = int(x.number(value))
		}
	})
}
