package archive

import (
	"errors"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// errStop ends a walk over lines.
var errStop = errors.New("enough")

// line decodes the line at p into v.
func (a *Archive) line(p place, v any) error {
	return a.places.At(p.place(), func(l *ledger.Line) error { return l.Body(v) })
}

// lines calls f with each line from the first to the head. It ignores damage, which Verify
// reports: f also gets damaged lines that can be parsed.
func (a *Archive) lines(f func(*ledger.Line) error) error {
	a.mu.Lock()
	end := a.next
	a.mu.Unlock()
	_, _, err := ledger.Read(a.ledgerDir(), ledger.Place{}, ledger.Head{}, func(*ledger.Fault) bool { return true }, func(l *ledger.Line) error {
		if !l.Place.Before(end) {
			return errStop
		}
		return f(l)
	})
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}
