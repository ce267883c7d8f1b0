package archive

import (
	"errors"
	"slices"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// errStop ends a walk over lines.
var errStop = errors.New("enough")

// body returns the record of a line, a pointer; nil if its kind is not known.
func body(l *ledger.Line) (record any, err error) {
	switch l.Kind {
	case kindRun:
		record = new(Run)
	case kindSource:
		record = new(SourceRecord)
	case kindMessage:
		record = new(MessageRecord)
	case kindSighting:
		record = new(Sighting)
	case kindReference:
		record = new(ReferenceRecord)
	case kindCapture:
		record = new(Capture)
	case kindException:
		record = new(Exception)
	case kindChanged:
		record = new(Changed)
	case kindHold:
		record = new(Hold)
	case kindForget:
		record = new(Forget)
	default:
		return nil, nil
	}
	return record, l.Body(record)
}

// line decodes the line at p into v.
func (a *Archive) line(p place, v any) error {
	return a.places.At(p.place(), func(l *ledger.Line) error { return l.Body(v) })
}

// lines calls f with the lines of some kinds from the first to the head, and their records.
// It ignores damage, which Verify reports: f also gets damaged lines that can be parsed.
func (a *Archive) lines(f func(l *ledger.Line, record any) error, kinds ...string) error {
	a.mu.Lock()
	end := a.index.next
	a.mu.Unlock()
	err := a.read(ledger.Place{}, func(l *ledger.Line) error {
		if !l.Place.Before(end) {
			return errStop
		}
		if !slices.Contains(kinds, l.Kind) {
			return nil
		}
		record, err := body(l)
		if err != nil {
			return err
		}
		return f(l, record)
	})
	return errors.Join(err, a.index.fault())
}

// read calls f with each line from a place on. It ignores damage. f ends it with errStop.
func (a *Archive) read(from ledger.Place, f func(*ledger.Line) error) error {
	_, _, err := ledger.Read(a.ledgerDir(), from, ledger.Head{}, func(*ledger.Fault) bool { return true }, f)
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}
