package verbs

import (
	"strings"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

// An Env has the facts that pipelines are about.
type Env struct {
	At      weburl.URL
	Written string // At as written
	Answer  []byte
	Rest    []string // the segments for "*"
	Defs    []Def

	link     string
	segments []string
	values   [pieces]string
	states   [pieces]state
}

type state uint8

const (
	unset   state = iota // not defined, or not evaluated yet
	set                  // has a value
	escaped              // has a value that is percent-encoded
	failed               // evaluated, and not defined
	garbled              // evaluated, and not encoded as a verb wants it
)

// Put sets the value of a piece.
func (e *Env) Put(p Piece, value string) { e.put(p, value, set) }

func (e *Env) put(p Piece, value string, s state) {
	e.values[p] = value
	e.states[p] = s
}

// PutEscaped sets the value of a piece to the rest of value without percent-encoding. The
// piece is not defined if that fails.
func (e *Env) PutEscaped(p Piece, value string) { e.put(p, value, escaped) }

// SetLink gives the texts of At, where a caller has made them: its normal form without a
// fragment, and its segments.
func (e *Env) SetLink(link string, segments []string) {
	e.link = link
	e.segments = segments
}

// Get returns a piece, and whether it is defined.
func (e *Env) Get(p Piece) (string, bool) {
	value, fault := e.piece(p, nil)
	return value, fault == OK
}

// Holds reports whether an alternative does not fail.
func (e *Env) Holds(a Any) bool {
	_, fault := e.Value(a)
	return fault == OK
}

// Value returns the value of a, or the fault of its last alternative.
func (e *Env) Value(a Any) (value string, fault Fault) {
	fault = Missing
	for _, p := range a {
		value, fault = e.run(p)
		if fault == OK {
			return value, OK
		}
	}
	return "", fault
}

func (e *Env) run(p Pipe) (v string, fault Fault) {
	var inner *weburl.URL // nil: e.At
	for i := range p {
		s := &p[i]
		ok := true
		switch s.Op {
		case Take:
			v, fault = e.piece(s.Piece, inner)
		case Param:
			u := inner
			if u == nil {
				u = &e.At
			}
			v, ok = u.Param(s.Text)
			if !ok {
				fault = Missing
			}
		case URL:
			u, ok := weburl.Parse(v)
			if !ok {
				return "", Missing
			}
			inner = &u
		case Match, Not:
			v, fault = e.compare(s, v)
		case Set:
			if to, fault := e.fill(s.Parts, v); fault == OK {
				v = weburl.SetParam(v, s.Text, to)
			}
		case To:
			v, fault = e.fill(s.Parts, v)
		case Replace:
			if !strings.Contains(v, s.Text) {
				continue
			}
			to := ""
			to, fault = e.fill(s.Parts, v)
			if fault == OK {
				v = strings.ReplaceAll(v, s.Text, to)
			}
		case Proofpoint:
			v, fault = proofpoint(v)
		case FindText:
			v, fault = findText(s.Pattern, v)
		default:
			v, fault = decode(s, v)
		}
		if fault != OK {
			return "", fault
		}
	}
	return v, OK
}

// compare is for match and not.
func (e *Env) compare(s *Step, v string) (string, Fault) {
	got := v
	ok := false
	if s.Pattern != nil {
		got, ok = s.Pattern.Match(v)
	} else if other, fault := e.piece(s.Piece, nil); fault == OK {
		ok = v == other
	}
	switch {
	case ok == (s.Op == Not):
		return "", Missing
	case s.Op == Not:
		return v, OK
	}
	return got, OK
}

// piece returns a piece of the row, or of the URL inner if that is not nil.
func (e *Env) piece(p Piece, inner *weburl.URL) (string, Fault) {
	u := inner
	if u == nil {
		u = &e.At
	}
	switch p {
	case Link:
		if inner == nil && e.link != "" {
			return e.link, OK
		}
		text, _, _ := strings.Cut(u.String(), "#")
		if inner == nil {
			e.link = text
		}
		return text, OK
	case Text:
		if inner == nil {
			return e.Written, OK
		}
		return u.String(), OK
	case Host:
		return u.Host, OK
	case Origin:
		return weburl.URL{Scheme: u.Scheme, Host: u.Host, Port: u.Port}.String(), OK
	case PathOf:
		return u.Path, OK
	case Segments:
		segments := e.segments
		if inner != nil || segments == nil {
			segments = Split(u.Path)
		}
		return strings.Join(segments, "/"), OK
	case Query:
		return u.Query, defined(u.HasQuery)
	case Fragment:
		return u.Fragment, defined(u.HasFragment)
	case Answer:
		return string(e.Answer), OK
	case Last, Rest:
		if len(e.Rest) == 0 {
			return "", Missing
		}
		if p == Last {
			return e.Rest[len(e.Rest)-1], OK
		}
		return strings.Join(e.Rest, "/"), OK
	}
	return e.ofRow(p)
}

func defined(ok bool) Fault {
	if ok {
		return OK
	}
	return Missing
}

// ofRow returns a piece of the pattern of the path, or one that the row defines.
func (e *Env) ofRow(p Piece) (string, Fault) {
	for i := range e.Defs {
		if d := &e.Defs[i]; d.Piece == p && e.states[p]&done == 0 {
			e.states[p] |= done // a piece of the same name is that of the path from here on
			switch value, fault := e.Value(d.Value); fault {
			case OK:
				e.put(p, value, set|done)
			case Garbled:
				e.states[p] = garbled | done
			default:
				e.states[p] = failed | done
			}
			break
		}
	}
	switch e.states[p] &^ done {
	case set:
		return e.values[p], OK
	case escaped:
		if text, ok := weburl.Decode(e.values[p]); ok {
			return text, OK
		}
	case garbled:
		return "", Garbled
	}
	return "", Missing
}

// done is a bit of the state of a piece whose definition was evaluated, or is being evaluated.
const done state = 0x80

// fill returns the text of a template.
func (e *Env) fill(parts []Part, v string) (string, Fault) {
	if len(parts) == 1 && parts[0].Piece == None {
		return parts[0].Text, OK
	}
	var b strings.Builder
	for i := range parts {
		p := &parts[i]
		if p.Piece == None {
			b.WriteString(p.Text)
			continue
		}
		text := v
		if p.Piece != Value {
			var fault Fault
			text, fault = e.piece(p.Piece, nil)
			if fault != OK {
				return "", fault
			}
		}
		switch p.Form {
		case AsToken:
			if p.Piece != Value && !IsToken(text) {
				return "", Missing
			}
		case Escaped:
			if text == "" {
				return "", Missing
			}
			text = escape(text)
		}
		b.WriteString(text)
	}
	return b.String(), OK
}

// Split returns the segments of a path that are not empty. It undoes escapes that are
// not needed: "%3Ax%3A" means the same as ":x:", and programs write both. File hosts
// answer "//s/" like "/s/".
func Split(path string) []string {
	return strings.FieldsFunc(weburl.Unescape(path), func(c rune) bool { return c == '/' })
}
