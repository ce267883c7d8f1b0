package cache

import (
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// A pieces is a body in memory. Its pieces come from a pool, and go back to it when the
// last holder lets go. Nobody but a holder may touch it: its octets are those of another
// body then.
type pieces struct {
	holders atomic.Int64
	n       int64
	full    []*[pieceSize]byte // all but the last are full
	tail    []byte             // in place of the last of full, once cut was called
}

// pieceSize is a size for which the runtime has a class.
const pieceSize = 8 << 10

var piecePool = sync.Pool{New: func() any { return new([pieceSize]byte) }}

// newPieces returns no octets, with one holder.
func newPieces() *pieces {
	p := new(pieces)
	p.hold()
	return p
}

func (p *pieces) hold() { p.holders.Add(1) }

// letGo is called once by each holder.
func (p *pieces) letGo() {
	if p.holders.Add(-1) > 0 {
		return
	}
	for _, piece := range p.full {
		piecePool.Put(piece)
	}
	p.full, p.tail, p.n = nil, nil, 0
}

// write appends b.
func (p *pieces) write(b []byte) {
	for len(b) > 0 {
		at := int(p.n % pieceSize)
		if at == 0 {
			p.full = append(p.full, piecePool.Get().(*[pieceSize]byte))
		}
		n := copy(p.full[len(p.full)-1][at:], b)
		b = b[n:]
		p.n += int64(n)
	}
}

// cut gives back the memory of the last piece that is not used. Nothing may be written
// after it.
func (p *pieces) cut() {
	rest := int(p.n % pieceSize)
	if rest == 0 || p.tail != nil {
		return
	}
	last := len(p.full) - 1
	p.tail = append(make([]byte, 0, rest), p.full[last][:rest]...)
	piecePool.Put(p.full[last])
	p.full = p.full[:last]
}

// readAt copies what is at off.
func (p *pieces) readAt(b []byte, off int64) int {
	n := 0
	for n < len(b) && off < p.n {
		from := p.tail
		if i := int(off / pieceSize); i < len(p.full) {
			from = p.full[i][:min(pieceSize, p.n-off+off%pieceSize)]
		}
		m := copy(b[n:], from[off%pieceSize:])
		n += m
		off += int64(m)
	}
	return n
}

// A pieceReader reads a body, and holds it until it is closed.
type pieceReader struct {
	of  *pieces // nil once closed
	off int64
}

func (p *pieces) open() *pieceReader {
	p.hold()
	return &pieceReader{of: p}
}

// Read implements [io.Reader].
func (r *pieceReader) Read(b []byte) (int, error) {
	if r.of == nil {
		return 0, os.ErrClosed
	}
	if len(b) == 0 {
		return 0, nil
	}
	n := r.of.readAt(b, r.off)
	if n == 0 {
		return 0, io.EOF
	}
	r.off += int64(n)
	return n, nil
}

// Close implements [io.Closer].
func (r *pieceReader) Close() error {
	if r.of == nil {
		return os.ErrClosed
	}
	r.of.letGo()
	r.of = nil
	return nil
}
