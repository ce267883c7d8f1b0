// Package spool keeps data that comes once, from a pipe or a server, so that it can be
// read at any place: in memory while it is short, and then in a file without a name.
package spool

import (
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// Memory is how many octets of one Spool are kept in memory.
const Memory = 64 << 10

// A Spool keeps what is written to it until it is closed. The zero Spool is empty and
// ready to use. Several goroutines may call its methods at once.
type Spool struct {
	mu     sync.RWMutex
	small  []byte
	file   *atomicfile.File // nil while there is little data
	size   int64
	closed bool
}

// Write appends p.
func (s *Spool) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, fs.ErrClosed
	}
	if s.file == nil && len(s.small)+len(p) > Memory {
		if err := s.toFile(); err != nil {
			return 0, err
		}
	}
	if s.file == nil {
		s.small = append(s.small, p...)
		s.size += int64(len(p))
		return len(p), nil
	}
	n, err := s.file.Write(p)
	s.size += int64(n)
	return n, err
}

func (s *Spool) toFile() error {
	f, err := atomicfile.Open(os.TempDir())
	if err != nil {
		return err
	}
	if _, err := f.Write(s.small); err != nil {
		f.Discard()
		return err
	}
	s.file, s.small = f, nil
	return nil
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
	case off >= int64(len(s.small)):
		return 0, io.EOF
	}
	n := copy(p, s.small[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Section returns a reader of what was written so far.
func (s *Spool) Section() *io.SectionReader {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return io.NewSectionReader(s, 0, s.size)
}

// Close frees the data.
func (s *Spool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		s.file.Discard()
	}
	s.small, s.file, s.closed = nil, nil, true
	return nil
}
