package archive

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/exchange"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/below"
)

// Open opens an archive for writing. With create it makes the archive if the folder is
// empty or missing. The error is ErrBusy if another process has the archive open for
// writing, ErrNone if the folder is not an archive, and ErrLost if its ledger lacks lines. Open
// also handles the remains of a run
// that was killed; see ARCHIVE.md, "Order of writing".
func Open(dir string, create bool, opts *Options) (*Archive, error) {
	a := newArchive(dir, opts)
	if create {
		if err := a.create(); err != nil {
			return nil, err
		}
	}
	err := a.locate(dir)
	if err != nil {
		return nil, err
	}
	a.lock, err = lockFile(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, err
	}
	torn, err := a.load(dir, false)
	if err == nil {
		err = a.whole()
	}
	if err == nil {
		a.ledger, err = ledger.Open(a.ledgerDir(), a.Head(), torn)
	}
	if err == nil {
		err = a.readMark()
	}
	if err == nil {
		err = a.forgotten()
	}
	if err == nil {
		err = a.recover()
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// forgotten repeats each Forget whose line the index did not have: such a line may be of a run that was killed, or have
// come from a copy.
func (a *Archive) forgotten() error {
	for _, p := range a.index.forgets {
		if _, err := a.forgetAgain(p); err != nil {
			return err
		}
	}
	return nil
}

// recover handles the remains of runs that were killed:
//
//   - It writes a line for each attempt that is whole and has none.
//   - It repeats each Forget.
//   - It removes records and objects without a line, and unfinished objects. Objects that another folder may have
//     written stay.
//   - It ends the run.
//
// If it is not certain which lines there are, it changes nothing, and the next Open does it.
func (a *Archive) recover() error {
	if a.behind != nil || a.ledger.Unsure() {
		return nil
	}
	at, run, ok := a.index.openRun()
	if !ok {
		return nil
	}
	told := make(map[Span]bool)
	// The ledger is read from the middle, so the chain does not fit at its first line.
	note := func(l *ledger.Line) error {
		record, err := body(l)
		if err != nil {
			return a.unreadable(l.Place, headOf(l), err)
		}
		switch r := record.(type) {
		case *Capture, *Exception:
			if f, _ := attempted(r); f.Exchanges != nil {
				told[*f.Exchanges] = true
			}
		case *Forget:
			for _, x := range r.Exchanges { // they may be of a run that was killed
				told[Span{File: x.File, Offset: x.Offset, Length: x.Size, SHA256: x.Now}] = true
			}
			_, err := a.forgetAgain(l.Place)
			return errors.Join(err, a.dropIncoming(r.Keys))
		}
		return nil
	}
	if err := a.read(at, ledgerEnd, note); err != nil {
		return err
	}
	names, err := exchange.Files(a.exchangesDir(), run)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := a.recoverFile(name, told); err != nil {
			return err
		}
	}
	err = a.dropUnlined()
	if err != nil {
		return err
	}
	return a.end(&Run{Command: "recover", Why: "a run did not end"})
}

// dropUnlined removes objects without a line, and unfinished ones.
func (a *Archive) dropUnlined() error {
	if a.Shared() != nil {
		return nil // the line may be in the other ledger
	}
	err := a.objects.Walk(func(name string) error {
		sum := store.Sum(name)
		if sum == "" && !strings.HasPrefix(filepath.Base(name), atomicfile.Prefix) {
			return nil // a foreign file, which Verify reports
		}
		if sum != "" && len(a.accepted) > 0 {
			return nil // its line may be one that is lost
		}
		if flags := a.index.flags(sum); sum != "" && flags&flagStored != 0 && flags&flagForgotten == 0 {
			return nil
		}
		return a.objects.Remove(name)
	})
	return errors.Join(err, a.objects.Abort())
}

// recoverFile writes a line for each whole attempt in a file of exchanges that has none, and
// cuts off the octets after the last whole attempt. It never cuts off octets that a line
// names, even if they are damaged or cannot be read.
func (a *Archive) recoverFile(name string, told map[Span]bool) error {
	path := filepath.Join(a.exchangesDir(), name)
	end, err := exchange.ReadAttempts(a.exchangesDir(), name, 0, func(at *exchange.Attempt) error {
		if told[at.Span] || at.Kind == "" {
			return nil
		}
		if err := a.claim(name, at); err != nil {
			return &localError{err}
		}
		return nil
	})
	if l, ok := errors.AsType[*localError](err); ok {
		return l.error
	}
	for span := range told {
		if span.File == name {
			end = max(end, span.Offset+span.Length)
		}
	}
	if end == 0 {
		return os.Remove(path)
	}
	f, err := below.OpenFile(a.exchangesDir(), name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || end >= info.Size() {
		return err
	}
	return f.Truncate(end)
}

// claim writes a line for an attempt in a file of exchanges that has none. A capture whose object is not whole
// becomes an exception that is due at once.
func (a *Archive) claim(name string, at *exchange.Attempt) error {
	f, _, err := below.Open(a.exchangesDir(), name)
	if err != nil {
		return err
	}
	if err := errors.Join(atomicfile.SyncFile(f), f.Close()); err != nil {
		return err
	}
	switch at.Kind {
	case kindCapture:
		var c Capture
		if err := json.Unmarshal(at.Entry, &c); err != nil {
			return err
		}
		c.Exchanges = &at.Span
		switch err := a.objects.Check(c.SHA256); {
		case errors.Is(err, ErrAway):
			return err
		case err != nil:
			now := a.now().UTC()
			state, _ := a.index.ask(newAsk(c.Key, c.Expect))
			e := &Exception{
				Facts:  c.Facts,
				Reason: TransientServiceError,
				Kind:   "local",
				Error:  "the run was killed before the body was on the disk",
				Due:    now,
			}
			if err := a.addAttempt(e, &state, now); err != nil {
				return err
			}
			return a.append(ledger.Entry{Kind: kindException, Body: e})
		}
		if err := a.objects.Sync(c.SHA256); err != nil {
			return err
		}
		before, err := a.captureBefore(c.Key)
		if err != nil {
			return err
		}
		return a.append(append([]ledger.Entry{{Kind: kindCapture, Body: &c}}, changedFrom(before, &c)...)...)
	case kindException:
		var e Exception
		if err := json.Unmarshal(at.Entry, &e); err != nil {
			return err
		}
		e.Words, _ = exchange.WithoutBody(e.Words)
		e.Exchanges = &at.Span
		return a.append(ledger.Entry{Kind: kindException, Body: &e})
	}
	return io.ErrUnexpectedEOF
}
