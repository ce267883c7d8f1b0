package main

import (
	"bytes"
	"io"
	"os"

	"github.com/go-extbody/extbody/internal/unnamed"
)

// smallSpool is how large a message is kept in memory.
const smallSpool = 64 << 10

// A remoteSpool keeps a message that comes from elsewhere.
type remoteSpool struct {
	small []byte
	file  *unnamed.File // nil while the message is small
}

func (s *remoteSpool) Write(p []byte) (int, error) {
	if s.file == nil && len(s.small)+len(p) <= smallSpool {
		s.small = append(s.small, p...)
		return len(p), nil
	}
	if s.file == nil {
		f, err := unnamed.Open(os.TempDir())
		if err != nil {
			return 0, err
		}
		s.file = f
		if _, err := f.Write(s.small); err != nil {
			return 0, err
		}
		s.small = nil
	}
	return s.file.File.Write(p)
}

// reader returns a reader of what was written.
func (s *remoteSpool) reader() io.ReaderAt {
	if s.file != nil {
		return s.file.File
	}
	return bytes.NewReader(s.small)
}

func (s *remoteSpool) discard() {
	s.small = nil
	if s.file != nil {
		s.file.Discard()
		s.file = nil
	}
}
