package wording

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Hidden reports whether a terminal does not print a character, or changes the direction of
// writing by it.
func Hidden(c rune) bool { return !unicode.IsPrint(c) }

// JSON returns a line of JSON with the Hidden characters in its strings escaped (RFC 8259
// section 7). So the value is the same, and its author cannot control the terminal that shows
// the line. A line without them is returned as it is.
func JSON(line []byte) []byte {
	if !bytes.ContainsFunc(line, Hidden) {
		return line
	}
	b := make([]byte, 0, len(line)+64)
	for _, c := range string(line) {
		switch hi, lo := utf16.EncodeRune(c); {
		case !Hidden(c):
			b = utf8.AppendRune(b, c)
		case hi != utf8.RuneError:
			b = fmt.Appendf(b, `\u%04x\u%04x`, hi, lo)
		default:
			b = fmt.Appendf(b, `\u%04x`, c)
		}
	}
	return b
}
