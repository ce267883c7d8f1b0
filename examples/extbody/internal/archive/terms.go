package archive

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/link/host"
)

// A Selector selects references by terms that are joined by "and", "or" and "not", with "(" and ")".
// Terms without a word between them are joined by "and", which binds stronger than "or".
//
//	kind=unavailable       the Kind or the reason of the exception, "captured", "open", or "forgotten" of a reference that
//	                       was removed from the archive and not captured since
//	state=captured         "captured", "exception" or "open"
//	label=version          the label of the capture
//	host=files.example     the host, and those below it
//	message=...            8 or more first digits of the digest of the message, or its Message-ID
//	ref=2.1                the ID of the reference in its message
//	url=...                the exact URL
//	object=...             8 or more first digits of the digest of a body that was captured, also before the latest one
//	name=...               a part of the name of the file, whatever its case
//	type=image             the media type of the file, or its first half
//	from=a@example.org     an address of the field From; with "@" first a domain of one; else a part of the field
//	to=...                 the same of To, Cc and Bcc
//	to-only=..., cc=...    the same of To alone, and of Cc alone
//	subject=...            a part of the subject, whatever its case
//	text=...               words that follow each other in the subject or text of the message, or in the captured body if
//	                       that is a text; "*" at their end makes the last one the start of a word
//	thread=...             the message is in a thread with the message of that digest or Message-ID, by its fields
//	                       References and In-Reply-To
//	custodian=...          a part of the name of a mailbox in which the message was seen, whatever its case
//	since=2025-01-31       the message arrived on that day in UTC, or later; a month or a year will do
//	until=2025             the message arrived on that day, in that month or year, or before
//	files=0                the message has so many references; see below for more or fewer
//	size=1MB+              the captured body, or without one the announced one, has so many octets
//	delay=30d+             so long after the message its body was captured; s, m, h or d, and without one seconds
//	captured-since=...     the capture that counts ended on that day, in that month or year, or later
//	changed                a later capture has another body
//	given-up               it is not asked for again, because attempts were made for so long
//	hold=...               the reference is held, or the message itself, and that is a part of the reason, whatever its case
//	dialect=...            the form of the reference, as list --json has it, whatever its case
//	provider=...           a part of the name of the service, whatever its case
//	md5=...                the 32 digits of the MD5 of a body that was captured, also before the latest one
//
// Texts are compared in the form NFKC and whatever their case, so that "ß" is "ss". For text= the messages are read that
// the other terms leave, and of those that the index of texts has only the ones with the words; see IndexTexts. For md5=
// the captured bodies are read that the other terms leave, and for thread= the headers of all messages.
//
// In files=, size= and delay= a "+" after the number means so much or more, and a "-" so much or less.
//
// A message arrives at the time in its topmost field Received, or else in its field Date.
//
// A Selector without terms selects all references.
type Selector struct {
	// Capture says which captures of the selected references are meant, by Export, Restore, Search, WriteReport and WriteCSV.
	Capture Which

	text string
	root *node // nil selects everything
}

// A node is a term, or others that are joined.
type node struct {
	op    byte // opTerm, opAnd, opOr or opNot
	nodes []*node
	name  string
	value string
	when  time.Time // of since, until and captured-since, where the day, month or year starts or ends
	least int64     // of files, size and delay, like most
	most  int64
	words *phrase // of text
}

const (
	opTerm byte = iota
	opAnd
	opOr
	opNot
)

// A depth is how much of a reference has to be known for a term: each one includes those before it.
type depth int

const (
	ofMessage   depth = iota // the line of the message, and where it was seen
	ofReference              // the line of the reference
	ofState                  // the state in the index
	ofOutcome                // the line of the outcome
	ofHeader                 // the header of the message
	ofText                   // its text, and those of the captured bodies
	ofBodies                 // the octets of all captured bodies
)

// maxNested bounds parentheses and "not" within each other.
const maxNested = 100

// ParseSelector reads terms, each of them a name, "=" and a value, and the words between them. Each is
// one of the texts.
func ParseSelector(texts []string) (*Selector, error) {
	s := &Selector{text: strings.Join(texts, " ")}
	if len(texts) == 0 {
		return s, nil
	}
	p := &selectorParser{rest: texts}
	var err error
	s.root, err = p.or(0)
	if err == nil && len(p.rest) > 0 {
		err = fmt.Errorf("%q stands where a selector ends", p.rest[0])
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// String returns the terms with a space between them.
func (s *Selector) String() string { return s.text }

// all reports whether every reference is selected.
func (s *Selector) all() bool { return s.root == nil }

// values yields the values of the terms with a name.
func (n *node) values(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		n.each(func(t *node) bool { return t.name != name || yield(t.value) })
	}
}

// each calls f with each term until f returns false.
func (n *node) each(f func(*node) bool) bool {
	if n == nil {
		return true
	}
	if n.op == opTerm {
		return f(n)
	}
	for _, sub := range n.nodes {
		if !sub.each(f) {
			return false
		}
	}
	return true
}

// ofMessages reports whether all terms are about messages, so that messages are selected themselves.
func (s *Selector) ofMessages() bool {
	return !s.all() && s.root.each(func(t *node) bool {
		ofBoth := t.name == "hold" // messages are held, and references
		return ofBoth || slices.Contains([]depth{ofMessage, ofHeader, ofText}, terms[t.name].certain)
	})
}

// ofOutcomes reports whether no term is about anything but the outcome of a reference.
func (s *Selector) ofOutcomes() bool { return s.root.each((*node).ofOutcome) }

func (n *node) ofOutcome() bool { return slices.Contains([]string{"kind", "state", "label"}, n.name) }

// names reports whether there is a term with that name.
func (s *Selector) names(name string) bool {
	return !s.root.each(func(t *node) bool { return t.name != name })
}

// reads has for each term that no line of the ledger answers which octets are read for it.
var reads = []struct{ name, what string }{
	{"md5", "the captured bodies that the other terms leave"},
	{"thread", "the header of each message"},
}

// Reads returns for each term that is answered by reading objects a sentence about which ones are read. It returns none
// for a Selector that the ledger answers.
func (s *Selector) Reads() (list []string) {
	for _, r := range reads {
		if s.names(r.name) {
			list = append(list, r.name+"= reads "+r.what)
		}
	}
	return list
}

type selectorParser struct{ rest []string }

// word cuts a word off the rest, if it starts with that.
func (p *selectorParser) word(w string) bool {
	if len(p.rest) == 0 || p.rest[0] != w {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *selectorParser) or(nested int) (*node, error) {
	list, err := p.list(func() (*node, error) { return p.and(nested) }, func() bool { return p.word("or") })
	return joined(opOr, list), err
}

func (p *selectorParser) and(nested int) (*node, error) {
	list, err := p.list(func() (*node, error) { return p.one(nested) }, func() bool {
		if p.word("and") {
			return true
		}
		return len(p.rest) > 0 && p.rest[0] != "or" && p.rest[0] != ")"
	})
	for i, n := range list {
		isSame := func(b *node) bool { return b.op == opTerm && b.name == n.name }
		if n.op == opTerm && !terms[n.name].many && slices.ContainsFunc(list[:i], isSame) {
			return nil, fmt.Errorf("%s= is there twice: put \"or\" between the terms", n.name)
		}
	}
	return joined(opAnd, list), err
}

// list reads nodes as long as more says that another one follows.
func (p *selectorParser) list(next func() (*node, error), more func() bool) (list []*node, err error) {
	for {
		n, err := next()
		if err != nil {
			return nil, err
		}
		list = append(list, n)
		if !more() {
			return list, nil
		}
	}
}

// joined returns the only node of a list, or one that joins them.
func joined(op byte, list []*node) *node {
	if len(list) == 1 {
		return list[0]
	}
	return &node{op: op, nodes: list}
}

func (p *selectorParser) one(nested int) (*node, error) {
	if nested > maxNested {
		return nil, fmt.Errorf("more than %d parentheses or \"not\" are within each other", maxNested)
	}
	switch {
	case len(p.rest) == 0:
		return nil, fmt.Errorf("a selector ends where a term is missing")
	case p.word("not"):
		n, err := p.one(nested + 1)
		return &node{op: opNot, nodes: []*node{n}}, err
	case p.word("("):
		n, err := p.or(nested + 1)
		if err == nil && !p.word(")") {
			err = fmt.Errorf("a \")\" is missing")
		}
		return n, err
	}
	text := p.rest[0]
	p.rest = p.rest[1:]
	return parseTerm(text)
}

// bareTerms have no value.
var bareTerms = []string{"changed", "given-up"}

func parseTerm(text string) (*node, error) {
	name, value, ok := strings.Cut(text, "=")
	if slices.Contains(bareTerms, text) {
		return &node{name: text}, nil
	}
	_, known := terms[name]
	if !ok || !known || value == "" || slices.Contains(bareTerms, name) {
		return nil, fmt.Errorf("%q is no selector: want one of "+
			"kind=, state=, label=, host=, message=, ref=, url=, object=, name=, type=, from=, to=, "+
			"to-only=, cc=, subject=, text=, thread=, custodian=, since=, until=, files=, size=, delay=, "+
			"captured-since=, hold=, dialect=, "+
			"provider= and md5=, or changed or given-up", text)
	}
	n := &node{name: name, value: value}
	var err error
	switch name {
	case "state":
		if !slices.Contains([]string{"captured", "exception", "open"}, value) {
			err = fmt.Errorf("%q: want captured, exception or open", text)
		}
	case "label":
		if !slices.Contains([]string{"declared", "version", "current", "rendition", "unknown"}, value) {
			err = fmt.Errorf("%q: want declared, version, current, rendition or unknown", text)
		}
	case "since", "until", "captured-since":
		err = n.day()
	case "files":
		err = n.amount(map[string]float64{"": 1}, "a number such as 0 or 2+")
	case "size":
		err = n.amount(sizeUnits, "a size such as 0, 1MB+ or 20kB-")
	case "delay":
		err = n.amount(map[string]float64{"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}, "a time such as 30d+, 2h- or 60")
	case "object":
		n.value = strings.ToLower(value)
		if len(value) < 8 {
			err = fmt.Errorf("%q: want 8 or more digits", text)
		}
	case "name", "subject", "custodian", "hold", "provider":
		n.value = folded(value)
	case "dialect":
		n.value = strings.ToLower(value)
	case "text":
		n.words = newPhrase(value)
		if len(n.words.words) == 0 {
			err = fmt.Errorf("%q: want a word", text)
		}
	case "md5":
		n.value = strings.ToLower(value)
		if len(value) != 32 || strings.Trim(n.value, "0123456789abcdef") != "" {
			err = fmt.Errorf("%q: want 32 digits", text)
		}
	case "from", "to", "to-only", "cc":
		n.value = strings.Trim(value, "<>")
		if strings.Contains(value, "@") {
			n.value = strings.ToLower(n.value)
		} else {
			n.value = folded(n.value)
		}
	case "type":
		n.value = strings.ToLower(strings.Trim(value, "<>"))
	}
	return n, err
}

// sizeUnits are the units of a size in lower case.
var sizeUnits = map[string]float64{"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}

// amount reads a number with a unit, and "+" or "-" after it.
func (n *node) amount(units map[string]float64, want string) error {
	text := strings.TrimRight(n.value, "+-")
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	unit, known := units[strings.ToLower(text[len(number):])]
	v, err := strconv.ParseFloat(number, 64)
	sensible := known && err == nil && v >= 0 && v*unit < 1<<62
	if !sensible || strings.Trim(number, "0123456789.") != "" {
		return fmt.Errorf("%s=%q: want %s", n.name, n.value, want)
	}
	n.least = int64(v * unit)
	n.most = n.least
	switch n.value[len(text):] {
	case "":
	case "+":
		n.most = math.MaxInt64
	case "-":
		n.least = math.MinInt64
	default:
		return fmt.Errorf("%s=%q: want %s", n.name, n.value, want)
	}
	return nil
}

// within reports whether a number is in the range of a term.
func (n *node) within(v int64) fit { return known(v >= n.least && v <= n.most) }

// day reads a day, a month, a year or a time.
func (n *node) day() error {
	for _, form := range []struct {
		layout        string
		years, months int
		days          int
	}{{"2006", 1, 0, 0}, {"2006-01", 0, 1, 0}, {time.DateOnly, 0, 0, 1}, {time.RFC3339, 0, 0, 0}} {
		t, err := time.Parse(form.layout, n.value)
		if err != nil {
			continue
		}
		n.when = t
		if n.name == "until" {
			n.when = t.AddDate(form.years, form.months, form.days)
			if form.layout != time.RFC3339 {
				n.when = n.when.Add(-1)
			}
		}
		return nil
	}
	return fmt.Errorf("%s=%q: want a day such as 2025-01-31, a month, a year, or a time such as 2025-01-31T12:00:00Z", n.name, n.value)
}

// A fit says whether a candidate fits a selector.
type fit int8

const (
	no fit = iota - 1
	unknown
	yes
)

func known(b bool) fit {
	if b {
		return yes
	}
	return no
}

// A candidate is a reference for a Selector, as far as it is known. With messages alone, reference is nil.
type candidate struct {
	depth     depth
	message   *MessageRecord
	about     archived
	reference *ReferenceRecord
	state     *askState
	outcome   *Outcome
	fields    map[string][]string // To, Cc and Bcc, by their names in lower case
	texts     []string            // of the message, and of the captured bodies that are texts
	md5s      []string            // of the captured bodies, in hexadecimal digits
	snippet   string              // the words that text= found
	isEarlier bool                // text= or md5= found a body that was captured before the latest one

	firstEarlier int // the number, from 1, of the first of texts that is of an earlier body; 0 if none is
}

// An archived is an archive for the terms of a Selector about other lines than the ones of the candidate.
type archived interface {
	seenIn(custodian, message string) bool
	hadBody(object string, r *ReferenceRecord) bool
	isHeld(reason, name string) bool // an object or a key
	wasChanged(r *ReferenceRecord) bool
	delayOf(c *candidate) Delay
	references(m *MessageRecord) int
	inThread(with, message string) bool
	lacksWords(value string, c *candidate) bool
}

// fits reports whether a candidate fits. It is never unknown if all of the candidate is known.
func (n *node) fits(c *candidate) fit {
	if n == nil {
		return yes
	}
	if n.op == opTerm {
		return n.term(c)
	}
	if n.op == opNot {
		return -n.nodes[0].fits(c)
	}
	// Of the ones that are joined by "and" the least counts, and by "or" the greatest.
	end := no
	result := yes
	if n.op == opOr {
		end = yes
		result = no
	}
	for _, sub := range n.nodes {
		a := sub.fits(c)
		if a == end {
			return end
		}
		if a == unknown {
			result = unknown
		}
	}
	return result
}

// term reports whether a candidate fits a term.
func (n *node) term(c *candidate) fit {
	t := terms[n.name]
	if c.depth < t.from {
		return unknown
	}
	return t.fits(n, c)
}

// A termKind is the meaning of a name in a selector.
type termKind struct {
	from    depth // with less nothing can be decided
	certain depth // with this much it is always decided
	many    bool  // two of them that are joined by "and" are no mistake
	fits    func(n *node, c *candidate) fit
}

// terms are the names that terms have. Their meaning is in the comment of [Selector].
var terms = map[string]termKind{
	"message":        {ofMessage, ofMessage, false, fitsMessage},
	"from":           {ofMessage, ofMessage, true, func(n *node, c *candidate) fit { return known(hasAddress(n.value, c.message.From)) }},
	"subject":        {ofMessage, ofMessage, true, func(n *node, c *candidate) fit { return known(contains(charset.Words(c.message.Subject), n.value)) }},
	"custodian":      {ofMessage, ofMessage, true, func(n *node, c *candidate) fit { return known(c.about.seenIn(n.value, c.message.SHA256)) }},
	"since":          {ofMessage, ofMessage, false, fitsTime},
	"until":          {ofMessage, ofMessage, false, fitsTime},
	"to":             {ofHeader, ofHeader, true, fitsTo},
	"to-only":        {ofHeader, ofHeader, true, func(n *node, c *candidate) fit { return n.inField(c, "to") }},
	"cc":             {ofHeader, ofHeader, true, func(n *node, c *candidate) fit { return n.inField(c, "cc") }},
	"text":           {ofState, ofText, true, fitsText},
	"thread":         {ofMessage, ofMessage, false, func(n *node, c *candidate) fit { return known(c.about.inThread(n.value, c.message.SHA256)) }},
	"md5":            {ofBodies, ofBodies, true, fitsMD5},
	"files":          {ofMessage, ofMessage, true, func(n *node, c *candidate) fit { return n.within(int64(c.about.references(c.message))) }},
	"dialect":        {ofReference, ofReference, false, func(n *node, c *candidate) fit { return known(strings.ToLower(c.reference.Dialect) == n.value) }},
	"provider":       {ofReference, ofReference, false, func(n *node, c *candidate) fit { return known(contains(c.reference.Provider, n.value)) }},
	"hold":           {ofReference, ofReference, true, fitsHold},
	"given-up":       {ofState, ofState, false, func(_ *node, c *candidate) fit { return known(c.state.outcome == askExcepted && c.state.givenUp) }},
	"changed":        {ofReference, ofReference, false, func(_ *node, c *candidate) fit { return known(c.about.wasChanged(c.reference)) }},
	"delay":          {ofState, ofState, true, fitsDelay},
	"size":           {ofState, ofOutcome, true, fitsSize},
	"captured-since": {ofState, ofState, false, func(n *node, c *candidate) fit { return known(c.captured() && c.state.at >= n.when.Unix()) }},
	"ref":            {ofReference, ofReference, false, func(n *node, c *candidate) fit { return known(c.reference.Ref == n.value) }},
	"url":            {ofReference, ofReference, false, func(n *node, c *candidate) fit { return known(c.reference.URL == n.value) }},
	"host":           {ofReference, ofReference, false, func(n *node, c *candidate) fit { return known(host.Below(c.reference.Host, n.value)) }},
	"state":          {ofState, ofState, false, func(n *node, c *candidate) fit { return known(c.state.outcome == stateNames[n.value]) }},
	"label":          {ofState, ofState, false, func(n *node, c *candidate) fit { return known(c.captured() && c.state.word == n.value) }},
	"kind":           {ofState, ofOutcome, false, fitsKind},
	"object":         {ofReference, ofReference, true, func(n *node, c *candidate) fit { return known(c.about.hadBody(n.value, c.reference)) }},
	"name":           {ofReference, ofOutcome, true, fitsName},
	"type":           {ofState, ofOutcome, false, fitsType},
}

// stateNames are the values of the term "state".
var stateNames = map[string]byte{"captured": askCaptured, "exception": askExcepted, "open": askOpen}

func (c *candidate) captured() bool { return c.state.outcome == askCaptured }

func fitsMessage(n *node, c *candidate) fit { return known(c.message.named(n.value)) }

func fitsText(n *node, c *candidate) fit {
	if c.depth < ofText {
		if c.about.lacksWords(n.value, c) {
			return no
		}
		return unknown
	}
	for i, text := range c.texts {
		if from, to := n.words.find(text); to > 0 {
			c.snippet = snippet(text, from, to)
			c.isEarlier = c.firstEarlier > 0 && i+1 >= c.firstEarlier
			return yes
		}
	}
	return no
}

func fitsMD5(n *node, c *candidate) fit {
	i := slices.Index(c.md5s, n.value)
	c.isEarlier = i > 0
	return known(i >= 0)
}

func fitsTime(n *node, c *candidate) fit {
	when, by := c.message.arrived()
	switch {
	case by == "":
		return no
	case n.name == "since":
		return known(!when.Before(n.when))
	}
	return known(!when.After(n.when))
}

func fitsTo(n *node, c *candidate) fit {
	for _, name := range []string{"to", "cc", "bcc"} {
		if n.inField(c, name) == yes {
			return yes
		}
	}
	return no
}

func (n *node) inField(c *candidate, name string) fit {
	return known(slices.ContainsFunc(c.fields[name], func(field string) bool { return hasAddress(n.value, field) }))
}

// fitsHold compares the holds of a reference, or of a message by itself.
func fitsHold(n *node, c *candidate) fit {
	if c.reference == nil {
		return known(c.about.isHeld(n.value, c.message.SHA256))
	}
	return known(c.about.isHeld(n.value, c.reference.Key))
}

func fitsDelay(n *node, c *candidate) fit {
	if !c.captured() {
		return no
	}
	d := c.about.delayOf(c)
	if d.By == "" {
		return no
	}
	return n.within(d.Seconds)
}

func fitsSize(n *node, c *candidate) fit {
	switch {
	case !c.captured() && c.reference.Size < 0:
		return no
	case !c.captured():
		return n.within(c.reference.Size)
	case c.depth < ofOutcome:
		return unknown
	}
	if c.outcome.Capture == nil {
		return no // its line is lost
	}
	return n.within(c.outcome.Capture.Size)
}

// fitsKind compares a Kind, a reason, "captured", "open" or "forgotten". The state has the reason alone.
func fitsKind(n *node, c *candidate) fit {
	switch {
	case n.value == "captured" || n.value == "open":
		return known(c.state.outcome == stateNames[n.value])
	case n.value == keptForgotten:
		return known(c.state.removed)
	case c.state.outcome != askExcepted:
		return no
	case isKind(c.state.word, n.value):
		return yes
	case new(fetch.Kind).UnmarshalText([]byte(n.value)) == nil:
		return no // the reasons have other names
	case c.depth < ofOutcome:
		return unknown
	}
	e := c.outcome.Exception
	if c.outcome.Capture != nil || e == nil {
		return no
	}
	return known(isKind(e.Kind, n.value) || e.Reason == n.value)
}

func fitsName(n *node, c *candidate) fit {
	switch {
	case contains(c.reference.Name, n.value):
		return yes
	case c.depth < ofState:
		return unknown
	case !c.captured():
		return no
	case c.depth < ofOutcome:
		return unknown
	}
	return known(c.outcome.Capture != nil && contains(c.outcome.Capture.Name, n.value))
}

func fitsType(n *node, c *candidate) fit {
	switch {
	case !c.captured():
		return known(hasType(c.reference.ContentType, n.value))
	case c.depth < ofOutcome:
		return unknown
	}
	return known(c.outcome.Capture != nil && hasType(c.outcome.Capture.ContentType, n.value))
}

// isKind reports whether the word of an exception is the one of a term. A size that differs was
// digest-mismatch before it had a Kind of its own, and is found by both.
func isKind(word, term string) bool {
	return word == term || word == fetch.SizeMismatch.String() && term == fetch.DigestMismatch.String()
}

// contains reports whether a text has a part, which is folded.
func contains(text, part string) bool { return strings.Contains(folded(text), part) }

// hasAddress reports whether a field has an address, an address in a domain, or a part in its text.
func hasAddress(wanted, field string) bool {
	if !strings.Contains(wanted, "@") {
		return contains(charset.Words(field), wanted)
	}
	for _, a := range addresses(field) {
		a = strings.ToLower(a)
		if a == wanted || wanted[0] == '@' && strings.HasSuffix(a, wanted) {
			return true
		}
	}
	return false
}

// addresses returns the addresses in a field, without the names, comments and groups around them.
func addresses(field string) (list []string) {
	var b strings.Builder
	end := func() {
		if text := strings.TrimSpace(b.String()); strings.Contains(text, "@") {
			list = append(list, text)
		}
		b.Reset()
	}
	comments := 0
	for i := 0; i < len(field); i++ {
		c := field[i]
		switch {
		case c == '\\' && comments > 0:
			i++
		case c == '(':
			comments++
		case comments > 0:
			if c == ')' {
				comments--
			}
		case c == '"':
			from := i
			for i++; i < len(field) && field[i] != '"'; i++ {
				if field[i] == '\\' {
					i++
				}
			}
			if i+1 < len(field) && field[i+1] == '@' { // a local part, and no name
				b.WriteString(field[from : i+1])
			}
		case strings.IndexByte(" \t\r\n,;:<>", c) >= 0:
			end()
		default:
			b.WriteByte(c)
		}
	}
	end()
	return list
}
