package archive

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/below"
	"github.com/go-extbody/extbody/internal/wording"
)

// An arrival is an entry in the folder incoming, without its exchanges.
type arrival struct {
	delivery
	ref place // of the line of a reference with its key and expectation, or only with its key; 0 if there is none
}

// takeIn takes in the entries that servers handed over, in the order in which they were fetched, if a
// reference of the ledger has their key. The others wait. Each entry is removed after its line is on the
// disk, so that one which is met again was taken in by a run that was killed.
func (s *syncer) takeIn() error {
	list, err := s.arrivals()
	if err != nil || len(list) == 0 {
		return err
	}
	if err := s.named(list); err != nil {
		return err
	}
	slices.SortStableFunc(list, func(x, y *arrival) int { return x.capture.Ended.Compare(y.capture.Ended) })
	for _, x := range list {
		if s.ctx.Err() != nil {
			return nil
		}
		if err := s.space(); err != nil {
			return err
		}
		if err := s.take(x); err != nil {
			return err
		}
	}
	return nil
}

// arrivals reads the entries. It keeps damaged ones aside, and removes those that no message has named for long, and
// unfinished files.
func (s *syncer) arrivals() (list []*arrival, err error) {
	err = s.a.deliveries(func(d *delivery, path string, info fs.FileInfo) error {
		if d == nil {
			return s.leftover(path, info)
		}
		switch err := d.read(); {
		case errors.Is(err, errEntry):
			return s.damaged(d)
		case err != nil:
			s.res.Damaged = append(s.res.Damaged, path+": "+err.Error())
			return nil
		}
		d.records = nil // there may be many entries
		state, _ := s.a.index.ask(newAsk(d.capture.Key, d.capture.Expect))
		list = append(list, &arrival{*d, state.ref})
		return nil
	})
	return list, err
}

// leftover removes a body without an entry, and a file that was not finished, if no server can still be
// writing the rest.
func (s *syncer) leftover(path string, info fs.FileInfo) error {
	unfinished := strings.HasSuffix(path, bodySuffix) || strings.HasPrefix(info.Name(), atomicfile.Prefix)
	if !unfinished || strings.HasPrefix(info.Name(), asidePrefix) || s.a.now().Sub(info.ModTime()) < leftTime {
		return nil
	}
	return removed(filepath.Join(s.a.dir, filepath.FromSlash(path)))
}

// damaged keeps a damaged entry aside.
func (s *syncer) damaged(d *delivery) error {
	s.res.Damaged = append(s.res.Damaged, d.path(entrySuffix)+": "+errEntry.Error()+", and kept as "+asidePrefix+d.sum)
	return d.aside()
}

// named looks for references with the keys of the entries whose expectation no reference has.
func (s *syncer) named(list []*arrival) error {
	missing := make(map[string][]*arrival) // by the first octets of the key
	for _, x := range list {
		if x.ref == 0 {
			k := newAsk(x.capture.Key, "")
			missing[string(k[:16])] = append(missing[string(k[:16])], x)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return s.a.index.asks(func(k ask, state askState) error {
		for _, x := range missing[string(k[:16])] {
			x.ref = cmp.Or(x.ref, state.ref)
		}
		return nil
	})
}

// take takes in one entry, unless no message names it yet.
func (s *syncer) take(x *arrival) error {
	c := &x.capture
	switch taken, err := s.a.taken(c); {
	case err != nil:
		return err
	case taken, s.a.index.keyForgotten(shortSum(c.Key)):
		return x.remove()
	case x.ref == 0 && s.a.now().Sub(c.Ended) > unnamedTime:
		s.res.Unnamed++
		return x.remove()
	case x.ref == 0:
		return nil
	}
	d := x.delivery
	err := d.read()
	var sync func() error
	if err == nil {
		sync, err = s.lift(&d)
	}
	switch {
	case errors.Is(err, errEntry):
		return s.damaged(&d)
	case err != nil:
		return err
	}
	c, err = s.a.addressed(&d, x.ref)
	if err != nil {
		return err
	}
	before, err := s.a.captureBefore(c.Key)
	if err != nil {
		return err
	}
	if before != nil {
		_, err := s.a.objects.Stat(store.Name(before.SHA256))
		if errors.Is(err, ErrAway) {
			return err
		}
		c.Again = err == nil
	}
	last := d.records[len(d.records)-1]
	text, err := json.Marshal(map[string]any{"kind": kindCapture, kindCapture: c})
	if err != nil {
		return err
	}
	last.Block = wording.JSON(text)
	changed := changedFrom(before, c)
	if err := s.commit(kindCapture, c, &c.Facts, d.records, sync, changed...); err != nil {
		return err
	}
	s.res.Captures++
	s.res.Delivered++
	s.res.Changed += int64(len(changed))
	return d.remove()
}

// lift makes the body an object. The error is errEntry if the body is damaged or lost.
func (s *syncer) lift(d *delivery) (sync func() error, err error) {
	f, _, err := below.Open(filepath.Join(d.dir, d.by), d.sum+bodySuffix)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errEntry
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sync, err = put(s.a.objects, f, d.capture.SHA256)
	if errors.Is(err, mailbox.ErrChanged) {
		return nil, errEntry
	}
	if l, ok := errors.AsType[*localError](err); ok {
		err = l.error
	}
	return sync, err
}

// addressed returns the capture with the message and the reference at a place, if that has its expectation.
func (a *Archive) addressed(d *delivery, at place) (*Capture, error) {
	c := d.capture
	var r ReferenceRecord
	if err := a.line(at, &r); err != nil {
		return nil, err
	}
	if r.Key != c.Key || r.Expect != c.Expect {
		return &c, nil
	}
	c.Message = r.Message
	c.Ref = r.Ref
	if places := a.index.message(r.Message); len(places) > 0 {
		var m MessageRecord
		if err := a.line(places[0], &m); err != nil {
			return nil, err
		}
		c.MessageID = m.MessageID
	}
	return &c, nil
}

// taken reports whether a capture has a line. The lines are read only if the key was captured later.
func (a *Archive) taken(c *Capture) (found bool, err error) {
	before, err := a.captureBefore(c.Key)
	same := func(o *Capture) bool {
		sameAsk := o.Key == c.Key && o.Expect == c.Expect
		return sameAsk && o.SHA256 == c.SHA256 && o.Ended.Equal(c.Ended)
	}
	if before == nil || err != nil || same(before) {
		return before != nil && err == nil, err
	}
	if before.Ended.Before(c.Ended) {
		return false, nil
	}
	err = a.lines(func(_ *ledger.Line, record any) error {
		found = same(record.(*Capture))
		if found {
			return errStop
		}
		return nil
	}, kindCapture)
	return found, err
}
