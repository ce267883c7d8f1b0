package mailbox

import (
	"context"
	"sync/atomic"
)

const (
	// pieceSize is how much of an mbox a goroutine takes at a time.
	pieceSize = 8 << 20

	// pieceFound is how many candidates of a piece may wait for their turn.
	// Where there are more of them, reading what they refer to takes longer by
	// far than finding them.
	pieceFound = 128

	// pieceWindow is the size of the buffers of several goroutines. Together they
	// are bound by the memory, to which less is written back from small buffers.
	pieceWindow = 128 << 10
)

// A piece is what was found in a range of an mbox, without knowing what is
// before it.
type piece struct {
	start, end int64      // where its first message begins, and the next one after its last
	count      int        // of its messages
	candidates []*Message // with an Index that counts from its first message
}

func (p *piece) close() {
	for _, m := range p.candidates {
		m.Close()
	}
}

// pieces does what run does for the whole of an mbox, with several goroutines
// that take pieces of it.
//
// In a piece, the first line that looks as if it separated messages is taken to
// do so. It does, unless it is in a header or in what Content-Length says is a
// body. What is found from there on depends on nothing before it. So it is true
// if the message before it ends where the piece starts. Otherwise, and where a
// piece is not done to its end, it is read again at its turn. A message that goes
// on after the next piece is left for that, too, so that no octet is read more
// than three times.
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

// piece returns the piece from start to end, in a mailbox of pieces of a size.
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
