package rewrite

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/go-extbody/extbody/internal/mime/message"
)

// copyBuffer is how much is copied at a time.
const copyBuffer = 256 << 10

// An edit replaces the octets of a span by the output of write. The span may be
// empty.
type edit struct {
	span  message.Span
	write func(io.Writer) error
}

// text returns an edit that writes b.
func text(span message.Span, b []byte) edit {
	return edit{span, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}}
}

// sortEdits sorts edits by their place in the source. Their spans do not overlap. An
// empty span comes before the one that begins there.
func sortEdits(edits []edit) {
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(a.span.End, b.span.End))
	})
}

// splice writes the size octets of r to dst with the edits made.
func splice(ctx context.Context, dst io.Writer, r io.ReaderAt, size int64, edits []edit) error {
	return newSplicer(ctx, dst, r, size).finish(size, edits)
}

// A splicer writes a source with edits made, piece by piece.
type splicer struct {
	w   *blockWriter
	r   io.ReaderAt
	at  int64 // how much of r was written
	buf []byte
}

func newSplicer(ctx context.Context, dst io.Writer, r io.ReaderAt, size int64) *splicer {
	return &splicer{
		w:   newBlockWriter(&checkedWriter{ctx, dst}),
		r:   r,
		buf: make([]byte, min(copyBuffer, size)),
	}
}

// to writes the octets before end, with the edits that begin at end or before. It returns
// the other edits. The edits are sorted, and those that it makes do not go beyond end.
func (s *splicer) to(end int64, edits []edit) (rest []edit, err error) {
	for len(edits) > 0 && edits[0].span.Start <= end {
		e := edits[0]
		if err := s.copy(e.span.Start); err != nil {
			return nil, err
		}
		if err := e.write(s.w); err != nil {
			return nil, local(err)
		}
		s.at, edits = e.span.End, edits[1:]
	}
	return edits, s.copy(end)
}

// finish writes the rest of size octets.
func (s *splicer) finish(size int64, edits []edit) error {
	sortEdits(edits)
	if _, err := s.to(size, edits); err != nil {
		return err
	}
	return local(s.w.Flush())
}

// copy writes the octets before end.
func (s *splicer) copy(end int64) error {
	err := copySpan(s.w, s.r, message.Span{Start: s.at, End: end}, s.buf)
	s.at = end
	return err
}

// copySpan copies the octets of s. It is an error if the source ends before.
func copySpan(w io.Writer, r io.ReaderAt, s message.Span, buf []byte) error {
	for s.Len() > 0 {
		p := buf[:min(s.Len(), int64(len(buf)))]
		n, err := r.ReadAt(p, s.Start)
		if n < len(p) {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return local(err)
		}
		if _, err := w.Write(p); err != nil {
			return local(err)
		}
		s.Start += int64(n)
	}
	return nil
}

// A checkedWriter writes until ctx ends.
type checkedWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	if err := canceled(c.ctx); err != nil {
		return 0, err
	}
	n := 0
	for n < len(p) {
		step := p[n:min(len(p), n+writeSize)]
		m, err := c.w.Write(step)
		n += m
		if err == nil && m < len(step) {
			err = io.ErrShortWrite
		}
		if err != nil {
			return n, local(err)
		}
	}
	return n, nil
}
