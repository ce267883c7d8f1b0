package archive

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/urlaccess"
)

// A matching looks at the references of an archive for a Selector.
type matching struct {
	a    *Archive
	sel  *Selector
	seen map[string]map[string]bool // by the value of a term custodian=, the messages by shortSum
}

// matching reads where messages were seen, if the Selector has terms about that.
func (a *Archive) matching(sel *Selector) (*matching, error) {
	m := &matching{a: a, sel: sel, seen: make(map[string]map[string]bool)}
	for v := range sel.root.values("custodian") {
		m.seen[v] = make(map[string]bool)
	}
	if len(m.seen) == 0 {
		return m, nil
	}
	return m, a.lines(func(_ *ledger.Line, record any) error {
		s := record.(*Sighting)
		for v, messages := range m.seen {
			if s.Message != "" && contains(s.Source, v) {
				messages[shortSum(s.Message)] = true
			}
		}
		return nil
	}, kindSighting)
}

// candidate returns a message as a candidate.
func (m *matching) candidate(msg *MessageRecord) *candidate {
	return &candidate{message: msg, seen: func(v, sum string) bool { return m.seen[v][shortSum(sum)] }}
}

// decide reports whether a candidate fits. It learns no more of the candidate than it needs.
func (m *matching) decide(c *candidate) (bool, error) {
	for {
		switch m.sel.root.fits(c) {
		case yes:
			return true, nil
		case no:
			return false, nil
		}
		var err error
		switch c.depth++; c.depth {
		case ofReference:
			if c.reference == nil { // a message by itself has no answer to a term about references
				c.depth = ofOutcome
			}
		case ofState:
			state, _ := m.a.index.ask(newAsk(c.reference.Key, c.reference.Expect))
			c.state = &state
		case ofOutcome:
			c.outcome, err = m.a.outcome(*c.state)
		case ofHeader:
			c.to, err = m.a.recipients(c.message.SHA256)
		}
		if err != nil || c.depth > ofHeader {
			return false, err
		}
	}
}

// message reports whether a message is selected by terms that are all about messages.
func (m *matching) message(msg *MessageRecord) (bool, error) { return m.decide(m.candidate(msg)) }

// matches calls f with the references that are selected.
func (a *Archive) matches(sel *Selector, f func(*Row) error) error {
	m, err := a.matching(sel)
	if err != nil {
		return err
	}
	of := m.candidate(new(MessageRecord))
	first := unknown    // the answer by the message alone
	var top ledger.Line // of the message
	text := []byte{}    // of top
	read := true        // of top, which is read when a reference follows: few messages have one
	err = a.read(ledger.Place{}, a.next(), func(l *ledger.Line) error {
		switch l.Kind {
		case kindMessage:
			text = append(text[:0], l.Text...)
			read = false
			top = *l
			top.Text = text
			return nil
		case kindReference:
		default:
			return nil
		}
		if !read {
			read = true
			of = m.candidate(new(MessageRecord))
			if err := top.Body(of.message); err != nil {
				return a.unreadable(top.Place, headOf(&top), err)
			}
			first = sel.root.fits(of)
		}
		if first == no {
			return nil
		}
		r := new(ReferenceRecord)
		if err := l.Body(r); err != nil {
			return a.unreadable(l.Place, headOf(l), err)
		}
		if of.message.SHA256 != r.Message {
			of = m.candidate(&MessageRecord{SHA256: r.Message})
		}
		c := *of
		c.reference = r
		fits, err := m.decide(&c)
		if !fits || err != nil {
			return err
		}
		row := &Row{Message: c.message, Reference: r, ask: newAsk(r.Key, r.Expect)}
		if c.state != nil {
			row.state = *c.state
		} else {
			row.state, _ = a.index.ask(row.ask)
		}
		return f(row)
	})
	return errors.Join(err, a.index.fault())
}

// couldFit reports whether there is a reference that would fit with another outcome.
func (a *Archive) couldFit(sel *Selector) (some bool, err error) {
	m, err := a.matching(sel)
	if err != nil {
		return false, err
	}
	err = a.rows(func(r *Row) error {
		c := m.candidate(r.Message)
		c.depth = ofReference
		c.reference = r.Reference
		some = sel.root.fits(c) != no
		if some {
			return errStop
		}
		return nil
	}, nil)
	return some, err
}

// recipients returns the fields To, Cc and Bcc of a message that is an object. It returns none if the object
// is not there.
func (a *Archive) recipients(sum string) (list []string, err error) {
	header, err := a.header(sum)
	for f := range message.Fields(header, 0) {
		switch strings.ToLower(f.Name) {
		case "to", "cc", "bcc":
			list = append(list, f.Line())
		}
	}
	return list, err
}

// header returns the header of a message that is an object; "" if the object is not there.
func (a *Archive) header(sum string) (string, error) {
	body, _, err := a.objects.Reader(sum)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer body.Close()
	top, err := io.ReadAll(io.LimitReader(body, maxTop))
	return headerOf(top), err
}

// outcome returns the Outcome of an ask with a state. To a reader, a line that cannot be read is an exception that
// names it.
func (a *Archive) outcome(state askState) (*Outcome, error) {
	o, err := a.outcomeOf(state)
	if err == nil || a.ledger != nil {
		return o, err
	}
	at := state.last.place()
	e := &Exception{Reason: Unknown, Kind: "local", Error: fmt.Sprintf("its line at %s is lost or damaged", at)}
	return &Outcome{Exception: e}, a.unreadable(at, ledger.Head{}, err)
}

func (a *Archive) outcomeOf(state askState) (*Outcome, error) {
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
	o.Exception.Words, _ = o.Exception.withoutBody() // a forget leaves the line
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
	then := func() bodyTime {
		var c Capture
		err := a.line(r.state.captured, &c)
		return bodyTime{r.state.at, err == nil && c.By != ""}
	}
	since := bodyTime{at: r.state.at}
	if c := a.index.captured(r.Reference.Key); c.latest != 0 && c.since <= since.at {
		since = bodyTime{c.since, c.delivered}
	}
	return delayOf(r.Message, since, then)
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
	err = a.rows(func(r *Row) error {
		c := m.candidate(r.Message)
		c.depth = ofState
		c.reference = r.Reference
		c.state = &r.state
		if fits, err := m.decide(c); !fits || err != nil {
			return err
		}
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
			if err := a.unreadable(x.at.place(), ledger.Head{}, err); err != nil {
				return err
			}
			e.Facts = Facts{}
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
