package archive

import (
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
)

// drawn returns the digest of an object that is stored and not forgotten: the first one that a line
// names from a random place of the ledger on. It returns "" if there is none.
func (a *Archive) drawn() (sum string, err error) {
	if some, err := a.index.stores(); !some || err != nil {
		return "", err
	}
	names, err := ledger.Files(a.ledgerDir())
	if err != nil {
		return "", err
	}
	sizes := make([]int64, len(names))
	var total int64
	for i, name := range names {
		info, err := os.Stat(filepath.Join(a.ledgerDir(), name))
		if err != nil {
			return "", err
		}
		sizes[i] = info.Size()
		total += info.Size()
	}
	if total == 0 {
		return "", nil
	}
	var from ledger.Place
	for i, at := 0, rand.Int64N(total); i < len(names); i++ {
		if at < sizes[i] {
			from = ledger.Place{File: names[i], Offset: at}
			break
		}
		at -= sizes[i]
	}
	find := func(l *ledger.Line) error {
		if l.Kind != kindMessage && l.Kind != kindCapture {
			return nil
		}
		record, err := body(l)
		if err != nil {
			return a.unreadable(l.Place, headOf(l), err)
		}
		name := ""
		switch r := record.(type) {
		case *MessageRecord:
			if r.Stored {
				name = r.SHA256
			}
		case *Capture:
			name = r.SHA256
		}
		if store.IsSum(name) && a.index.flags(name) == flagStored {
			sum = name
			return errStop
		}
		return nil
	}
	if err := a.read(from, a.next(), find); err != nil || sum != "" {
		return sum, err
	}
	return sum, a.read(ledger.Place{}, a.next(), find)
}
