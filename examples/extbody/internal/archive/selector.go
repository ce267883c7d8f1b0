package archive

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/link/host"
)

// A Selector selects references by terms, all of which have to hold:
//
//	kind=unavailable    the Kind or the reason of the exception, "captured" or "open"
//	host=files.example  the host, and those below it
//	message=...         8 or more first digits of the digest of the message, or its Message-ID
//	ref=2.1             the ID of the reference in its message
//	url=...             the exact URL
//	object=...          8 or more first digits of the digest of the captured body
//
// A Selector without terms selects all references.
type Selector struct {
	text  string
	terms map[string]string
}

// ParseSelector reads terms, each of them a name, "=" and a value. A name may be there only
// once.
func ParseSelector(terms []string) (*Selector, error) {
	s := &Selector{text: strings.Join(terms, " "), terms: make(map[string]string)}
	for _, t := range terms {
		name, value, ok := strings.Cut(t, "=")
		switch name {
		case "kind", "host", "message", "ref", "url", "object":
		default:
			ok = false
		}
		if _, twice := s.terms[name]; !ok || value == "" || twice {
			return nil, fmt.Errorf("%q is no selector: want kind=, host=, message=, ref=, url= or object=, each once at most", t)
		}
		s.terms[name] = value
	}
	return s, nil
}

// String returns the terms with a space between them.
func (s *Selector) String() string { return s.text }

// reference reports whether a reference fits the terms that do not depend on its outcome.
// id is the Message-ID of its message.
func (s *Selector) reference(r *ReferenceRecord, id string) bool {
	for name, v := range s.terms {
		ok := true
		switch name {
		case "host":
			ok = host.Below(r.Host, v)
		case "message":
			ok = s.message(r.Message, id)
		case "ref":
			ok = r.Ref == v
		case "url":
			ok = r.URL == v
		}
		if !ok {
			return false
		}
	}
	return true
}

// message reports whether a message fits the term for messages.
func (s *Selector) message(sum, id string) bool {
	v, ok := s.terms["message"]
	return !ok || len(v) >= 8 && strings.HasPrefix(sum, strings.ToLower(v)) || strings.Trim(v, "<>") == strings.Trim(id, "<> ") && id != ""
}

// outcome reports whether an outcome fits the terms that depend on it.
func (s *Selector) outcome(o *Outcome) bool {
	if v := s.terms["kind"]; v != "" {
		switch {
		case v == "captured" && o.Capture != nil, v == "open" && o.Capture == nil && o.Exception == nil:
		case o.Capture == nil && o.Exception != nil && (o.Exception.Kind == v || o.Exception.Reason == v):
		default:
			return false
		}
	}
	if v := s.terms["object"]; v != "" {
		return o.Capture != nil && len(v) >= 8 && strings.HasPrefix(o.Capture.SHA256, strings.ToLower(v))
	}
	return true
}

// fits reports whether a reference is selected.
func (a *Archive) fits(sel *Selector, r *Row) (bool, error) {
	if !sel.reference(r.Reference, r.Message.MessageID) {
		return false, nil
	}
	if sel.terms["kind"] == "" && sel.terms["object"] == "" {
		return true, nil
	}
	o, err := a.outcome(r.state)
	return err == nil && sel.outcome(o), err
}

// matches calls f with the references that are selected.
func (a *Archive) matches(sel *Selector, f func(*Row) error) error {
	return a.rows(func(r *Row) error {
		fits, err := a.fits(sel, r)
		if !fits || err != nil {
			return err
		}
		return f(r)
	}, nil)
}

// An Outcome is the outcome of a reference that counts. Both members are nil if it is open.
type Outcome struct {
	Capture   *Capture   // the latest one
	Exception *Exception // of the latest attempt, if it failed; it counts only if Capture is nil
}

// outcome returns the Outcome of an ask with a state.
func (a *Archive) outcome(state askState) (*Outcome, error) {
	o := new(Outcome)
	switch {
	case state.outcome == askOpen:
		return o, nil
	case state.forgotten:
		o.Exception = &Exception{Reason: ItemDeletedOrOutsideRetention, Kind: state.word, Error: errForgotten.Error()}
		if state.last == 0 {
			return o, nil // before it was tried
		}
		l, err := a.places.At(state.last.place())
		if err != nil {
			return o, err
		}
		record, err := body(l)
		if err == nil {
			facts, _ := attempted(record)
			o.Exception.Facts = *facts
		}
		return o, err
	}
	l, err := a.places.At(state.last.place())
	if err != nil {
		return o, err
	}
	if l.Kind == kindCapture {
		o.Capture = new(Capture)
		return o, l.Body(o.Capture)
	}
	o.Exception = new(Exception)
	err = l.Body(o.Exception)
	o.Exception.GivenUp = state.givenUp && state.outcome == askExcepted
	if state.due == 0 {
		o.Exception.Due = time.Time{}
	}
	if err == nil && state.outcome == askCaptured {
		o.Capture = new(Capture)
		err = a.line(state.captured, o.Capture)
	}
	return o, err
}

// A Row is a reference with its message.
type Row struct {
	Message   *MessageRecord
	Reference *ReferenceRecord
	ask       ask
	state     askState
}

// delay returns the Delay of a reference that is captured.
func (a *Archive) delay(r *Row) Delay {
	if r.state.outcome != askCaptured {
		return Delay{}
	}
	since := r.state.at
	if c := a.index.captured(r.Reference.Key); c.latest != 0 {
		since = min(since, c.since)
	}
	return delayOf(r.Message, since, r.state.at)
}

// rows calls f with each reference, in the order of the ledger, and other with the lines of
// other kinds.
func (a *Archive) rows(f func(*Row) error, other func(*ledger.Line, any) error, kinds ...string) error {
	m := new(MessageRecord)
	return a.lines(func(l *ledger.Line, record any) error {
		switch r := record.(type) {
		case *MessageRecord:
			m = r
			return nil
		case *ReferenceRecord:
			if m.SHA256 != r.Message {
				m = &MessageRecord{SHA256: r.Message}
			}
			k := newAsk(r.Key, r.Expect)
			state, _ := a.index.ask(k)
			return f(&Row{m, r, k, state})
		}
		return other(l, record)
	}, append(kinds, kindMessage, kindReference)...)
}

// A Status holds the numbers of an archive.
type Status struct {
	Head     ledger.Head `json:"head"`
	Messages int64       `json:"messages"`
	Stored   int64       `json:"stored"` // messages that are objects and not forgotten
	Bodies   int64       `json:"bodies"` // captured bodies that are not forgotten
	Size     int64       `json:"size"`   // the octets of these bodies

	// Counts has References, and of these Captures, Exceptions, GivenUp, which are
	// exceptions, and Unasked, which are open. Its other members are 0.
	Counts

	Due     int64                  `json:"due"`                // references that are open, or whose exception is due now
	Final   int64                  `json:"final"`              // references whose exception only a retry asks about
	Files   int64                  `json:"files"`              // files and messages that cannot be read
	Kinds   map[string]int64       `json:"kinds"`              // references by the Kind of the exception, "captured" or "open"
	Hosts   map[string]*HostStatus `json:"hosts"`              // by host; "" is for references that name none
	Next    time.Time              `json:"next,omitzero"`      // when the first exception is due, which may be past; zero if none is
	LastRun *Run                   `json:"last_run,omitempty"` // nil if there was no run
	Ended   time.Time              `json:"ended,omitzero"`     // when the last run ended, or, with Killed, began
	Killed  bool                   `json:"killed,omitempty"`   // the last run was killed, or is under way
	Delays  Delays                 `json:"delays"`
}

// A HostStatus counts the references to a host.
type HostStatus struct {
	Captured int64     `json:"captured"`
	Excepted int64     `json:"excepted"`
	Open     int64     `json:"open"`
	Due      time.Time `json:"due,omitzero"`   // when its first exception is due; zero if none is
	Down     bool      `json:"down,omitempty"` // the last of its exceptions that are due some time is unavailable or deferred
	Delays   Delays    `json:"delays,omitzero"`
}

// maxHosts bounds the hosts that have counts of their own, because senders can name any
// number of hosts.
const maxHosts = 20_000

// OtherHosts is the name in [Status].Hosts for the hosts that have no counts of their own.
const OtherHosts = "(other hosts)"

// Status returns the state of the archive. It reads the whole ledger.
func (a *Archive) Status() (*Status, error) {
	return a.account(func(*Row) error { return nil }, nil)
}

// account is Status, and calls each with the references, and other with the lines of other
// kinds.
func (a *Archive) account(each func(*Row) error, other func(*ledger.Line, any) error, kinds ...string) (*Status, error) {
	s := &Status{Head: a.Head(), Kinds: make(map[string]int64), Hosts: make(map[string]*HostStatus)}
	now := a.now()
	err := a.rows(func(r *Row) error {
		s.count(r, a.delay(r), now)
		return each(r)
	}, func(l *ledger.Line, record any) error {
		r, ok := record.(*Run)
		if !ok {
			return other(l, record)
		}
		if r.Event == "stamp" {
			return nil
		}
		s.LastRun, s.Ended, s.Killed = r, l.Time, r.Event == "begin"
		return nil
	}, append(kinds, kindRun)...)
	if err != nil {
		return nil, err
	}
	s.Delays.end()
	for _, h := range s.Hosts {
		h.Delays.end()
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

// in returns the counts with a name.
func in(m map[string]*HostStatus, name string) *HostStatus {
	if m[name] == nil {
		m[name] = new(HostStatus)
	}
	return m[name]
}

// count counts a reference by its outcome.
func (h *HostStatus) count(outcome byte) {
	switch outcome {
	case askCaptured:
		h.Captured++
	case askExcepted:
		h.Excepted++
	default:
		h.Open++
	}
}

// count adds a reference to s. The delay counts if the reference is captured.
func (s *Status) count(r *Row, delay Delay, now time.Time) {
	name, state := r.Reference.Host, r.state
	if s.Hosts[name] == nil && len(s.Hosts) >= maxHosts {
		name = OtherHosts
	}
	h := in(s.Hosts, name)
	h.count(state.outcome)
	s.References++
	if state.isDue(now) {
		s.Due++
	}
	switch state.outcome {
	case askCaptured:
		s.Captures++
		s.Kinds["captured"]++
		s.Delays.add(delay)
		h.Delays.add(delay)
		return
	case askOpen:
		s.Unasked++
		s.Kinds["open"]++
		return
	}
	s.Exceptions++
	s.Kinds[state.word]++
	if state.due == 0 {
		s.Final++
		if state.givenUp {
			s.GivenUp++
		}
		return
	}
	at := time.Unix(state.due, 0).UTC()
	for _, first := range []*time.Time{&s.Next, &h.Due} {
		if first.IsZero() || at.Before(*first) {
			*first = at
		}
	}
	h.Down = state.word == "unavailable" || state.word == "deferred"
}

// A DueRow is a reference that will be asked for.
type DueRow struct {
	Due      time.Time `json:"due,omitzero"` // zero if the reference is open
	Host     string    `json:"host,omitempty"`
	Kind     string    `json:"kind,omitempty"`   // of the exception, or ""
	Reason   string    `json:"reason,omitempty"` // the code of the exception, or ""
	Attempts int       `json:"attempts"`
	Message  string    `json:"message"` // the digest of the message
	Ref      string    `json:"ref"`     // the ID of the reference
}

// Due calls f with the references that will be asked for: those that are open, and then
// those with an exception that is due some time, the earliest first. References with the
// same key and expectation are one row. It holds a few octets for each row in memory.
func (a *Archive) Due(f func(*DueRow) error) error {
	type entry struct {
		due int64
		ref place
		at  place // of the line with the rest of the row
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
		var e Exception // the line of a reference has the same members, as far as they matter
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
