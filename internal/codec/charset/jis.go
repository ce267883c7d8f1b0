package charset

import (
	"bytes"
	"io"
)

// A JISReader sets the high bit of the octets of ISO-2022-JP (RFC 1468) that are not
// ASCII characters. This converts them to EUC-JP, so that they do not look like tags
// or line ends. Escape sequences stay, and no octet moves. It must not be used by several
// goroutines at once.
type JISReader struct {
	r       io.Reader
	escape  int  // the number of octets of an escape sequence so far
	kind    byte // the second octet of the escape sequence
	doubled bool // characters have two octets
}

// NewJISReader returns a JISReader of r.
func NewJISReader(r io.Reader) *JISReader { return &JISReader{r: r} }

// Read implements [io.Reader].
func (j *JISReader) Read(p []byte) (int, error) {
	n, err := j.r.Read(p)
	j.Set(p[:n])
	return n, err
}

// Set sets the high bits in b, the next octets of a text.
func (j *JISReader) Set(b []byte) {
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

// WithoutEscapes returns b, a text from a [JISReader], without its escape sequences. b is
// then EUC-JP.
func WithoutEscapes(b []byte) []byte {
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
