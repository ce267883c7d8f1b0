package archive

import (
	"fmt"
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
	return a.References(func(r *Row) error {
		fits, err := a.fits(sel, r)
		if !fits || err != nil {
			return err
		}
		return f(r)
	})
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
	case state.last == 0: // it was forgotten before it was tried
		o.Exception = &Exception{Reason: ItemDeletedOrOutsideRetention, Kind: state.word, Error: errForgotten.Error()}
		return o, nil
	}
	at := state.last.place()
	err := a.places.At(at, func(l *ledger.Line) error {
		if l.Kind == kindCapture {
			o.Capture = new(Capture)
			return l.Body(o.Capture)
		}
		o.Exception = new(Exception)
		return l.Body(o.Exception)
	})
	if o.Exception != nil {
		o.Exception.GivenUp = state.givenUp && state.outcome == askExcepted
		if state.due == 0 {
			o.Exception.Due = time.Time{}
		}
	}
	if err == nil && o.Capture == nil && state.outcome == askCaptured {
		if latest, _ := a.index.captured(o.Exception.Key); latest != 0 {
			o.Capture = new(Capture)
			err = a.line(latest, o.Capture)
		}
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

// References calls f with each reference, in the order of the ledger.
func (a *Archive) References(f func(*Row) error) error { return a.rows(f, nil) }

// rows is References, and calls other with the lines of other kinds.
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
