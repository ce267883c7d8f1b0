package saved

import (
	"errors"
	"fmt"
	"sync"
	"syscall"

	"github.com/go-extbody/extbody/internal/archive"
	"github.com/go-extbody/extbody/internal/show"
)

// A Disk is that on which get saves. When it is full nothing more is begun: what is in
// flight goes on to its end. Its methods may be called from several goroutines.
type Disk struct {
	dir     string
	minFree int64
	free    func(dir string) int64 // -1 if that is not known

	mu   sync.Mutex
	full error // why nothing more is begun; nil as long as there is room
}

// NewDisk returns the disk of a folder, of which minFree octets are to be left.
func NewDisk(dir string, minFree int64) *Disk {
	return &Disk{dir: dir, minFree: minFree, free: archive.FreeSpace}
}

var errDiskFull = errors.New("the disk is full")

// Room reports whether another body may be begun.
func (d *Disk) Room() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full != nil {
		return false
	}
	if d.minFree > 0 {
		if n := d.free(d.dir); n >= 0 && n < d.minFree {
			d.full = fmt.Errorf("--min-free: %s are free of the disk", show.Octets(n))
		}
	}
	return d.full == nil
}

// Failed looks at the error of a body that could not be saved.
func (d *Disk) Failed(err error) {
	if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full == nil {
		d.full = errDiskFull
	}
}

// Status returns the error of a run that ended early, nil if it did not.
func (d *Disk) Status() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full == nil {
		return nil
	}
	return fmt.Errorf("%w; the rest was not begun, and --skip-done goes on with it", d.full)
}
