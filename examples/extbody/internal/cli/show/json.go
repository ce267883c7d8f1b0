package show

import (
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON writes v as one line of JSON. The characters that [Line] escapes are escaped as in
// JSON (RFC 8259 section 7). So the value is the same, and its author cannot control
// the terminal that shows the line.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(escaper{w})
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// An escaper escapes characters within the strings of JSON. Each Write must be a line.
type escaper struct{ w io.Writer }

func (e escaper) Write(p []byte) (int, error) {
	n := len(p)
	line, end := p[:n-1], p[n-1:]
	for i := 0; i < len(line); {
		c, size := utf8.DecodeRune(line[i:])
		if hidden(c) {
			line = escaped(line, i)
			break
		}
		i += size
	}
	_, err := e.w.Write(append(line, end...))
	return n, err
}

// escaped returns a copy of line in which everything hidden from index i on is escaped.
func escaped(line []byte, i int) []byte {
	b := append(make([]byte, 0, len(line)+64), line[:i]...)
	for len(line[i:]) > 0 {
		c, size := utf8.DecodeRune(line[i:])
		switch hi, lo := utf16.EncodeRune(c); {
		case !hidden(c):
			b = append(b, line[i:i+size]...)
		case hi != utf8.RuneError:
			b = fmt.Appendf(b, `\u%04x\u%04x`, hi, lo)
		default:
			b = fmt.Appendf(b, `\u%04x`, c)
		}
		i += size
	}
	return b
}
