package message

import (
	"fmt"
	"io"
	"sync"
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
	var b []byte
	if n := s.Len(); n <= smallSpan {
		array := smallSpans.Get().(*[smallSpan]byte)
		defer smallSpans.Put(array)
		b = array[:n]
	} else {
		b = make([]byte, n)
	}
	if err := readFullAt(r, b, s.Start); err != nil {
		return "", err
	}
	return string(b), nil
}

// smallSpan is a size that most headers do not exceed.
const smallSpan = 4 << 10

// smallSpans has unused buffers.
var smallSpans = sync.Pool{New: func() any { return new([smallSpan]byte) }}

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
