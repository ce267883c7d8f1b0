package mailtext

import (
	"bytes"
	"io"
)

// A jisReader sets the high bit of the octets of ISO-2022-JP (RFC 1468) that are not
// ASCII characters. This converts them to EUC-JP, so that they do not look like tags
// or line ends. Escape sequences stay, and no octet moves.
type jisReader struct {
	r       io.Reader
	escape  int  // the number of octets of an escape sequence so far
	kind    byte // the second octet of the escape sequence
	doubled bool // characters have two octets
}

func (j *jisReader) Read(p []byte) (int, error) {
	n, err := j.r.Read(p)
	j.set(p[:n])
	return n, err
}

// set sets the high bits in b, the next octets.
func (j *jisReader) set(b []byte) {
	for i, c := range b {
		switch {
		case j.escape == 1:
			j.kind, j.escape = c, 2
		case j.escape == 2:
			j.doubled, j.escape = j.kind == '$', 0
		case c == escape:
			j.escape = 1
		case c == '\n' || c == '\r':
			j.doubled = false // a line ends in ASCII
		case j.doubled && ' ' < c && c < 0x7F:
			b[i] = c | 0x80
		}
	}
}

const escape = 0x1B

// withoutEscapes returns b without escape sequences.
func withoutEscapes(b []byte) []byte {
	if bytes.IndexByte(b, escape) < 0 {
		return b
	}
	var out []byte
	for {
		i := bytes.IndexByte(b, escape)
		if i < 0 {
			return append(out, b...)
		}
		out = append(out, b[:i]...)
		b = b[min(len(b), i+len("\x1b$B")):]
	}
}
