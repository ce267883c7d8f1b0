package archive

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/exchange"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/textindex"
)

// A matching looks at the references of an archive for a Selector.
type matching struct {
	a       *Archive
	sel     *Selector
	seen    map[string]map[string]bool // by the value of a term custodian=, the messages by shortSum
	had     map[string]map[ask]bool    // by the value of a term object=, the asks with a capture that has such a body
	held    map[string]map[string]int  // by the value of a term hold=, how often objects and keys are held, by shortSum
	holds   map[string]int             // how often objects and keys are held, by shortSum, if there is a term hold=
	changed map[string]bool            // the keys that were captured with another body, by shortSum
	threads map[string]map[string]bool // by the value of a term thread=, the messages by shortSum
	bodies  map[ask][]string           // the digests of the captured bodies, if there is a term md5=
	md5s    map[string]string          // of bodies that were read, by digest
	headers bool                       // there is a term about To, Cc or Bcc
	texts   bool                       // there is a term text=
	words   map[string]*textindex.Set  // by the value of a term text=, the texts that may have it; nil without an index of texts
	last    messageText                // of the message that was read last
	earlier map[ask][]*Capture         // the captured texts of keys with several captures; nil until one is asked for
	failed  error                      // of reading earlier
}

// A messageText is the text of a message with that digest.
type messageText struct{ message, text string }

// matching reads where messages were seen, which bodies were captured, and which of them are held or were changed, if
// the Selector has terms about that.
func (a *Archive) matching(sel *Selector) (*matching, error) {
	m := &matching{a: a, sel: sel, seen: make(map[string]map[string]bool), had: make(map[string]map[ask]bool),
		held: make(map[string]map[string]int), holds: make(map[string]int), changed: make(map[string]bool),
		threads: make(map[string]map[string]bool), bodies: make(map[ask][]string), md5s: make(map[string]string), texts: sel.names("text")}
	m.headers = sel.names("to") || sel.names("to-only") || sel.names("cc")
	if m.texts {
		m.words = a.textsWith(sel)
	}
	var kinds []string
	for v := range sel.root.values("custodian") {
		m.seen[v] = make(map[string]bool)
		kinds = append(kinds, kindSighting)
	}
	for v := range sel.root.values("object") {
		m.had[v] = make(map[ask]bool)
		kinds = append(kinds, kindCapture)
	}
	for v := range sel.root.values("hold") {
		m.held[v] = make(map[string]int)
		kinds = append(kinds, kindHold)
	}
	if sel.names("changed") {
		kinds = append(kinds, kindChanged)
	}
	withMD5 := sel.names("md5")
	if withMD5 {
		kinds = append(kinds, kindCapture)
	}
	for v := range sel.root.values("thread") {
		thread, err := a.thread(v)
		if err != nil {
			return nil, err
		}
		m.threads[v] = thread
	}
	if kinds == nil {
		return m, nil
	}
	return m, a.lines(func(l *ledger.Line, record any) error {
		switch r := record.(type) {
		case *Sighting:
			m.sighting(r)
		case *Capture:
			m.capture(r, newPlace(l.Place), withMD5)
		case *Hold:
			m.hold(r)
		case *Changed:
			m.changed[shortSum(r.Key)] = true
		}
		return nil
	}, kinds...)
}

func (m *matching) sighting(s *Sighting) {
	for v, messages := range m.seen {
		isIn := func(mailbox string) bool { return contains(mailbox, v) }
		if s.Message != "" && (isIn(s.Source) || slices.ContainsFunc(s.Mailboxes, isIn)) {
			messages[shortSum(s.Message)] = true
		}
	}
}

// capture notes a capture. One from before a forget of its key does not count.
func (m *matching) capture(c *Capture, at place, withMD5 bool) {
	if at <= m.a.index.forgotten(shortSum(c.Key)) {
		return
	}
	k := newAsk(c.Key, c.Expect)
	for v, asks := range m.had {
		if strings.HasPrefix(c.SHA256, v) {
			asks[k] = true
		}
	}
	if withMD5 && !slices.Contains(m.bodies[k], c.SHA256) {
		m.bodies[k] = append(m.bodies[k], c.SHA256)
	}
}

// hold notes a hold or its release by the reason. Of more holds than are left, none is kept.
func (m *matching) hold(h *Hold) {
	n := 1
	if h.Release {
		n = -1
	}
	for _, name := range slices.Concat(h.Objects, h.Keys) {
		k := shortSum(name)
		m.holds[k] = max(0, m.holds[k]+n)
		for v, keys := range m.held {
			if contains(h.Reason, v) {
				keys[k] += n
			}
			keys[k] = max(0, min(keys[k], m.holds[k]))
		}
	}
}

// candidate returns a message as a candidate.
func (m *matching) candidate(msg *MessageRecord) *candidate {
	return &candidate{message: msg, about: m}
}

// seenIn reports whether a message was seen in a mailbox with a part in its name.
func (m *matching) seenIn(custodian, message string) bool {
	return m.seen[custodian][shortSum(message)]
}

// hadBody reports whether a reference had a body whose digest has these first digits.
func (m *matching) hadBody(object string, r *ReferenceRecord) bool {
	return m.had[object][newAsk(r.Key, r.Expect)]
}

// isHeld reports whether an object or a key is held for a reason with that part.
func (m *matching) isHeld(reason, name string) bool { return m.held[reason][shortSum(name)] > 0 }

// wasChanged reports whether a reference was captured again with another body.
func (m *matching) wasChanged(r *ReferenceRecord) bool { return m.changed[shortSum(r.Key)] }

// inThread reports whether a message is in a thread with the one that a term names.
func (m *matching) inThread(with, message string) bool { return m.threads[with][shortSum(message)] }

// textsWith returns by the value of each term text= the texts that may have it, by the index of texts; nil without one.
func (a *Archive) textsWith(sel *Selector) map[string]*textindex.Set {
	x := a.textIndex()
	if x == nil {
		return nil
	}
	sets := make(map[string]*textindex.Set)
	var err error
	sel.root.each(func(t *node) bool {
		if t.name == "text" && sets[t.value] == nil {
			sets[t.value], err = x.Find(t.words.words, t.words.start)
		}
		return err == nil
	})
	if err != nil {
		a.texts.say("text= reads messages and captured texts, since the index of texts cannot be used: %v", err)
		return nil
	}
	return sets
}

// lacksWords reports whether the index of texts shows, without reading, that a candidate does not fit a term text=. It
// needs the state, and of a captured body the outcome.
func (m *matching) lacksWords(value string, c *candidate) bool {
	return m.words != nil && m.messageLacks(value, c) && m.bodyLacks(value, c)
}

// messageLacks is for a message alone. One that is no object has no text in the index.
func (m *matching) messageLacks(value string, c *candidate) bool {
	sum := c.message.SHA256
	return m.a.index.flags(sum) == flagStored && !m.words[value].Has(messageName(sum))
}

// bodyLacks is for the captured bodies alone, if there are any.
func (m *matching) bodyLacks(value string, c *candidate) bool {
	if c.reference == nil || !c.captured() {
		return true
	}
	if c.outcome == nil {
		return false
	}
	return !slices.ContainsFunc(m.capturedTexts(c), func(body *Capture) bool { return m.has(value, body) })
}

// has reports whether a captured text may have the words of a term, by the index of texts.
func (m *matching) has(value string, body *Capture) bool {
	return m.words[value].Has(bodyName(body.SHA256, body.textType()))
}

// capturedTexts returns the captured bodies of a candidate that are texts: the one that counts, and then the others of
// its reference. It needs the outcome.
func (m *matching) capturedTexts(c *candidate) (list []*Capture) {
	if c.outcome == nil || c.outcome.Capture == nil {
		return nil
	}
	latest := c.outcome.Capture
	if latest.textType() != "" {
		list = append(list, latest)
	}
	of := m.a.index.captured(c.reference.Key)
	if of.first == of.latest {
		return list
	}
	if m.earlier == nil {
		m.earlier = make(map[ask][]*Capture)
		m.failed = m.readTexts()
	}
	for _, x := range m.earlier[newAsk(c.reference.Key, c.reference.Expect)] {
		if !x.sameText(latest) {
			list = append(list, x)
		}
	}
	return list
}

// readTexts reads which texts were captured of keys that have several captures. A capture from before a forget of its key
// does not count.
func (m *matching) readTexts() error {
	return m.a.lines(func(l *ledger.Line, record any) error {
		c := record.(*Capture)
		if c.textType() == "" || newPlace(l.Place) <= m.a.index.forgotten(shortSum(c.Key)) {
			return nil
		}
		if of := m.a.index.captured(c.Key); of.first == of.latest {
			return nil
		}
		k := newAsk(c.Key, c.Expect)
		if !slices.ContainsFunc(m.earlier[k], c.sameText) {
			m.earlier[k] = append(m.earlier[k], &Capture{SHA256: c.SHA256, ContentType: c.ContentType, Facts: Facts{ServedType: c.ServedType}})
		}
		return nil
	}, kindCapture)
}

// allLack reports whether the index of texts shows that a text has no words of any term.
func (m *matching) allLack(lacks func(value string, c *candidate) bool, c *candidate) bool {
	for value := range m.words {
		if !lacks(value, c) {
			return false
		}
	}
	return m.words != nil
}

// textsOf returns the text of the message, and of each captured body that is one. It returns none if there is no
// term for it, and leaves out a text that by the index of texts has no words of a term.
func (m *matching) textsOf(c *candidate) (list []string, err error) {
	if !m.texts {
		return nil, nil
	}
	if !m.allLack(m.messageLacks, c) {
		if sum := c.message.SHA256; m.last.message != sum {
			text, cut, err := m.a.messageText(c.message)
			switch {
			case isLost(err):
				m.a.skip(sum)
			case err != nil:
				return nil, err
			}
			m.a.texts.noteCut(cut)
			m.last = messageText{sum, text}
		}
		list = append(list, m.last.text)
	}
	for _, body := range m.capturedTexts(c) {
		if m.words != nil && !slices.ContainsFunc(slices.Collect(maps.Keys(m.words)), func(v string) bool { return m.has(v, body) }) {
			continue
		}
		if c.firstEarlier == 0 && !body.sameText(c.outcome.Capture) {
			c.firstEarlier = len(list) + 1
		}
		captured, cut, err := m.a.capturedText(body)
		if isLost(err) {
			m.a.skip(body.SHA256)
			err = nil
		}
		if err != nil {
			return nil, err
		}
		m.a.texts.noteCut(cut)
		list = append(list, captured)
	}
	return list, m.failed
}

// md5sOf returns the MD5 of the captured bodies of a reference, of the one that counts first. It returns none if there is no term for it.
func (m *matching) md5sOf(c *candidate) (list []string, err error) {
	if c.reference == nil {
		return nil, nil
	}
	for _, sum := range m.bodies[newAsk(c.reference.Key, c.reference.Expect)] {
		digits, known := m.md5s[sum]
		if !known {
			digits, err = m.a.md5Of(sum)
			if err != nil {
				return nil, err
			}
			m.md5s[sum] = digits
		}
		if c.outcome.Capture != nil && sum == c.outcome.Capture.SHA256 {
			list = slices.Insert(list, 0, digits)
		} else {
			list = append(list, digits)
		}
	}
	return list, nil
}

// delayOf returns the Delay of a reference with a state.
func (m *matching) delayOf(c *candidate) Delay {
	r := c.reference
	return m.a.delay(&Row{Message: c.message, Reference: r, ask: newAsk(r.Key, r.Expect), state: *c.state})
}

// references returns how many references a message has in all of its lines.
func (m *matching) references(msg *MessageRecord) int {
	n := 0
	if places := m.a.index.message(msg.SHA256); len(places) < 2 {
		return msg.References
	}
	m.a.referencesOf(msg.SHA256, func(*ReferenceRecord) error {
		n++
		return nil
	})
	return n
}

// decide reports whether a candidate fits. It learns no more of the candidate than it needs.
func (m *matching) decide(c *candidate) (bool, error) {
	for {
		switch m.sel.root.fits(c) {
		case yes:
			return true, nil
		case no:
			return false, m.failed
		}
		var err error
		switch c.depth++; c.depth {
		case ofReference:
			if c.reference == nil { // a message by itself has no answer to a term about references
				c.depth = ofOutcome
			}
		case ofState:
			state := m.a.stateOf(c.reference)
			c.state = &state
		case ofOutcome:
			c.outcome, err = m.a.outcome(*c.state)
		case ofHeader:
			if m.headers {
				c.fields, err = m.a.recipients(c.message.SHA256)
			}
		case ofText:
			c.texts, err = m.textsOf(c)
		case ofBodies:
			c.md5s, err = m.md5sOf(c)
		}
		if err != nil || c.depth > ofBodies {
			return false, err
		}
	}
}

// message reports whether a message is selected by terms that are all about messages, and the words that text= found.
func (m *matching) message(msg *MessageRecord) (fits bool, snippet string, err error) {
	c := m.candidate(msg)
	fits, err = m.decide(c)
	return fits, c.snippet, err
}

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
		if a.index.isReplaced(r) {
			return nil
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
		row := &Row{Message: c.message, Reference: r, ask: newAsk(r.Key, r.Expect), snippet: c.snippet, isEarlier: c.isEarlier}
		if c.state != nil {
			row.state = *c.state
		} else {
			row.state = a.stateOf(r)
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

// stateOf returns the state of a reference. With its message, the answer of its host was forgotten, unless that was a
// body, which another message may need.
func (a *Archive) stateOf(r *ReferenceRecord) askState {
	state, _ := a.index.ask(newAsk(r.Key, r.Expect))
	if state.outcome == askExcepted && a.index.flags(r.Message)&flagForgotten != 0 {
		state.removed = true
	}
	return state
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
	o.Exception.Words, _ = exchange.WithoutBody(o.Exception.Words) // a forget leaves the line
	o.Exception.GivenUp = state.givenUp && state.outcome == askExcepted
	if state.due == 0 || state.idle {
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
	snippet   string // the words that a term text= found
	isEarlier bool   // text= or md5= found a body that was captured before the latest one
}

// delay returns the Delay of a reference that is captured.
func (a *Archive) delay(r *Row) Delay {
	if r.state.outcome != askCaptured {
		return Delay{}
	}
	since := bodyTime{r.state.since, r.state.delivered}
	then := func() bodyTime {
		var c Capture
		err := a.line(r.state.captured, &c)
		if err == nil && c.Compared {
			return since // no host was asked
		}
		return bodyTime{r.state.at, err == nil && c.By != ""}
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
			if a.index.isReplaced(r) {
				return nil
			}
			if m.SHA256 != r.Message {
				m = &MessageRecord{SHA256: r.Message}
			}
			return f(&Row{Message: m, Reference: r, ask: newAsk(r.Key, r.Expect), state: a.stateOf(r)})
		}
		return other(l, record)
	}, append(kinds, kindMessage, kindReference)...)
}
