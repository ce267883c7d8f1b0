package archive

import (
	"errors"

	"github.com/go-extbody/extbody/internal/archive/ledger"
)

// errStop ends a walk over lines.
var errStop = errors.New("enough")

// line reads what the line at p tells into v.
func (a *Archive) line(p place, v any) error {
	return ledger.ReadAt(a.ledgerDir(), p.place(), func(l *ledger.Line) error { return l.Body(v) })
}
