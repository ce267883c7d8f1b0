package get

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/file/diskfull"
)

// A session is one run of get.
type session struct {
	*Run
	ctx        context.Context // ends with the run, and when standard output fails
	stop       context.CancelFunc
	resolver   *externalbody.Resolver
	folder     *externalbody.Folder
	disk       *disk
	claims     *claims
	indexNames *indexNames // nil unless --names index is given
	stems      sync.Map    // of the files that are being saved, without extensions, by their References
	records    *record.Previous
	bars       *terminal.Bars
	progress   *terminal.Progress
	printer    *printer
	asker      *terminal.Asker // nil: no questions
	byName     bool            // files have the names that messages give them
	mistake    error           // in the choice of messages
}

// newAsker returns the Asker of a run, or nil, and the function that ends its use.
func (run *Run) newAsker(bars *terminal.Bars) (*terminal.Asker, func(), error) {
	nothing := func() {}
	switch {
	case run.dryRun:
		return nil, nothing, nil
	case !run.Ask:
		return terminal.NewAsker(run.In, run.Err, bars), nothing, nil
	}
	tty, err := terminal.Open()
	if err != nil {
		return nil, nil, exit.Mistake(ErrNoTerminal)
	}
	ask := terminal.NewAsker(tty.In, tty.Out, bars)
	if ask == nil {
		tty.Close()
		return nil, nil, exit.Mistake(ErrNoTerminal)
	}
	ask.Agreed = run.Agreed
	ask.Remember = run.Remember
	ask.Many = run.Many
	if run.Saved != nil {
		ask.Verb = "Open"
	}
	return ask, func() { tty.Close() }, nil
}

// ErrNoTerminal is the error of a run that asks if there is nobody to be asked.
var ErrNoTerminal = errors.New("there is no terminal to ask at: choose with get --ref or --name, which asks nobody")

// A disk is the disk on which get saves. When it is full, nothing more is asked for, and
// the bodies that are coming are read to their end. Several goroutines may call its methods at once.
type disk struct {
	dir     string
	minFree int64
	free    func(dir string) int64 // -1 if it is not known
	rest    string                 // how to get the rest, for the error

	mu   sync.Mutex
	full error // why no more bodies are started; nil while there is room
}

// room reports whether another body may be started.
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
		d.full = errors.New("the disk is full, or fails")
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
	return fmt.Errorf("%w; %s", d.full, cmp.Or(d.rest, "make room, then run again with --skip-done to get the rest"))
}
