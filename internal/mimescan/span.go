package mimescan

import (
	"fmt"
	"io"
)

// A Span is the octets from offset Start up to, not including, End.
type Span struct {
	Start, End int64
}

// Len returns the number of octets.
func (s Span) Len() int64 { return s.End - s.Start }

// First returns the first n octets of s, or s if it has no more.
func (s Span) First(n int64) Span {
	return Span{s.Start, s.Start + min(s.Len(), max(n, 0))}
}

// clamp returns what of s is before end; an empty span at end if nothing is.
func (s Span) clamp(end int64) Span {
	return Span{min(s.Start, end), min(s.End, end)}
}

// ReadSpan returns the octets of s. It allocates as many as s has: a caller that
// has not bounded s before does so with [Span.First]. A source that ends within s
// is an io.ErrUnexpectedEOF.
func ReadSpan(r io.ReaderAt, s Span) (string, error) {
	b := make([]byte, s.Len())
	if err := readFullAt(r, b, s.Start); err != nil {
		return "", err
	}
	return string(b), nil
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
	return fmt.Errorf("mimescan: read at offset %d: %w", off+int64(n), err)
}
