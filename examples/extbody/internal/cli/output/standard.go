package output

import (
	"errors"
	"io"
	"os"
	"sync"
)

// ErrClosed is the error of what is written to a standard output that was closed when the
// program started. A null device that is open for reading as well counts as that, since
// the two cannot be told from each other: a shell's "> /dev/null" is open for writing
// alone, what some languages call DEVNULL or "ignore" is not.
var ErrClosed = errors.New("standard output is closed, or is a null device that is open for reading too: use a file, a pipe or >/dev/null")

// A Standard is standard output. It knows whether all that was written to it was taken,
// so that no command has to say it is done where its words were lost. It may be used by
// several goroutines at once.
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
		if s.err == nil {
			s.err = err
		}
	}
	return n, err
}

// Err returns the first error of a Write.
func (s *Standard) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Fd returns the descriptor of the file, or a number that is none where it is no file.
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
