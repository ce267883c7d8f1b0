package serve

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"sync"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// spoolMemory is how many octets of one message are held in memory.
const spoolMemory = 1 << 20

// ErrTooLong is the error of writing more to a Spool than a message may have.
var ErrTooLong = errors.New("serve: the message is too long")

// A Spool holds a message. A message of up to 1 MiB is in memory, unless all messages
// together would then have more than Options.Memory octets there. Other messages are in
// files of which nothing is left if the program is killed.
//
// An error of writing to the disk is a [fetch.Error] of Kind Local.
//
// One goroutine may write. After that, several may read. Close must be called, and
// reading fails after it.
type Spool struct {
	engine *Engine
	max    int64

	mu     sync.RWMutex
	buf    *[]byte
	held   int64 // octets that count for Options.Memory
	file   *atomicfile.File
	size   int64
	closed bool
}

// buffers are the buffers of closed Spools, for others to use again.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 64<<10); return &b }}

// Spool returns an empty Spool.
func (e *Engine) Spool() *Spool {
	b := buffers.Get().(*[]byte)
	*b = (*b)[:0]
	return &Spool{engine: e, max: e.opts.MaxMessage, buf: b}
}

// Size returns the number of octets.
func (s *Spool) Size() int64 { return s.size }

// Write appends p.
func (s *Spool) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, fs.ErrClosed
	}
	if s.size+int64(len(p)) > s.max {
		return 0, ErrTooLong
	}
	if s.file == nil && !s.hold(len(p)) {
		if err := s.toFile(); err != nil {
			return 0, err
		}
	}
	if s.file != nil {
		n, err := s.file.Write(p)
		s.size += int64(n)
		return n, ours(err)
	}
	*s.buf = append(*s.buf, p...)
	s.size += int64(len(p))
	return len(p), nil
}

// hold reports whether n more octets may be in memory, and counts them if so.
func (s *Spool) hold(n int) bool {
	if s.size+int64(n) > spoolMemory {
		return false
	}
	if s.engine.memory.Add(int64(n)) > s.engine.opts.Memory {
		s.engine.memory.Add(-int64(n))
		return false
	}
	s.held += int64(n)
	return true
}

// release gives back the memory.
func (s *Spool) release() {
	s.engine.memory.Add(-s.held)
	s.held = 0
	if s.buf != nil {
		buffers.Put(s.buf)
		s.buf = nil
	}
}

func (s *Spool) toFile() error {
	f, err := atomicfile.Open(tempDir(s.engine.opts.TempDir))
	if err != nil {
		return ours(err)
	}
	if _, err := f.Write(*s.buf); err != nil {
		f.Discard()
		return ours(err)
	}
	s.file = f
	s.release()
	return nil
}

// ours returns err as an error of our disk.
func ours(err error) error {
	if err == nil {
		return nil
	}
	return &fetch.Error{Op: "spool", Kind: fetch.Local, Err: err}
}

// ReadFrom appends what r gives until its end. Errors of r are returned as they are.
func (s *Spool) ReadFrom(r io.Reader) (n int64, err error) {
	for s.file == nil {
		m, err := s.readIn(r)
		n += m
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	b := (*p)[:cap(*p)]
	for {
		m, err := r.Read(b)
		if m > 0 {
			if _, err := s.Write(b[:m]); err != nil {
				return n, err
			}
			n += int64(m)
		}
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// readIn appends what r gives at once, without a copy if it stays in memory.
func (s *Spool) readIn(r io.Reader) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, fs.ErrClosed
	}
	b := *s.buf
	if len(b) == cap(b) {
		b = slices.Grow(b, len(b))
	}
	m, err := r.Read(b[len(b):cap(b)])
	if s.size+int64(m) > s.max {
		return 0, ErrTooLong
	}
	*s.buf = b[:len(b)+m]
	if !s.hold(m) {
		if err := s.toFile(); err != nil {
			return 0, err
		}
	}
	s.size += int64(m)
	return int64(m), err
}

// ReadAt implements io.ReaderAt.
func (s *Spool) ReadAt(p []byte, off int64) (int, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	switch {
	case s.closed:
		return 0, fs.ErrClosed
	case s.file != nil:
		return s.file.ReadAt(p, off)
	case off < 0 || off >= int64(len(*s.buf)):
		return 0, io.EOF
	}
	n := copy(p, (*s.buf)[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Close frees what the Spool holds.
func (s *Spool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.release()
	if s.file != nil {
		s.file.Discard()
	}
	return nil
}
