package cache

import (
	"io"
	"os"
	"runtime"
	"sync"
)

// A chunkReader reads a body chunk by chunk. A body of more than one chunk is
// read ahead and verified by goroutines of its own, while the reader gives out
// what was verified already.
type chunkReader struct {
	item *dirItem
	next int64  // the chunk to give out next
	rest []byte // of the current chunk
	buf  []byte // that rest is part of; nil before the first
	err  error

	ahead *readAhead // nil before the second chunk
}

// maxReaders bounds the goroutines, and readAheadChunks the chunks that are in
// memory for one body: 2 MiB.
const (
	maxReaders      = 4
	readAheadChunks = 8
)

// chunkBuffers holds buffers for chunks.
var chunkBuffers = sync.Pool{New: func() any { return new([chunkSize]byte) }}

func newChunkReader(it *dirItem) *chunkReader { return &chunkReader{item: it} }

// Read implements [io.Reader].
func (r *chunkReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 && r.err == nil {
		if len(p) == 0 {
			return 0, nil
		}
		r.err = r.fill()
	}
	if len(r.rest) == 0 {
		return 0, r.err
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// fill makes the next chunk the current one.
func (r *chunkReader) fill() (err error) {
	if r.next == chunks(r.item.record.size) {
		return io.EOF
	}
	if r.next == 0 {
		r.buf = chunkBuffers.Get().(*[chunkSize]byte)[:]
		r.rest, err = r.item.chunk(r.buf, 0)
		r.next++
		return err
	}
	if r.ahead == nil {
		r.ahead = startReadAhead(r.item, r.next)
	}
	r.buf, r.rest, err = r.ahead.take(r.buf, r.next)
	r.next++
	return err
}

// Close implements [io.Closer]. It waits for the goroutines.
func (r *chunkReader) Close() error {
	if r.ahead != nil {
		r.ahead.stop()
		r.ahead = nil
	}
	if r.buf != nil {
		chunkBuffers.Put((*[chunkSize]byte)(r.buf))
		r.buf = nil
	}
	r.rest = nil
	if r.err == nil {
		r.err = os.ErrClosed
	}
	return nil
}

// A readAhead reads chunks in several goroutines and hands them out in order.
type readAhead struct {
	item *dirItem
	done chan struct{}
	wg   sync.WaitGroup
	free chan []byte
	// slots[i%len] gets chunk i. As many chunks as there are buffers are on
	// their way, and they are consecutive, so that no slot gets two.
	slots [readAheadChunks]chan verified

	mu   sync.Mutex
	next int64
}

type verified struct {
	buf, data []byte
	err       error
}

func startReadAhead(it *dirItem, from int64) *readAhead {
	a := &readAhead{item: it, done: make(chan struct{}), free: make(chan []byte, readAheadChunks+1), next: from}
	for i := range a.slots {
		a.slots[i] = make(chan verified, 1)
		a.free <- chunkBuffers.Get().(*[chunkSize]byte)[:]
	}
	left := chunks(it.record.size) - from
	for range min(int64(runtime.GOMAXPROCS(0)), maxReaders, left) {
		a.wg.Go(a.run)
	}
	return a
}

func (a *readAhead) run() {
	for {
		var buf []byte
		select {
		case buf = <-a.free:
		case <-a.done:
			return
		}
		a.mu.Lock()
		i := a.next
		a.next++
		a.mu.Unlock()
		if i >= chunks(a.item.record.size) {
			chunkBuffers.Put((*[chunkSize]byte)(buf))
			return
		}
		data, err := a.item.chunk(buf, i)
		a.slots[i%readAheadChunks] <- verified{buf, data, err}
	}
}

// take waits for chunk i, and gives the buffer old back. It empties the slot
// before: with old free, a chunk more may be on its way, and its slot is this one.
func (a *readAhead) take(old []byte, i int64) (buf, data []byte, err error) {
	v := <-a.slots[i%readAheadChunks]
	a.free <- old
	return v.buf, v.data, v.err
}

// stop ends the goroutines.
func (a *readAhead) stop() {
	close(a.done)
	a.wg.Wait()
	for {
		select {
		case buf := <-a.free:
			chunkBuffers.Put((*[chunkSize]byte)(buf))
		default:
			return
		}
	}
}
