package mailbox

import (
	"context"
	"sync/atomic"
)

const (
	// pieceSize is how much of an mbox a goroutine takes at a time.
	pieceSize = 8 << 20

	// pieceFound is how many candidates of a piece may wait for their turn. If there
	// are more, reading their references takes far longer than finding them.
	pieceFound = 128

	// pieceWindow is the size of the buffers of several goroutines. Together they are
	// limited by the memory, to which small buffers write back less.
	pieceWindow = 128 << 10
)

// A piece is what was found in a range of an mbox, without knowledge of what is before
// it.
type piece struct {
	start, end int64      // where its first message begins, and the one after its last
	count      int        // of its messages
	candidates []*Message // their Index counts from the first message of the piece
}

func (p *piece) close() {
	for _, m := range p.candidates {
		m.Close()
	}
}

// pieces does the same as run for a whole mbox, with several goroutines that take
// pieces of it.
//
// In a piece, the first line that looks as if it separates messages is assumed to do
// so. The assumption is wrong if the line is in a header, or in a body by a
// Content-Length. What is found from there on depends on nothing before it. So it is
// true if the message before it ends where the piece starts. Otherwise the piece is
// read again at its turn, and so is one that was not read to its end. A message that
// extends beyond the next piece is left for that, too. So no octet is read more than
// three times.
func (s *splitter) pieces(size int64, dated bool) bool {
	ctx, cancel := context.WithCancel(s.judge.ctx)
	s.reserve(pieceWindow)
	if s.lengths == nil {
		s.lengths = new(lengths) // one for all goroutines
	}
	from, more := s.first, true
	var reached atomic.Int64 // from, for all goroutines
	reached.Store(from)
	worker := func() func(i int) piece {
		other := &splitter{
			window:  window{r: s.r, size: s.size, file: s.file, judge: &judge{ctx: ctx}},
			path:    s.path,
			first:   s.first,
			lengths: s.lengths,
		}
		other.reserve(pieceWindow)
		return func(i int) piece {
			start := int64(i) * size
			if start+size <= reached.Load() {
				return piece{start: -1}
			}
			return other.piece(start, min(start+size, s.size), size, dated)
		}
	}
	done := func(i int, p piece) bool {
		if p.start == from {
			more = s.take(&p)
			from = p.end
		}
		p.close()
		if end := min(int64(i+1)*size, s.size); more {
			from, more = s.run(from, end, s.size, dated)
		}
		reached.Store(from)
		return more && s.err == nil
	}
	ordered(s.jobs, int((s.size+size-1)/size), cancel, worker, done, func(p piece) { p.close() })
	return more
}

// piece returns the piece from start to end. size is the size of pieces.
func (s *splitter) piece(start, end, size int64, dated bool) piece {
	s.index, s.err, s.failed, s.judge.active = 0, nil, false, false
	p := piece{start: s.first}
	if start > s.first {
		_, p.start = s.scan(start, end, dated)
	}
	s.yield = func(m *Message, _ error) bool {
		p.candidates = append(p.candidates, m)
		return len(p.candidates) < pieceFound
	}
	p.end, _ = s.run(p.start, end, min(end+size, s.size), dated)
	p.count = s.index
	if s.failed || s.err != nil {
		p.start = -1
	}
	return p
}

// take yields the candidates of a piece and takes them out of it. It reports
// whether the caller wants more.
func (s *splitter) take(p *piece) bool {
	for len(p.candidates) > 0 {
		m := p.candidates[0]
		p.candidates = p.candidates[1:]
		m.Index += s.index
		if !s.yield(m, nil) {
			return false
		}
	}
	s.index += p.count
	return true
}
