package mailtext

import "io"

const (
	// maxToken bounds a token of HTML and a line of text/plain, in octets. Longer
	// text is given in pieces. A longer tag is given without its attributes; usually
	// it has a picture in a data: URL.
	maxToken = 64 << 10

	// feedBehind is how many octets a feed can go back. It is enough for what the HTML
	// tokenizer may have read ahead: it doubles its buffer until a token fits.
	feedBehind = 4 * maxToken

	// feedAhead is how many octets peek can look ahead.
	feedAhead = 2 * maxToken
)

// A feed gives a text in pieces. Its user can look ahead and go back, and learn the
// offset in the text. It holds a window of the text, or all of it if it is in memory.
type feed struct {
	r   io.Reader // nil if buf is all of the text
	err error     // from r, io.EOF included

	buf []byte
	pos int   // in buf
	off int64 // of buf[0] in the text
}

// newFeed returns a feed of what r gives. Its window is in buf if that is large enough.
func newFeed(r io.Reader, buf []byte) *feed {
	if cap(buf) < feedBehind+feedAhead {
		buf = make([]byte, 0, feedBehind+feedAhead)
	}
	return &feed{r: r, buf: buf[:0]}
}

// offset returns how many octets of the text were read.
func (f *feed) offset() int64 { return f.off + int64(f.pos) }

// peek returns the next octets: n or more, or fewer if the text ends before. n is at most
// feedAhead. They are valid until the next call.
func (f *feed) peek(n int) []byte {
	for len(f.buf)-f.pos < n && f.r != nil && f.err == nil {
		if cap(f.buf)-f.pos < n {
			drop := max(0, f.pos-feedBehind)
			f.buf = f.buf[:copy(f.buf, f.buf[drop:])]
			f.pos -= drop
			f.off += int64(drop)
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

// advance goes on by n octets that peek has returned. If n is negative, it goes back, by
// at most feedBehind.
func (f *feed) advance(n int) { f.pos += n }

// Read implements io.Reader. Every error of the source is io.EOF here; see Source.Reader.
func (f *feed) Read(p []byte) (int, error) {
	b := f.peek(1)
	if len(b) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b)
	f.advance(n)
	return n, nil
}
