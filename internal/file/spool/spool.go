// Package spool holds data that comes once, from a pipe or a server, so that it can be
// read at any place: in memory while it is short, and after that in a file without a
// name.
package spool

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

const (
	// DefaultMemory is how many octets a Spool holds in memory by default.
	DefaultMemory = 64 << 10

	// writeSize is how much is written to a file at a time. Writes of 256 KiB were
	// measured to take two to eight times as long on ext4, for the same octets.
	writeSize = 32 << 10
)

// ErrTooLong is the error of writing more than Max octets.
var ErrTooLong = errors.New("spool: too long")

// An Error is an error of the temporary file.
type Error struct{ Err error }

func (e *Error) Error() string { return "spool: " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

func diskError(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &Error{err}
}

// An Account bounds the memory of many Spools together. A Spool for which it has no room
// goes to its file. The zero Account has no room. Several goroutines may use it.
type Account struct {
	Max  int64 // octets; it must not change after the first use
	used atomic.Int64
}

// Used returns how many octets are in memory now.
func (a *Account) Used() int64 { return a.used.Load() }

func (a *Account) take(n int64) bool {
	if a == nil {
		return true
	}
	if a.used.Add(n) > a.Max {
		a.used.Add(-n)
		return false
	}
	return true
}

func (a *Account) giveBack(n int64) {
	if a != nil {
		a.used.Add(-n)
	}
}

// A Spool holds the octets that are written to it until it is closed. The zero Spool is
// empty and ready to use. Its exported fields must be set before the first Write. One
// goroutine may write while others read.
type Spool struct {
	// Dir is the folder of the file; "" is the system's folder for temporary files.
	Dir string

	// Memory is how many octets stay in memory: 0 means DefaultMemory, a negative number
	// none.
	Memory int64

	// Max bounds the octets; 0 means no bound. A Write that exceeds it writes nothing,
	// and its error is ErrTooLong.
	Max int64

	// Account bounds the memory together with other Spools; nil means no other bound.
	Account *Account

	// File is a file that the Spool shares with others; nil means one of its own.
	File *File

	mu     sync.RWMutex
	small  []byte
	file   *File // nil while the data is in memory
	room   []span
	left   int64 // how much of the last room is not used
	size   int64
	closed bool
}

// Write appends p. An error of the file is an *Error. The octets before it can be
// read.
func (s *Spool) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, fs.ErrClosed
	}
	if s.Max > 0 && s.size+int64(len(p)) > s.Max {
		return 0, ErrTooLong
	}
	if s.file == nil && s.fits(int64(len(p))) {
		s.small = append(s.small, p...)
		s.size += int64(len(p))
		return len(p), nil
	}
	if s.file == nil {
		if err := s.toFile(); err != nil {
			return 0, err
		}
	}
	return s.toRoom(p)
}

// fits reports whether n more octets may be in memory, and counts them if so.
func (s *Spool) fits(n int64) bool {
	most := cmp.Or(s.Memory, DefaultMemory)
	return s.size+n <= most && s.Account.take(n)
}

// toFile moves the data to the file.
func (s *Spool) toFile() error {
	s.file = s.File
	if s.file == nil {
		s.file = &File{Dir: s.Dir}
	}
	small := s.small
	s.size = 0
	if _, err := s.toRoom(small); err != nil {
		s.freeRoom()
		s.file = nil
		s.size = int64(len(small))
		return err
	}
	s.freeMemory()
	return nil
}

// toRoom appends p in the file.
func (s *Spool) toRoom(p []byte) (n int, err error) {
	for len(p) > 0 && err == nil {
		if s.left == 0 {
			s.room, s.left, err = s.file.grow(s.room, s.size)
			if err != nil {
				return n, diskError(err)
			}
		}
		var m int
		piece := p[:min(int64(len(p)), writeSize, s.left)]
		m, err = s.file.file.WriteAt(piece, s.room[len(s.room)-1].end-s.left)
		s.left -= int64(m)
		s.size += int64(m)
		n += m
		p = p[m:]
	}
	return n, diskError(err)
}

func (s *Spool) freeMemory() {
	s.Account.giveBack(int64(len(s.small)))
	s.small = nil
}

// freeRoom gives back the place in the file, and the file if it is the Spool's own.
func (s *Spool) freeRoom() error {
	if s.file == nil {
		return nil
	}
	err := s.file.giveBack(s.room)
	if s.file != s.File {
		err = errors.Join(err, s.file.Close())
	}
	s.file = nil
	s.room = nil
	s.left = 0
	return diskError(err)
}

// Reset makes the Spool empty.
func (s *Spool) Reset() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fs.ErrClosed
	}
	s.freeMemory()
	s.size = 0
	return s.freeRoom()
}

// Size returns the number of octets.
func (s *Spool) Size() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.size
}

// ReadAt implements io.ReaderAt.
func (s *Spool) ReadAt(p []byte, off int64) (n int, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	switch {
	case s.closed:
		return 0, fs.ErrClosed
	case off < 0 || off >= s.size:
		return 0, io.EOF
	}
	want := p[:min(int64(len(p)), s.size-off)]
	if s.file == nil {
		n = copy(want, s.small[off:])
	} else {
		n, err = s.readRoom(want, off)
	}
	if err != nil {
		return n, err
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// readRoom fills p from the rooms, which have that many octets from off on.
func (s *Spool) readRoom(p []byte, off int64) (n int, err error) {
	for _, r := range s.room {
		if off >= r.len() {
			off -= r.len()
			continue
		}
		piece := p[n:min(int64(len(p)), int64(n)+r.len()-off)]
		m, err := s.file.file.ReadAt(piece, r.start+off)
		n += m
		if m < len(piece) {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF // the file was cut
			}
			return n, diskError(err)
		}
		off = 0
		if n == len(p) {
			break
		}
	}
	return n, nil
}

// Section returns a reader of the octets that were written so far.
func (s *Spool) Section() *io.SectionReader { return io.NewSectionReader(s, 0, s.Size()) }

// Close frees the data. Reading and writing fail after it with fs.ErrClosed. A second
// Close does nothing.
func (s *Spool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.freeMemory()
	return s.freeRoom()
}

const (
	// minRoom and maxRoom bound how much room in its file a Spool gets at a time. It
	// gets as much as it has, so that at most half of a file is not used.
	minRoom = 4 << 10
	maxRoom = 256 << 10
)

// A File is a temporary file that many Spools share, so that they need one descriptor.
// It is made when it is first needed. Several goroutines may use its Spools. It must be
// closed after them.
type File struct {
	Dir string // its folder; "" is the system's folder for temporary files

	mu   sync.Mutex
	file *atomicfile.File
	end  int64  // room up to here was given to Spools
	free []span // room that was given back
}

// A span is a range of octets of a file: from start up to, not including, end.
type span struct{ start, end int64 }

func (s span) len() int64 { return s.end - s.start }

// grow adds room for a Spool of size octets, and returns how much the last span has
// that is not used.
func (f *File) grow(room []span, size int64) ([]span, int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		made, err := atomicfile.Temp(cmp.Or(f.Dir, os.TempDir()))
		if err != nil {
			return room, 0, err
		}
		f.file = made
	}
	step := min(max(size, minRoom), maxRoom)
	if n := len(room); n > 0 && room[n-1].end == f.end {
		room[n-1].end += step
		f.end += step
		return room, step, nil
	}
	if n := len(f.free); n > 0 {
		room = append(room, f.free[n-1])
		f.free = f.free[:n-1]
	} else {
		room = append(room, span{f.end, f.end + step})
		f.end += step
	}
	return room, room[len(room)-1].len(), nil
}

// giveBack takes back the room of a Spool. Room at the end of the file goes back to the
// disk.
func (f *File) giveBack(room []span) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	end := f.end
	f.free = append(f.free, room...)
	slices.SortFunc(f.free, func(a, b span) int { return cmp.Compare(a.end, b.end) })
	for n := len(f.free); n > 0 && f.free[n-1].end == f.end; n-- {
		f.end = f.free[n-1].start
		f.free = f.free[:n-1]
	}
	if f.end == end {
		return nil
	}
	return f.file.Truncate(f.end)
}

// Close removes the file.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file != nil {
		f.file.Discard()
		f.file = nil
	}
	return nil
}
