package output

import (
	"cmp"
	"errors"
	"io"
	"os"
	"sync"
)

// ErrClosed is the error of a write to a standard output that was closed when the program
// started. A null device that is open for reading as well counts as closed, because the
// two look the same: "> /dev/null" of a shell is open for writing only, but DEVNULL or
// "ignore" of some languages is not.
var ErrClosed = errors.New("standard output is closed, or is a null device that is open for reading too: use a file, a pipe or >/dev/null")

// A Standard is standard output. It keeps the first error, so that a command whose output
// was lost does not end with status 0. It may be used by several goroutines at once.
type Standard struct {
	w      io.Writer
	closed bool

	mu  sync.Mutex
	err error
}

// NewStandard returns w as standard output.
func NewStandard(w io.Writer) *Standard { return &Standard{w: w, closed: wasClosed(w)} }

// Write implements [io.Writer].
func (s *Standard) Write(p []byte) (n int, err error) {
	if s.closed {
		err = ErrClosed
	} else {
		n, err = s.w.Write(p)
	}
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.err = cmp.Or(s.err, err)
	}
	return n, err
}

// Err returns the first error of a Write.
func (s *Standard) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Fd returns the file descriptor, or ^uintptr(0) if the output is not a file.
func (s *Standard) Fd() uintptr {
	if f, ok := s.w.(*os.File); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// Closed reports whether w is a Standard whose Write fails with ErrClosed.
func Closed(w io.Writer) bool {
	s, ok := w.(*Standard)
	return ok && s.closed
}
