package archive

import (
	"cmp"
	"slices"
	"time"

	"github.com/go-extbody/extbody/internal/archive/ledger"
)

// A Status is what an archive holds and waits for.
type Status struct {
	Head     ledger.Head
	Messages int64
	Stored   int64 // of the messages
	Bodies   int64 // that were captured and not forgotten
	Size     int64 // their octets
	Counts         // of references: Captures, Exceptions (final or not), Unasked (open)
	Due      int64 // exceptions that are due now or were not tried
	Final    int64 // exceptions that nobody asks about any more
	Files    int64 // files and messages that cannot be read
	Kinds    map[string]int64
	Hosts    map[string]*HostStatus
	Next     time.Time // when something is due next; zero if nothing is
	LastRun  *Run
	Ended    time.Time // the last run
	Killed   bool      // the last run has not ended, or is under way
}

// A HostStatus counts the references to a host.
type HostStatus struct {
	Captured, Excepted, Open int64
	Due                      time.Time // of what is due first
	Down                     bool      // nothing came of the last attempts but time-outs and the like
}

// maxHosts bounds the hosts that are counted each for itself, as messages name as many as
// their senders like.
const maxHosts = 20_000

// OtherHosts has the counts of the hosts that are too many.
const OtherHosts = "(other hosts)"

// Status counts.
func (a *Archive) Status() (*Status, error) {
	s := &Status{Head: a.Head(), Kinds: make(map[string]int64), Hosts: make(map[string]*HostStatus)}
	now := a.now()
	err := a.lines(func(l *ledger.Line) error {
		switch l.Kind {
		case kindRun:
			s.LastRun = new(Run)
			s.Ended = l.Time
			err := l.Body(s.LastRun)
			s.Killed = s.LastRun.Event == "begin"
			return err
		case kindReference:
			var r ReferenceRecord
			if err := l.Read(r.read); err != nil {
				return err
			}
			a.count(s, &r, now)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if s.Messages, s.Stored, s.Bodies, s.Size, err = a.index.count(); err != nil {
		return nil, err
	}
	err = a.index.asks(func(_ ask, state askState) error {
		if state.ofFile() {
			s.Files++
		}
		return nil
	})
	return s, err
}

func (a *Archive) count(s *Status, r *ReferenceRecord, now time.Time) {
	name := r.Host
	if s.Hosts[name] == nil && len(s.Hosts) >= maxHosts {
		name = OtherHosts
	}
	h := s.Hosts[name]
	if h == nil {
		h = new(HostStatus)
		s.Hosts[name] = h
	}
	s.References++
	state, _ := a.index.ask(newAsk(r.Key, r.Expect))
	switch state.outcome {
	case askCaptured:
		s.Captures++
		h.Captured++
		s.Kinds["captured"]++
		return
	case askOpen:
		s.Unasked++
		h.Open++
		s.Due++
		s.Kinds["open"]++
		return
	}
	s.Exceptions++
	h.Excepted++
	s.Kinds[state.word]++
	switch {
	case state.due == 0:
		s.Final++
		return
	case state.isDue(now):
		s.Due++
	}
	at := time.Unix(state.due, 0).UTC()
	if s.Next.IsZero() || at.Before(s.Next) {
		s.Next = at
	}
	if h.Due.IsZero() || at.Before(h.Due) {
		h.Due = at
	}
	h.Down = state.word == "unavailable" || state.word == "deferred"
}

// A DueRow is a reference that will be asked for.
type DueRow struct {
	Due      time.Time // zero: it was not tried yet
	Host     string
	Kind     string // of the exception; "" if there is none
	Reason   string
	Attempts int
	Message  string
	Ref      string
}

// Due calls f with what is due, the first first. What is in memory is a few octets each.
func (a *Archive) Due(f func(*DueRow) error) error {
	type entry struct {
		due int64
		ref place
		at  place // of the line that has what there is to tell
	}
	var list []entry
	err := a.index.asks(func(_ ask, state askState) error {
		switch {
		case state.ofFile() || state.outcome == askCaptured:
		case state.outcome == askOpen:
			list = append(list, entry{0, state.ref, state.ref})
		case state.due != 0:
			list = append(list, entry{state.due, state.ref, state.last})
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Or(cmp.Compare(a.due, b.due), cmp.Compare(a.ref, b.ref)) })
	for _, x := range list {
		var e Exception // of which a reference has those members that matter
		if err := a.line(x.at, &e); err != nil {
			return err
		}
		d := &DueRow{Host: e.Host, Kind: e.Kind, Reason: e.Reason, Attempts: e.Attempts, Message: e.Message, Ref: e.Ref}
		if x.due != 0 {
			d.Due = time.Unix(x.due, 0).UTC()
		}
		if err := f(d); err != nil {
			return err
		}
	}
	return nil
}
