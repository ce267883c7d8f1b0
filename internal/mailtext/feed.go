package mailtext

import "io"

const (
	// maxToken bounds a text of HTML and a line of text/plain, in octets. Longer ones
	// are split. It also bounds an attribute.
	maxToken = 64 << 10

	// feedAhead is the number of octets that peek can look ahead.
	feedAhead = 2 * maxToken
)

// A feed reads a text in pieces, with lookahead and with offsets. It holds a window
// of the text, or all of a text in memory.
type feed struct {
	r   io.Reader // nil if buf is all of the text
	err error     // from r, io.EOF included

	buf []byte
	pos int   // in buf
	off int64 // of buf[0] in the text
}

// newFeed returns a feed that reads from r. It uses buf for its window if buf is
// large enough.
func newFeed(r io.Reader, buf []byte) *feed {
	if cap(buf) < 2*feedAhead {
		buf = make([]byte, 0, 2*feedAhead)
	}
	return &feed{r: r, buf: buf[:0]}
}

// offset returns the number of octets of the text that were read.
func (f *feed) offset() int64 { return f.off + int64(f.pos) }

// peek returns the next octets: n or more, or fewer if the text ends. n must be at
// most feedAhead. The octets are valid until the next call.
func (f *feed) peek(n int) []byte {
	for len(f.buf)-f.pos < n && f.r != nil && f.err == nil {
		if cap(f.buf)-f.pos < n {
			f.off += int64(f.pos)
			f.buf = f.buf[:copy(f.buf, f.buf[f.pos:])]
			f.pos = 0
		}
		k, err := readSome(f.r, f.buf[len(f.buf):cap(f.buf)])
		f.buf, f.err = f.buf[:len(f.buf)+k], err
	}
	return f.buf[f.pos:]
}

// maxEmptyReads is how many times in a row a reader may return no octets and no error.
const maxEmptyReads = 100

// readSome reads at least one octet or returns an error.
func readSome(r io.Reader, p []byte) (int, error) {
	for range maxEmptyReads {
		if n, err := r.Read(p); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// advance skips n octets that peek has returned.
func (f *feed) advance(n int) { f.pos += n }
