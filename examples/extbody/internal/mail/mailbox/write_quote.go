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

// An edited is a text without the octets at some places, or with a ">" before them.
type edited struct {
	r      *io.SectionReader
	places []int64 // in order
	quotes bool    // it has a ">" before each
}

// ReadAt implements io.ReaderAt.
func (e *edited) ReadAt(p []byte, off int64) (int, error) {
	// The place i is i octets earlier than in r, or later with quotes.
	sign := int64(-1)
	if e.quotes {
		sign = 1
	}
	i := sort.Search(len(e.places), func(i int) bool { return e.places[i]+sign*int64(i) >= off })
	at := off - sign*int64(i)
	n := 0
	for n < len(p) {
		if i < len(e.places) && at == e.places[i] {
			if e.quotes {
				p[n] = '>'
				n++
			} else {
				at++
			}
			i++
			continue
		}
		step := p[n:]
		if i < len(e.places) {
			step = step[:min(int64(len(step)), e.places[i]-at)]
		}
		k, err := e.r.ReadAt(step, at)
		n += k
		at += int64(k)
		if k < len(step) {
			return n, err
		}
	}
	return n, nil
}
