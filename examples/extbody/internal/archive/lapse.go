package archive

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/exchange"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/file/below"
)

// This file keeps a repair from bringing back something that was forgotten (OP-36), and completes each forget.

// notTaken follows the name of something that a repair leaves in the copy.
const notTaken = ": was not taken, because a line that is lost may have forgotten it"

// A lapse is the part of a ledger that is lost, as far as that is known. A lost line may have forgotten each object and
// exchange of the lines before it. A nil *lapse is empty.
type lapse struct {
	before  int64 // a line is lost after some line up to this number; 0 if none is known to be lost
	last    ledger.Head
	objects map[[sha256.Size]byte]int64 // the numbers of the latest lines that stored them
	forgets []ledger.Place
	gaps    []Gap
	named   []named // heads that have to be in the ledger
	missing []named // those of them that are after its end
	wrong   map[ledger.Head]bool
}

func newLapse(heads []named) *lapse {
	return &lapse{objects: make(map[[sha256.Size]byte]int64), named: heads, wrong: make(map[ledger.Head]bool)}
}

// fault notes a gap.
func (l *lapse) fault(f *ledger.Fault) bool {
	l.before = max(l.before, f.Before.Seq)
	if g := (Gap{f.Before, f.After}); len(l.gaps) == 0 || l.gaps[len(l.gaps)-1] != g {
		l.gaps = append(l.gaps, g)
	}
	return true
}

func (l *lapse) line(line *ledger.Line, record any) {
	if l == nil {
		return
	}
	l.last = headOf(line)
	for _, n := range l.named {
		switch {
		case n.head.Seq != line.Seq && n.head.Digest == line.Digest:
			l.wrong[n.head] = true // a digest belongs to one number
		case n.head.Seq == line.Seq && n.head.Digest != line.Digest:
			l.before = max(l.before, line.Seq)
		}
	}
	switch r := record.(type) {
	case *Run:
		for _, g := range r.Gaps { // they were accepted
			l.before = max(l.before, g.Before.Seq)
		}
	case *MessageRecord:
		if r.Stored {
			l.objects[sumOf(r.SHA256)] = line.Seq
		}
	case *Capture:
		if !r.NotModified {
			l.objects[sumOf(r.SHA256)] = line.Seq
		}
	case *Forget:
		l.forgets = append(l.forgets, line.Place)
	}
}

// end notes lines that are lost at the end. own is the last line that the archive had itself, and known means that it
// had a head, a stamp or an index, which would name a later one.
func (l *lapse) end(own ledger.Head, known bool) {
	for _, n := range l.named {
		if n.head.Seq > l.last.Seq && !l.wrong[n.head] {
			l.missing = append(l.missing, n)
		}
	}
	if len(l.missing) > 0 || own != l.last && !known {
		l.before = math.MaxInt64
	}
}

// isBlind reports whether the loss is only that nothing of the archive says whether there was a line after its own. A
// repair removes that doubt, since the archive has the line of the copy and a head after it. The arguments are as for end.
func (l *lapse) isBlind(own ledger.Head, known bool) bool {
	return own != l.last && !known && len(l.missing)+len(l.gaps) == 0
}

// doubts reports whether a line that is lost may be after the one with a number.
func (l *lapse) doubts(seq int64) bool { return l != nil && seq <= l.before }

// stored returns the number of the latest line that stored an object.
func (l *lapse) stored(sum [sha256.Size]byte) int64 {
	if l == nil {
		return 0
	}
	return l.objects[sum]
}

// lost returns the names of the lines that are lost.
func (l *lapse) lost() (list []string) {
	for _, g := range l.gaps {
		list = append(list, fmt.Sprintf("ledger: lines between %d and %d", g.Before.Seq, g.After.Seq))
	}
	for _, n := range l.missing {
		list = append(list, fmt.Sprintf("ledger: line %d, which %s names", n.head.Seq, n.name))
	}
	return list
}

// forgetAgain removes the objects and exchanges that the line at a place forgot and that are there. An
// object that a later line stored again stays. It returns how many it removed.
func (a *Archive) forgetAgain(p ledger.Place) (removed int64, err error) {
	l, err := a.places.At(p)
	if err != nil {
		return 0, err
	}
	g := new(Forget)
	if err := l.Body(g); err != nil {
		return 0, err
	}
	for _, r := range g.Objects {
		if a.index.flags(r.SHA256)&flagForgotten == 0 {
			continue
		}
		_, err := a.objects.Stat(store.Name(r.SHA256))
		if errors.Is(err, ErrAway) {
			return removed, err
		}
		if err != nil {
			continue
		}
		if err := a.objects.Remove(store.Name(r.SHA256)); err != nil {
			return removed, err
		}
		removed++
	}
	for _, r := range g.Exchanges {
		done, err := a.pad(g, r)
		if err != nil {
			return removed, err
		}
		if done {
			removed++
		}
	}
	return removed, nil
}

// pad replaces exchanges that were forgotten, and reports whether they were there.
func (a *Archive) pad(g *Forget, r Removed) (bool, error) {
	f, err := below.OpenFile(a.exchangesDir(), filepath.Base(r.File), os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil // verify reports it
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	if sum, err := exchange.Sum(f, r.Offset, r.Size); err == nil && sum == sumOf(r.Now) {
		return false, nil
	}
	_, err = f.WriteAt(g.padding(r.Size), r.Offset)
	return true, errors.Join(err, f.Sync())
}
