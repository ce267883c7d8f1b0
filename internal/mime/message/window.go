package message

import "io"

const (
	// windowSize is small enough for the inner caches of a processor, and so large
	// that the cost of system calls does not matter.
	windowSize = 64 << 10

	// firstRead is the size of the first read: a message that is not a multipart is
	// not read beyond its header.
	firstRead = 8 << 10

	// lookBehind is the number of octets before the current place that stay in the
	// window: a CRLF.
	lookBehind = 2
)

// A window is a buffer that slides over a source.
type window struct {
	r   io.ReaderAt
	end int64  // the end of the source
	off int64  // the offset of buf[0]
	buf []byte // the octets in the window; its capacity is fixed
}

// newWindow returns a window that uses buf.
func newWindow(r io.ReaderAt, s Span, buf []byte) window {
	start := max(0, s.Start-lookBehind)
	return window{r: r, end: s.End, off: start, buf: buf[:0:min(s.End-start, int64(cap(buf)))]}
}

// from returns the octets in the window from pos on, and at least n octets unless the
// source ends. They are valid until the next call. The window must have room for n
// and lookBehind.
func (w *window) from(pos int64, n int) ([]byte, error) {
	start, have := max(0, pos-lookBehind), w.off+int64(len(w.buf))
	if start < w.off || have < min(pos+int64(n), w.end) {
		size := min(w.end-start, int64(cap(w.buf)))
		if len(w.buf) == 0 {
			size = min(size, max(firstRead, pos-start+int64(n)))
		}
		w.off, w.buf = start, w.buf[:size]
		if err := readFullAt(w.r, w.buf, start); err != nil {
			return nil, err
		}
	}
	return w.buf[pos-w.off:], nil
}

// crBefore reports whether the line end directly before pos is a CRLF. pos must be
// the argument of the last call of from.
func (w *window) crBefore(pos int64) bool {
	i := pos - w.off - 2
	return i >= 0 && w.buf[i] == '\r'
}

// bytes returns the octets of s without moving the window. They are valid until the
// window moves.
func (w *window) bytes(s Span) ([]byte, error) {
	if s.Start >= w.off && s.End <= w.off+int64(len(w.buf)) {
		return w.buf[s.Start-w.off : s.End-w.off], nil
	}
	b := make([]byte, s.Len())
	return b, readFullAt(w.r, b, s.Start)
}
