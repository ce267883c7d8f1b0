package rewrite

import (
	"io"
	"os"
	"slices"
	"sync"

	"github.com/go-extbody/extbody/internal/mime/message"
)

const (
	// writeSize is how much is written to a file at a time. Writes of 256 KiB were
	// measured to take two to eight times as long on ext4, for the same octets.
	writeSize = 32 << 10

	// spoolStep is how much room in the spool a body gets at a time.
	spoolStep = 256 << 10
)

// A spool is a temporary file that holds bodies until the message is written. One file
// holds all of them. It is made when it is first needed. Several bodies may be written
// at the same time.
type spool struct {
	dir string

	mu   sync.Mutex
	file *os.File
	name string         // "" after the file has lost its name
	end  int64          // room up to here was given to bodies
	free []message.Span // room that was given back
}

// create makes the file. If the system allows it, the file loses its name at once, so
// that it cannot be left behind.
func (s *spool) create() error {
	if s.file != nil {
		return nil
	}
	f, err := os.CreateTemp(s.dir, ".extbody-*")
	if err != nil {
		return err
	}
	s.file, s.name = f, f.Name()
	if os.Remove(s.name) == nil {
		s.name = ""
	}
	return nil
}

// grow adds room for a body, and returns how much.
func (s *spool) grow(room *[]message.Span) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.create(); err != nil {
		return 0, err
	}
	if n := len(*room); n > 0 && (*room)[n-1].End == s.end {
		(*room)[n-1].End += spoolStep
		s.end += spoolStep
		return spoolStep, nil
	}
	if n := len(s.free); n > 0 {
		*room = append(*room, s.free[n-1])
		s.free = s.free[:n-1]
	} else {
		*room = append(*room, message.Span{Start: s.end, End: s.end + spoolStep})
		s.end += spoolStep
	}
	return (*room)[len(*room)-1].Len(), nil
}

// shrink takes back the last octets of the room of a body if nothing comes after them.
func (s *spool) shrink(last *message.Span, octets int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last.End == s.end {
		s.end -= octets
		last.End -= octets
	}
}

// giveBack takes back the room of a body, and its space on the disk.
func (s *spool) giveBack(room []message.Span) error {
	if len(room) == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	end := s.end
	for _, r := range slices.Backward(room) {
		if r.End == s.end {
			s.end = r.Start
			continue
		}
		s.free = append(s.free, r)
		punch(s.file, r)
	}
	if s.end == end {
		return nil
	}
	return s.file.Truncate(s.end)
}

// close frees the file.
func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.name != "" {
		if e := os.Remove(s.name); err == nil {
			err = e
		}
	}
	return err
}

// A sink puts one body into the spool, and surveys it. It is an
// externalbody.Sink.
type sink struct {
	spool  *spool
	room   []message.Span // where the body is in the spool
	left   int64          // how much of the last room is not used
	survey survey
	err    error // of the temporary file
}

// sink returns a Sink for the next body.
func (s *spool) sink() *sink { return &sink{spool: s} }

func (k *sink) Write(p []byte) (n int, err error) {
	for len(p) > 0 && k.err == nil {
		if k.left == 0 {
			k.left, k.err = k.spool.grow(&k.room)
			continue
		}
		var m int
		piece := p[:min(int64(len(p)), writeSize, k.left)]
		m, k.err = k.spool.file.WriteAt(piece, k.room[len(k.room)-1].End-k.left)
		k.left -= int64(m)
		k.survey.Write(p[:m])
		n += m
		p = p[m:]
	}
	return n, k.err
}

// Reset gives the room back. After an error of Write it returns that error.
func (k *sink) Reset() error {
	err := k.spool.giveBack(k.room)
	k.room, k.left, k.survey = nil, 0, survey{}
	if k.err == nil {
		k.err = err
	}
	return k.err
}

// seal ends the body: room that it does not need goes to the next one.
func (k *sink) seal() {
	if k.left > 0 {
		k.spool.shrink(&k.room[len(k.room)-1], k.left)
		k.left = 0
	}
}

// len returns the number of octets of the body.
func (k *sink) len() int64 { return k.survey.n }

// reader returns a reader of the body.
func (k *sink) reader() *io.SectionReader {
	if len(k.room) == 0 {
		return io.NewSectionReader(nothing{}, 0, 0)
	}
	return io.NewSectionReader(&scattered{k.spool.file, k.room}, 0, k.len())
}

// nothing is an empty source.
type nothing struct{}

func (nothing) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }

// A scattered reads spans of a source one after another.
type scattered struct {
	r     io.ReaderAt
	spans []message.Span
}

func (s *scattered) ReadAt(p []byte, off int64) (n int, err error) {
	for _, span := range s.spans {
		if off >= span.Len() {
			off -= span.Len()
			continue
		}
		piece := p[n:min(int64(len(p)), int64(n)+span.Len()-off)]
		m, err := s.r.ReadAt(piece, span.Start+off)
		if n += m; m < len(piece) {
			if err == nil {
				err = io.ErrUnexpectedEOF
			}
			return n, err
		}
		if off = 0; n == len(p) {
			return n, nil
		}
	}
	return n, io.EOF
}
