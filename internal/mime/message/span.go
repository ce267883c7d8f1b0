package message

import (
	"bytes"
	"fmt"
	"io"
	"unsafe"
)

// A Span is the octets from offset Start up to, not including, End.
type Span struct {
	Start, End int64
}

// Len returns the number of octets.
func (s Span) Len() int64 { return s.End - s.Start }

// First returns the first n octets of s, or s if it is not longer.
func (s Span) First(n int64) Span {
	return Span{s.Start, s.Start + min(s.Len(), max(n, 0))}
}

// clamp returns the part of s before end, or an empty span at end.
func (s Span) clamp(end int64) Span {
	return Span{min(s.Start, end), min(s.End, end)}
}

// ReadSpan returns the octets of s. It allocates all of s, so the caller must bound
// s, for example with [Span.First]. If the source ends within s, the error is
// io.ErrUnexpectedEOF.
func ReadSpan(r io.ReaderAt, s Span) (string, error) {
	b := make([]byte, s.Len())
	if err := readFullAt(r, b, s.Start); err != nil {
		return "", err
	}
	return unsafe.String(unsafe.SliceData(b), len(b)), nil
}

// Reader returns a reader of the octets of s in r. If r ends before s, for example
// because a file was truncated, the reader returns [io.ErrUnexpectedEOF] and never
// io.EOF.
func (s Span) Reader(r io.ReaderAt) io.Reader { return &spanReader{r, s} }

// A spanReader reads the rest of a span.
type spanReader struct {
	r    io.ReaderAt
	rest Span
}

// Read implements [io.Reader].
func (s *spanReader) Read(p []byte) (int, error) {
	if s.rest.Len() == 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), s.rest.Len())]
	n, err := s.r.ReadAt(p, s.rest.Start)
	s.rest.Start += int64(n)
	switch {
	case n == len(p):
		return n, nil
	case err == nil, err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// readFullAt fills b from offset off of r.
func readFullAt(r io.ReaderAt, b []byte, off int64) error {
	if len(b) == 0 {
		return nil
	}
	n, err := r.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("message: read at offset %d: %w", off+int64(n), err)
}

const (
	// windowSize is small enough for the inner caches of a processor, and so large
	// that the cost of system calls does not matter.
	windowSize = 64 << 10

	// firstRead is the size of the first read: a message that is not a multipart is
	// not read beyond its header.
	firstRead = 8 << 10

	// lookBehind is the number of octets before the current place that stay in the
	// window: an LF after two CR.
	lookBehind = 3
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
	start := max(0, pos-lookBehind)
	have := w.off + int64(len(w.buf))
	if start < w.off || have < min(pos+int64(n), w.end) {
		size := min(w.end-start, int64(cap(w.buf)))
		if len(w.buf) == 0 {
			size = min(size, max(firstRead, pos-start+int64(n)))
		}
		w.off = start
		w.buf = w.buf[:size]
		if err := readFullAt(w.r, w.buf, start); err != nil {
			return nil, err
		}
	}
	return w.buf[pos-w.off:], nil
}

// crBefore reports whether the line end directly before pos has n CR before its LF. pos must
// be the argument of the last call of from.
func (w *window) crBefore(pos int64, n int) bool {
	end := int(pos-w.off) - 1
	return end >= n && bytes.HasSuffix(w.buf[:end], []byte("\r\r")[:n])
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
