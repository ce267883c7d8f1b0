package urlaccess

import (
	"io"

	"github.com/go-extbody/extbody/internal/codec/percent"
)

// NewReader returns a reader of the URL in the value of a URL parameter, which it reads
// from r. It is for values that are too long to be held, such as a data: URL,
// and uses constant memory.
//
// The reader returns the result of [Decode], with two exceptions: the wrapper of a URL
// is not removed, and a value without a URL is empty. Its errors are the errors of r,
// and an [*Error] of Reason ControlCharacter after the URL up to that character.
func NewReader(r io.Reader) io.Reader { return &reader{src: r} }

// readerBuffer is small enough for a reader to be one of many.
const readerBuffer = 8 << 10

// A reader is the result of NewReader.
type reader struct {
	src  io.Reader
	err  error // returned after out
	seen int   // octets of src before buf
	buf  []byte
	room []byte // of out
	out  []byte
}

// Read implements [io.Reader].
func (r *reader) Read(p []byte) (int, error) {
	if r.buf == nil {
		r.buf = make([]byte, readerBuffer)
	}
	for len(r.out) == 0 && r.err == nil {
		var n int
		n, r.err = r.src.Read(r.buf)
		r.decode(r.buf[:n])
	}
	if len(r.out) == 0 {
		return 0, r.err
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// decode decodes the next octets of the value.
func (r *reader) decode(text []byte) {
	r.out = r.room[:0]
	start := 0
	for i, c := range text {
		if isPlain(c) {
			continue
		}
		r.out = append(r.out, text[start:i]...)
		start = i + 1
		switch {
		case isLWSP(c):
		case isCTL(c):
			r.room = r.out
			r.err = &Error{Reason: ControlCharacter, Offset: r.seen + i}
			return
		default:
			r.out = percent.AppendEncode(r.out, string(text[i:i+1]), &mustEscape)
		}
	}
	r.out = append(r.out, text[start:]...)
	r.room = r.out
	r.seen += len(text)
}
