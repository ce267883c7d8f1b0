package archive

import (
	"errors"
	"slices"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// lines calls f with the lines of some kinds from the first to the head, and their records.
// It notes damage, which [Archive.Whole] returns: f also gets damaged lines that can be parsed.
func (a *Archive) lines(f func(l *ledger.Line, record any) error, kinds ...string) error {
	return a.linesFrom(ledger.Place{}, f, kinds...)
}

// linesFrom is lines from a place on. In the middle of the ledger it notes no damage of the chain.
func (a *Archive) linesFrom(from ledger.Place, f func(l *ledger.Line, record any) error, kinds ...string) error {
	err := a.read(from, a.next(), func(l *ledger.Line) error {
		if !slices.Contains(kinds, l.Kind) {
			return nil
		}
		record, err := body(l)
		if err != nil {
			return a.unreadable(l.Place, headOf(l), err)
		}
		return f(l, record)
	})
	return errors.Join(err, a.index.fault())
}

// next returns the place after the head.
func (a *Archive) next() ledger.Place {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.index.next
}

// ledgerEnd is after every line.
var ledgerEnd = ledger.Place{File: "~"}

// unreadable notes that a line cannot be read, and returns nil. h is its number and digest, if they are known. While
// the archive is open for writing, it returns the error.
func (a *Archive) unreadable(at ledger.Place, h ledger.Head, err error) error {
	switch {
	case a.accepted[Gap{h, h}]:
		return nil
	case a.ledger != nil:
		return err
	}
	a.note(&ledger.Fault{Place: at, Seq: h.Seq, What: "cannot be read", Before: h, After: h})
	return nil
}

// read calls f with each line from a place to another. From the start it notes damage, which [Archive.Whole]
// returns; in the middle the chain is not known. f ends it with errStop.
func (a *Archive) read(from, to ledger.Place, f func(*ledger.Line) error) error {
	if from != (ledger.Place{}) {
		return a.readWith(func(*ledger.Fault) bool { return true }, from, to, f)
	}
	stopped := false
	err := a.readWith(func(fault *ledger.Fault) bool {
		if fault.Place.Before(to) {
			a.note(fault)
		}
		return true
	}, from, to, func(l *ledger.Line) error {
		a.mu.Lock()
		a.wholeness.line(l)
		a.mu.Unlock()
		err := f(l)
		stopped = stopped || err != nil
		return err
	})
	if !stopped && err == nil {
		a.mu.Lock()
		a.walked = true
		a.mu.Unlock()
	}
	return err
}

// readWith is read with the function for damage of [ledger.Read].
func (a *Archive) readWith(fault func(*ledger.Fault) bool, from, to ledger.Place, f func(*ledger.Line) error) error {
	_, _, err := ledger.Read(a.ledgerDir(), from, ledger.Head{}, fault, func(l *ledger.Line) error {
		if !l.Place.Before(to) {
			return errStop
		}
		return f(l)
	})
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}
