package rewrite

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/go-extbody/extbody/internal/mimescan"
)

// copyBuffer is how much is copied at a time.
const copyBuffer = 256 << 10

// An edit replaces the octets of a span by what write writes. The span may be
// empty.
type edit struct {
	span  mimescan.Span
	write func(io.Writer) error
}

// text returns an edit that writes b.
func text(span mimescan.Span, b []byte) edit {
	return edit{span, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}}
}

// splice writes the size octets of r to dst with the edits made. The spans of
// edits do not overlap.
func splice(ctx context.Context, dst io.Writer, r io.ReaderAt, size int64, edits []edit) error {
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(a.span.End, b.span.End))
	})
	w := bufio.NewWriterSize(&checkedWriter{ctx, dst}, writeSize)
	buf := make([]byte, min(copyBuffer, size))
	var at int64
	for _, e := range edits {
		if err := copySpan(w, r, mimescan.Span{Start: at, End: e.span.Start}, buf); err != nil {
			return err
		}
		if err := e.write(w); err != nil {
			return local(err)
		}
		at = e.span.End
	}
	if err := copySpan(w, r, mimescan.Span{Start: at, End: size}, buf); err != nil {
		return err
	}
	return local(w.Flush())
}

// copySpan copies the octets of s. A source that ends before is an error.
func copySpan(w io.Writer, r io.ReaderAt, s mimescan.Span, buf []byte) error {
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
