package mailbox

import (
	"io"
	"iter"
	"sort"
)

// maxQuoted bounds the quoted lines of a message. Their places are kept in memory.
const maxQuoted = 1 << 20

// fromLines yields the beginnings of the lines after from that consist of any number of
// ">", "From " and more.
func fromLines(s *io.SectionReader, from int64) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		body := io.NewSectionReader(s, from, s.Size()-from)
		for off, err := range places(body, fromWord) {
			if err != nil {
				yield(0, err)
				return
			}
			start, ok, err := lineStart(body, off)
			if err != nil {
				yield(0, err)
				return
			}
			if ok && !yield(from+start, nil) {
				return
			}
		}
	}
}

// lineStart goes back from off over any number of ">". It returns where that ends, and
// reports whether a line begins there.
func lineStart(s *io.SectionReader, off int64) (start int64, ok bool, err error) {
	var b [64]byte
	for off > 0 {
		n := min(off, int64(len(b)))
		if _, err := s.ReadAt(b[:n], off-n); err != nil && err != io.EOF {
			return 0, false, err
		}
		for i := n - 1; i >= 0; i-- {
			if b[i] != '>' {
				return off, b[i] == '\n', nil
			}
			off--
		}
	}
	return 0, true, nil
}

// An unquoted is a message without its octets at some places.
type unquoted struct {
	r       *io.SectionReader
	dropped []int64 // in order
}

// ReadAt implements io.ReaderAt.
func (u *unquoted) ReadAt(p []byte, off int64) (int, error) {
	// The number of octets kept before the i-th dropped one is dropped[i]-i.
	i := sort.Search(len(u.dropped), func(i int) bool { return u.dropped[i]-int64(i) > off })
	at := off + int64(i)
	n := 0
	for n < len(p) {
		step := p[n:]
		if i < len(u.dropped) {
			step = step[:min(int64(len(step)), u.dropped[i]-at)]
		}
		k, err := u.r.ReadAt(step, at)
		n += k
		at += int64(k)
		if k < len(step) {
			return n, err
		}
		if i < len(u.dropped) && at == u.dropped[i] {
			at++
			i++
		}
	}
	return n, nil
}

// A quoted is a text with a ">" before the octets at some places.
type quoted struct {
	r      *io.SectionReader
	places []int64 // in order
}

// ReadAt implements io.ReaderAt.
func (q *quoted) ReadAt(p []byte, off int64) (int, error) {
	// The i-th ">" is at places[i]+i.
	i := sort.Search(len(q.places), func(i int) bool { return q.places[i]+int64(i) >= off })
	at := off - int64(i)
	n := 0
	for n < len(p) {
		if i < len(q.places) && at == q.places[i] {
			p[n] = '>'
			n++
			i++
			continue
		}
		step := p[n:]
		if i < len(q.places) {
			step = step[:min(int64(len(step)), q.places[i]-at)]
		}
		k, err := q.r.ReadAt(step, at)
		n += k
		at += int64(k)
		if k < len(step) {
			return n, err
		}
	}
	return n, nil
}
