package archive

import (
	"cmp"
	"net/url"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
)

// The field Date of a message is the time of its files if it is from dateBefore before the arrival to dateAfter after it.
const (
	dateBefore = 24 * time.Hour
	dateAfter  = 5 * time.Minute
)

// versionAt returns the time as of which the files of a message are asked for with an account: its Date, if that is near
// its arrival, and otherwise its arrival. A stranger writes the Date, which must not choose an old version. It returns the
// zero Time if the arrival is not known.
func (m *MessageRecord) versionAt() time.Time {
	arrival, by := m.arrived()
	if by == "" || by == byDate {
		return time.Time{}
	}
	sent, ok := sensible(m.Date)
	if ok && !sent.Before(arrival.Add(-dateBefore)) && !sent.After(arrival.Add(dateAfter)) {
		return sent
	}
	return arrival
}

// askAsOf makes the reference one that an account asks for, in the version of the message.
func (r *ReferenceRecord) askAsOf(account string, m *MessageRecord) {
	r.Account = account
	r.VersionAt = m.versionAt()
	r.Expect = digest(r.Expect + "\nas-of: " + stampOf(r.VersionAt))[:16]
}

// An accountant is a Fetcher that may ask with an account, such as a fetch.Mux.
type accountant interface {
	Account(req *fetch.Request) *record.Account
}

// accountFor returns the name of the account that asks for a reference in the ledger, or "".
func accountFor(resolver *externalbody.Resolver, r *ReferenceRecord) string {
	a, ok := resolver.Fetcher.(accountant)
	if !ok || r.Host == "" {
		return ""
	}
	u, err := url.Parse(r.URL)
	if err != nil {
		return ""
	}
	found := a.Account(&fetch.Request{URL: u, Text: r.URL})
	return cmp.Or(found, new(record.Account)).Name
}

// covering returns the capture of a key whose version was in force at a time, nil if none is known to be.
func (a *Archive) covering(key string, at time.Time) (*Capture, error) {
	if at.IsZero() {
		return nil, nil
	}
	forgotten := a.index.forgotten(shortSum(key))
	var best place
	for _, i := range intervals(a.index.get(intervalKey(key))) {
		t := at.UnixMilli()
		if i.at > forgotten && i.from <= t && t < i.until {
			best = i.at
		}
	}
	if best == 0 {
		return nil, nil
	}
	c := new(Capture)
	return c, a.line(best, c)
}

// renew writes lines of references with the time of their message, in the place of lines from before there was an account
// for their host. So these references are due, each in the version of its message. It returns the new asks.
func (s *syncer) renew(wanted func(*Row) bool) (map[ask]bool, error) {
	fresh := make(map[ask]bool)
	var m *MessageRecord
	var refs []*ReferenceRecord
	end := func() error {
		if len(refs) == 0 {
			return nil
		}
		again := *m
		again.References = len(refs)
		again.Again = true
		s.add(kindMessage, &again)
		for _, r := range refs {
			s.add(kindReference, r)
		}
		refs = nil
		if len(s.batch.items) < maxBatch {
			return nil
		}
		return s.flush()
	}
	err := s.a.rows(func(row *Row) error {
		if s.ctx.Err() != nil {
			return errStop
		}
		if m != row.Message {
			if err := end(); err != nil {
				return err
			}
			m = row.Message
		}
		before := row.Reference
		isForgotten := row.state.removed || s.a.index.flags(before.Message)&flagForgotten != 0
		if before.Account != "" || isForgotten || !wanted(row) {
			return nil
		}
		account := accountFor(s.o.Resolver, before)
		if account == "" {
			return nil
		}
		r := *before
		r.Replaces = &before.Expect
		r.askAsOf(account, m)
		fresh[newAsk(r.Key, r.Expect)] = true
		refs = append(refs, &r)
		return nil
	}, func(*ledger.Line, any) error { return nil })
	if err == nil {
		err = end()
	}
	if err == nil {
		err = s.flush()
	}
	return fresh, err
}

// renewOpened renews the references without a body, in the first run with an account for their host.
func (s *syncer) renewOpened() error {
	if len(s.o.AccountHosts) == 0 || s.a.index.readTo(s.rules).File != "" {
		return nil
	}
	_, err := s.renew(func(r *Row) bool { return r.state.outcome != askCaptured })
	return err
}

// renewAsked renews the references that are asked for again, and returns the function for the asks that are wanted then.
func (s *syncer) renewAsked(want func(ask, askState) bool) (func(ask, askState) bool, error) {
	if len(s.o.AccountHosts) == 0 {
		return want, nil
	}
	old := make(map[ask]bool)
	err := s.a.index.asks(func(k ask, state askState) error {
		isAgain := s.asked || state.outcome == askCaptured
		if !isAgain || state.ref == 0 || state.idle || !want(k, state) {
			return nil
		}
		var r ReferenceRecord
		if err := s.a.line(state.ref, &r); err != nil {
			return err
		}
		if r.Account == "" && accountFor(s.o.Resolver, &r) != "" {
			old[k] = true
		}
		return nil
	})
	if err != nil || len(old) == 0 {
		return want, err
	}
	fresh, err := s.renew(func(r *Row) bool { return old[r.ask] })
	return func(k ask, state askState) bool { return fresh[k] || want(k, state) }, err
}
