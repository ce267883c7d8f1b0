package archive

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-extbody/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/unnamed"
)

// recover puts in order what runs have left that were killed: a line tells of each
// attempt that is whole and of which none tells, and what is left is removed.
//
// Where it is not sure what the lines tell, nothing is touched, and the next run does it.
func (a *Archive) recover() error {
	if a.behind || a.ledger.Unsure() {
		return nil
	}
	at, run, ok := a.index.openRun()
	if !ok {
		return nil
	}
	told := make(map[Span]bool)
	// The line of the run itself is read again, so its own place in the chain is not.
	note := func(l *ledger.Line) error {
		switch l.Kind {
		case kindCapture, kindException:
			var e struct {
				Exchanges *Span `json:"exchanges"`
			}
			if err := l.Body(&e); err != nil {
				return err
			}
			if e.Exchanges != nil {
				told[*e.Exchanges] = true
			}
		case kindForget:
			var g Forget
			if err := l.Body(&g); err != nil {
				return err
			}
			for _, r := range g.Exchanges { // may be of a run that was killed, too
				told[Span{r.File, r.Offset, r.Size, r.Now}] = true
			}
			return a.remove(&g)
		}
		return nil
	}
	if _, _, err := ledger.Read(a.ledgerDir(), at, ledger.Head{}, func(*ledger.Fault) bool { return true }, note); err != nil {
		return err
	}
	names, err := runFiles(a.exchangesDir(), run)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := a.recoverFile(name, told); err != nil {
			return err
		}
	}
	err = a.objects.walk(func(sum, path string) error {
		if sum == "" && !strings.HasPrefix(filepath.Base(path), unnamed.Prefix) {
			return nil // somebody else's, of which verify tells
		}
		if flags := a.index.flags(sum); sum != "" && flags&flagTold != 0 && flags&flagForgotten == 0 {
			return nil
		}
		return os.Remove(path)
	})
	if err != nil {
		return err
	}
	return a.end("recover", nil, "a run did not end")
}

// recoverFile tells of what is whole in a file of exchanges, and cuts off what is not.
func (a *Archive) recoverFile(name string, told map[Span]bool) error {
	path := filepath.Join(a.exchangesDir(), name)
	end, err := readAttempts(a.exchangesDir(), name, 0, func(at *attempt) error {
		if told[at.span] || at.kind == "" {
			return nil
		}
		if err := a.claim(path, at); err != nil {
			return &local{err}
		}
		return nil
	})
	if l, ok := errors.AsType[*local](err); ok {
		return l.error
	}
	info, serr := os.Stat(path)
	if serr != nil {
		return serr
	}
	switch {
	case end == 0:
		return os.Remove(path)
	case err == nil && end == info.Size():
		return nil
	}
	return os.Truncate(path, end)
}

// A local is an error of our own disk, and not of what is in a file.
type local struct{ error }

// claim tells of an attempt of which no line does. Of a capture whose object is not
// whole nothing is told: it will be captured again.
func (a *Archive) claim(path string, at *attempt) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	switch at.kind {
	case kindCapture:
		var c Capture
		if err := json.Unmarshal(at.entry, &c); err != nil {
			return err
		}
		c.Exchanges = &at.span
		if a.objects.check(c.SHA256) != nil {
			return a.tell(ledger.Entry{Kind: kindException, Body: &Exception{Facts: c.Facts, Reason: TransientServiceError, Kind: "local", Error: "the run was killed before the body was on the disk", Due: a.now().UTC()}})
		}
		if err := a.objects.sync(c.SHA256); err != nil {
			return err
		}
		items := []ledger.Entry{{Kind: kindCapture, Body: &c}}
		if changed, err := a.changed(&c); err != nil {
			return err
		} else if changed != nil {
			items = append(items, ledger.Entry{Kind: kindChanged, Body: changed})
		}
		return a.tell(items...)
	case kindException:
		var e Exception
		if err := json.Unmarshal(at.entry, &e); err != nil {
			return err
		}
		e.Exchanges = &at.span
		return a.tell(ledger.Entry{Kind: kindException, Body: &e})
	}
	return io.ErrUnexpectedEOF
}

// changed returns what is to be told if c is another body than the one that was captured
// last for its key.
func (a *Archive) changed(c *Capture) (*Changed, error) {
	latest, _ := a.index.captured(c.Key)
	if latest == 0 || c.NotModified {
		return nil, nil
	}
	var before Capture
	if err := a.line(latest, &before); err != nil {
		return nil, err
	}
	if before.SHA256 == c.SHA256 {
		return nil, nil
	}
	return &Changed{Key: c.Key, URL: c.URL, From: before.SHA256, To: c.SHA256}, nil
}
