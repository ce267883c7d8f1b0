package ledger

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// Places reads single lines of a ledger. It keeps the files open until Close. Its methods
// may be called by several goroutines at once.
type Places struct {
	dir string

	mu    sync.Mutex
	files map[string]*os.File
}

// maxPlaces bounds the files that are open at the same time. There is one for each month.
const maxPlaces = 64

// NewPlaces returns the Places of the ledger in the folder dir.
func NewPlaces(dir string) *Places { return &Places{dir: dir, files: make(map[string]*os.File)} }

// At calls f with the line at p. It does not check the chain.
func (s *Places) At(p Place, f func(*Line) error) error {
	text, err := s.text(p)
	if err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	l := &Line{Text: text, Place: p, Digest: sha256.Sum256(text)}
	if !l.parse() {
		return &Fault{p, 0, "is no line of a ledger"}
	}
	return f(l)
}

// text returns the line at p with its LF.
func (s *Places) text(p Place) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	file := s.files[p.File]
	if file == nil {
		if len(s.files) == maxPlaces {
			s.close()
		}
		var err error
		if file, err = os.Open(filepath.Join(s.dir, p.File)); err != nil {
			return nil, err
		}
		s.files[p.File] = file
	}
	for size := 2 << 10; ; size *= 4 {
		text := make([]byte, min(size, MaxLine))
		n, err := file.ReadAt(text, p.Offset)
		if i := bytes.IndexByte(text[:n], '\n'); i >= 0 {
			return text[: i+1 : i+1], nil
		}
		if err == nil && n == MaxLine {
			err = errTooLong
		}
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
	}
}

// Close closes the files. At opens them again.
func (s *Places) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.close()
}

func (s *Places) close() error {
	var errs []error
	for name, f := range s.files {
		errs = append(errs, f.Close())
		delete(s.files, name)
	}
	return errors.Join(errs...)
}
