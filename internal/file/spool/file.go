package spool

import (
	"cmp"
	"os"
	"slices"
	"sync"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

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
