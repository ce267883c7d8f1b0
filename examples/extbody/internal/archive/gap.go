package archive

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// This file answers whether a ledger is whole (OP-48), as far as it was read.

// ErrDamaged is the error of a ledger that is not whole. A reader has given all lines that are there.
var ErrDamaged = errors.New("the ledger is not whole, so that something is missing here: " +
	"run extbody archive verify, and repair with a copy")

// A Gap is between two lines of a ledger that do not follow each other. Before is the zero Head at its
// start, and After is a line that is lost where the ledger has lost its end.
type Gap struct {
	Before ledger.Head `json:"before"`
	After  ledger.Head `json:"after"`
}

// A named is a head with the name of its place.
type named struct {
	name string
	head ledger.Head
}

// A wholeness has the known damage of the ledger of an archive. The Archive guards it.
type wholeness struct {
	required []named      // the heads that have to be in the ledger
	accepted map[Gap]bool // by [Accept]
	first    error        // the first damage; nil if none is known
	gaps     []Gap        // those of damages
	walked   bool         // the whole ledger was read
}

// note notes damage, unless it was accepted.
func (w *wholeness) note(f *ledger.Fault) {
	g := Gap{Before: f.Before, After: f.After}
	if w.accepted[g] {
		return
	}
	w.first = cmp.Or(w.first, error(fmt.Errorf("ledger/%w", f)))
	if !slices.Contains(w.gaps, g) {
		w.gaps = append(w.gaps, g)
	}
}

// lacks notes that the line with a head is not in the ledger, which ends at last.
func (w *wholeness) lacks(n named, last ledger.Head) {
	g := Gap{Before: last, After: n.head}
	for old := range w.accepted { // the ledger may have gone on since
		if old.After == n.head {
			return
		}
	}
	what := fmt.Sprintf("ledger: line %d is not the one that %s names", n.head.Seq, n.name)
	if n.head.Seq > last.Seq {
		what = fmt.Sprintf("ledger: line %d is missing, which %s names: the last one is %d", n.head.Seq, n.name, last.Seq)
	}
	w.first = cmp.Or(w.first, errors.New(what))
	w.gaps = append(w.gaps, g)
}

// line compares a line with the heads that have to be in the ledger.
func (w *wholeness) line(l *ledger.Line) {
	for _, n := range w.required {
		if n.head.Seq == l.Seq && n.head.Digest != l.Digest {
			w.lacks(n, ledger.Head{Seq: l.Seq, Digest: l.Digest})
		}
	}
}
