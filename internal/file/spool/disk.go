package spool

import (
	"errors"
	"sync"
	"time"

	"github.com/go-extbody/extbody/internal/file/diskfull"
)

// A Disk is where Spools have their files. It is full from an error of a Spool until a file of 1 MiB fits.
// The zero Disk is not full. Several goroutines may use it.
type Disk struct {
	mu    sync.Mutex
	full  bool
	again time.Time // when a file is tried next
}

const (
	diskTime = 5 * time.Second // between two tries
	diskRoom = 1 << 20         // octets of a try
)

// Note notes an error of a Spool, and reports whether the disk is full since then; see [diskfull.Is].
// Other errors change nothing.
func (d *Disk) Note(err error) (since bool) {
	if _, own := errors.AsType[*Error](err); !own || !diskfull.Is(err) {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	since = !d.full
	d.full = true
	d.again = time.Now().Add(diskTime)
	return since
}

// Full reports whether the disk is full. While it is, a file is tried in dir, the folder of the Spools, once
// in 5 seconds.
func (d *Disk) Full(dir string) bool {
	if full, try := d.state(); !try {
		return full
	}
	s := Spool{Dir: dir, Memory: -1}
	defer s.Close()
	if _, err := s.Write(make([]byte, diskRoom)); err != nil {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full = false
	return false
}

// state reports whether the disk is full, and whether the caller tries a file.
func (d *Disk) state() (full, try bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	try = d.full && !now.Before(d.again)
	if try {
		d.again = now.Add(diskTime)
	}
	return d.full, try
}
