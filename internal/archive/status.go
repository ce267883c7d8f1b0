package archive

import (
	"slices"
	"time"

	"github.com/go-extbody/extbody/internal/archive/ledger"
)

// A Status is what an archive holds and waits for.
type Status struct {
	Head     ledger.Head
	Messages int64
	Stored   int64 // of the messages
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

// Status counts.
func (a *Archive) Status() (*Status, error) {
	s := &Status{Head: a.head, Kinds: make(map[string]int64), Hosts: make(map[string]*HostStatus)}
	now := a.now()
	_, _, err := ledger.Read(a.ledgerDir(), ledger.Place{}, ledger.Head{}, func(*ledger.Fault) bool { return true }, func(l *ledger.Line) error {
		switch l.Kind {
		case kindRun:
			s.LastRun = new(Run)
			s.Ended = l.Time
			err := l.Body(s.LastRun)
			s.Killed = s.LastRun.Event == "begin"
			return err
		case kindMessage:
			var m MessageRecord
			if err := l.Body(&m); err != nil {
				return err
			}
			s.Messages++
			if m.Stored {
				s.Stored++
			}
		case kindReference:
			var r ReferenceRecord
			if err := l.Body(&r); err != nil {
				return err
			}
			return a.count(s, &r, now)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = a.index.asks(func(_ ask, state askState) error {
		if state.ref == 0 && state.outcome == askExcepted {
			s.Files++
		}
		return nil
	})
	return s, err
}

func (a *Archive) count(s *Status, r *ReferenceRecord, now time.Time) error {
	h := s.Hosts[r.Host]
	if h == nil {
		h = new(HostStatus)
		s.Hosts[r.Host] = h
	}
	s.References++
	state, _ := a.index.ask(newAsk(r.Key, r.Expect))
	switch state.outcome {
	case askCaptured:
		s.Captures++
		h.Captured++
		s.Kinds["captured"]++
		return nil
	case askOpen:
		s.Unasked++
		h.Open++
		s.Due++
		s.Kinds["open"]++
		return nil
	}
	var e Exception
	if err := a.line(state.last, &e); err != nil {
		return err
	}
	s.Exceptions++
	h.Excepted++
	s.Kinds[e.Kind]++
	switch {
	case state.due == 0:
		s.Final++
		return nil
	case state.due <= now.Unix():
		s.Due++
	}
	at := time.Unix(state.due, 0).UTC()
	if s.Next.IsZero() || at.Before(s.Next) {
		s.Next = at
	}
	if h.Due.IsZero() || at.Before(h.Due) {
		h.Due = at
	}
	h.Down = e.Kind == "unavailable" || e.Kind == "deferred"
	return nil
}

// A DueRow is a reference that will be asked for.
type DueRow struct {
	Due       time.Time // zero: it was not tried yet
	Host      string
	Kind      string // of the exception; "" if there is none
	Reason    string
	Attempts  int
	Message   string
	Ref       string
	MessageID string
}

// Due returns what is due, the first first.
func (a *Archive) Due() ([]DueRow, error) {
	var rows []DueRow
	seen := make(map[ask]bool)
	err := a.References(func(r *Row) error {
		k := newAsk(r.Reference.Key, r.Reference.Expect)
		if seen[k] {
			return nil
		}
		seen[k] = true
		state, _ := a.index.ask(k)
		d := DueRow{Host: r.Reference.Host, Message: r.Message.SHA256, Ref: r.Reference.Ref, MessageID: r.Message.MessageID, Attempts: int(state.attempts)}
		switch {
		case state.outcome == askCaptured, state.outcome == askExcepted && state.due == 0:
			return nil
		case state.outcome == askExcepted:
			var e Exception
			if err := a.line(state.last, &e); err != nil {
				return err
			}
			d.Due, d.Kind, d.Reason = time.Unix(state.due, 0).UTC(), e.Kind, e.Reason
		}
		rows = append(rows, d)
		return nil
	})
	slices.SortStableFunc(rows, func(a, b DueRow) int { return a.Due.Compare(b.Due) })
	return rows, err
}
