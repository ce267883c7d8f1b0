package tftpfetch

import (
	"io"
	"sync"
	"time"
)

const (
	// pipeSize is the number of octets that a pipe holds: more than two of the
	// greatest blocks.
	pipeSize = 128 << 10

	// gather is how long octets may lie in a pipe before a reader that waits
	// is woken. To wake it for each block costs more than to get the block.
	gather = 4 * time.Millisecond
)

// A pipe hands blocks from the goroutine of the engine to the reader. It holds
// a bounded number of octets, and either end can end it while the other waits.
type pipe struct {
	mu       sync.Mutex
	readable sync.Cond
	writable sync.Cond
	ring     []byte
	start, n int   // where the octets begin in ring, and how many there are
	end      error // what follows the octets, once the writer is done
	broken   error // what the reader gets at once, and why the writer fails

	waiting bool        // the reader waits
	wake    *time.Timer // wakes the reader; nil until first needed
}

func newPipe() *pipe {
	p := &pipe{ring: make([]byte, pipeSize)}
	p.readable.L, p.writable.L = &p.mu, &p.mu
	return p
}

// Write copies all of b, which fits into an empty pipe, and waits until there
// is room for it.
func (p *pipe) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.broken == nil && len(p.ring)-p.n < len(b) {
		p.writable.Wait()
	}
	if p.broken != nil {
		return 0, errEnded
	}
	at := (p.start + p.n) % len(p.ring)
	c := copy(p.ring[at:], b)
	copy(p.ring, b[c:])
	empty := p.n == 0
	p.n += len(b)
	switch {
	case !p.waiting:
	case p.n >= len(p.ring)/2:
		p.readable.Signal()
	case empty:
		p.wakeLater()
	}
	return len(b), nil
}

// wakeLater wakes the reader when gather is over.
func (p *pipe) wakeLater() {
	if p.wake != nil {
		p.wake.Reset(gather)
		return
	}
	p.wake = time.AfterFunc(gather, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.readable.Signal()
	})
}

// Read waits for octets or for the end.
func (p *pipe) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(b) == 0 {
		return 0, nil
	}
	p.waiting = true
	for p.broken == nil && p.n == 0 && p.end == nil {
		p.readable.Wait()
	}
	p.waiting = false
	switch {
	case p.broken != nil:
		return 0, p.broken
	case p.n == 0:
		return 0, p.end
	}
	c := copy(b[:min(len(b), p.n)], p.ring[p.start:])
	p.start = (p.start + c) % len(p.ring)
	p.n -= c
	p.writable.Signal()
	return c, nil
}

// finish says what follows the octets that were written, io.EOF if nil.
func (p *pipe) finish(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		err = io.EOF
	}
	p.end = err
	p.stop()
}

// fail ends both sides. Only the first call counts.
func (p *pipe) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken == nil {
		p.broken = err
	}
	p.writable.Signal()
	p.stop()
}

// stop wakes the reader for the last time.
func (p *pipe) stop() {
	p.readable.Signal()
	if p.wake != nil {
		p.wake.Stop()
	}
}
