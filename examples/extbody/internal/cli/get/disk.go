package get

import (
	"errors"
	"fmt"
	"sync"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/internal/file/diskfull"
)

// A disk is the disk on which get saves. When it is full, nothing more is asked for, and
// the bodies that are coming are read to their end. Several goroutines may call its methods at once.
type disk struct {
	dir     string
	minFree int64
	free    func(dir string) int64 // -1 if it is not known

	mu   sync.Mutex
	full error // why no more bodies are begun; nil while there is room
}

// room reports whether another body may be begun.
func (d *disk) room() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full != nil {
		return false
	}
	if d.minFree > 0 {
		if n := d.free(d.dir); n >= 0 && n < d.minFree {
			d.full = fmt.Errorf("--min-free: only %s of the disk are free", show.Octets(n))
		}
	}
	return d.full == nil
}

// note takes the error of a body that could not be saved, or nil, and reports whether
// there was no room for it.
func (d *disk) note(err error) bool {
	full := diskfull.Is(err)
	d.mu.Lock()
	defer d.mu.Unlock()
	if full && d.full == nil {
		d.full = errors.New("the disk is full")
	}
	return full
}

// status returns the error of a run that ended early, or nil.
func (d *disk) status() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full == nil {
		return nil
	}
	return fmt.Errorf("%w; make room, then run again with --skip-done to get the rest", d.full)
}
