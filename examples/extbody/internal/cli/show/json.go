package show

import (
	"bytes"
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
	line := p
	if bytes.ContainsFunc(p[:len(p)-1], hidden) {
		line = append(escaped(p[:len(p)-1]), '\n')
	}
	_, err := e.w.Write(line)
	return len(p), err
}

// escaped returns a line of JSON in which everything hidden is escaped.
func escaped(line []byte) []byte {
	b := make([]byte, 0, len(line)+64)
	for _, c := range string(line) {
		switch hi, lo := utf16.EncodeRune(c); {
		case !hidden(c):
			b = utf8.AppendRune(b, c)
		case hi != utf8.RuneError:
			b = fmt.Appendf(b, `\u%04x\u%04x`, hi, lo)
		default:
			b = fmt.Appendf(b, `\u%04x`, c)
		}
	}
	return b
}
