package archive

import (
	"cmp"
	"slices"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/urlaccess"
)

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
	Kinds   map[string]int64       `json:"kinds"`              // references by the Kind of the exception, "captured", "open" or "forgotten"
	Hosts   map[string]*HostStatus `json:"hosts"`              // by [ReferenceRecord.Group]
	Next    time.Time              `json:"next,omitzero"`      // when the first exception is due, which may be past; zero if none is
	LastRun *Run                   `json:"last_run,omitempty"` // nil if there was no run
	Ended   time.Time              `json:"ended,omitzero"`     // when the last run ended, or, with Killed, started
	Killed  bool                   `json:"killed,omitempty"`   // the last run was killed, or is under way
	Delays  Delays                 `json:"delays"`
	Waiting Waiting                `json:"waiting"` // in the folder incoming
}

// A HostStatus counts the references to a host.
type HostStatus struct {
	Captured int64 `json:"captured"`
	Excepted int64 `json:"excepted"`

	// Forgotten counts those of Excepted that were forgotten: their host has not lost them.
	Forgotten int64 `json:"forgotten,omitempty"`

	Open   int64     `json:"open"`
	Due    time.Time `json:"due,omitzero"`   // when its first exception is due; zero if none is
	Down   bool      `json:"down,omitempty"` // the last of its exceptions that are due some time is unavailable or deferred
	Delays Delays    `json:"delays,omitzero"`
}

// maxHosts bounds the hosts that have counts of their own, because senders can name any
// number of hosts.
const maxHosts = 20_000

// Group returns the host of a reference, or for one without a host a name of its kind in
// parentheses: of deleted attachments, of local files, of bodies that a mail server sends, and
// of those that name no usable host. It is "" if the body is in the message.
func (r *ReferenceRecord) Group() string {
	scheme, _ := urlaccess.Scheme(r.URL)
	switch {
	case r.Host != "":
		return r.Host
	case r.AccessType == "x-mutt-deleted":
		return "(deleted)"
	case scheme == "file", r.AccessType == "local-file", r.AccessType == "afs":
		return "(local files)"
	case scheme == "mailto", r.AccessType == "mail-server":
		return "(by mail)"
	case r.URL == "" && (r.AccessType == "url" || r.AccessType == "content-id"):
		return ""
	}
	return "(no host)"
}

// OtherHosts is the name in [Status].Hosts for the hosts that have no counts of their own.
const OtherHosts = "(other hosts)"

// Status returns the state of the archive. It reads the whole ledger.
func (a *Archive) Status() (*Status, error) {
	return a.account(new(Selector), func(*Row) error { return nil }, nil)
}

// account is Status for the references that are selected, and calls each with them, and other with the lines
// of other kinds.
func (a *Archive) account(sel *Selector, each func(*Row) error, other func(*ledger.Line, any) error, kinds ...string) (*Status, error) {
	s := &Status{Head: a.Head(), Kinds: make(map[string]int64), Hosts: make(map[string]*HostStatus)}
	now := a.now()
	m, err := a.matching(sel)
	if err != nil {
		return nil, err
	}
	v, err := a.versions(sel.Capture)
	if err != nil {
		return nil, err
	}
	err = a.rows(func(r *Row) error {
		c := m.candidate(r.Message)
		c.depth = ofState
		c.reference = r.Reference
		c.state = &r.state
		if fits, err := m.decide(c); !fits || err != nil {
			return err
		}
		states := v.states(r.ask, r.state)
		r.state = states[len(states)-1]
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
		s.LastRun = r
		s.Ended = l.Time
		s.Killed = r.Event == "begin"
		return nil
	}, append(kinds, kindRun)...)
	if err != nil {
		return nil, err
	}
	s.Delays.end()
	for _, h := range s.Hosts {
		h.Delays.end()
	}
	s.Messages, s.Stored, s.Bodies, s.Size, err = a.index.count()
	if err != nil {
		return nil, err
	}
	s.Waiting, err = a.waiting()
	if err != nil {
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
	name := r.Reference.Group()
	state := r.state
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
	if state.removed {
		s.Kinds[keptForgotten]++
		h.Forgotten++
	} else {
		s.Kinds[state.word]++
	}
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
	Message  string    `json:"message"`        // the digest of the message
	Ref      string    `json:"ref"`            // the ID of the reference
	Name     string    `json:"name,omitempty"` // of the file, as announced
}

// Due calls f with the references that will be asked for: the ones that are open, and then
// those with an exception that is due some time, the earliest first. References with the
// same key and expectation are one row. It holds a few octets for each row in memory.
func (a *Archive) Due(f func(*DueRow) error) error {
	return a.due(func(ask) bool { return true }, f)
}

// due is Due for the asks that are wanted.
func (a *Archive) due(wanted func(ask) bool, f func(*DueRow) error) error {
	type entry struct {
		due int64
		ref place
		at  place // of the line with the rest of the row
	}
	var list []entry
	err := a.index.asks(func(k ask, state askState) error {
		switch {
		case state.ofFile() || state.outcome == askCaptured || !wanted(k):
		case state.idle:
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
		var e struct {
			Exception // the line of a reference has the same members, as far as they matter
			Name      string
		}
		if err := a.line(x.at, &e); err != nil {
			if err := a.unreadable(x.at.place(), ledger.Head{}, err); err != nil {
				return err
			}
			e.Facts = Facts{}
			e.Name = ""
		}
		if x.ref != x.at {
			var err error
			e.Name, err = a.announced(x.ref)
			if err != nil {
				return err
			}
		}
		d := &DueRow{Host: e.Host, Kind: e.Kind, Reason: e.Reason, Attempts: e.Attempts, Message: e.Message, Ref: e.Ref, Name: e.Name}
		if x.due != 0 {
			d.Due = time.Unix(x.due, 0).UTC()
		}
		if err := f(d); err != nil {
			return err
		}
	}
	return nil
}

// announced returns the name that a message gives the file of a reference, by the place of its line. It is "" if the
// line cannot be read.
func (a *Archive) announced(ref place) (string, error) {
	var r ReferenceRecord
	if err := a.line(ref, &r); err != nil {
		return "", a.unreadable(ref.place(), ledger.Head{}, err)
	}
	return r.Name, nil
}
