package rewrite

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/smime"
)

var (
	errHidden    = errors.New("inside a part that a transfer encoding or a signature hides")
	errOtherBody = errors.New("the body that was put in for this Content-ID is not the one that is promised here")
)

const (
	multipartMixed   = "multipart/mixed"
	multipartRelated = "multipart/related"
)

var errNoBoundary = errors.New("a multipart without a usable boundary")

// An adder adds parts to a message, beside the texts that name them.
type adder struct {
	layout
	guard *guard
	fixed map[*message.Part]bool // references without a URL

	points  map[*message.Part]*point // by the part that they come after or around
	related map[*message.Part]*point // by the text/html that is wrapped for its pictures
}

func newAdder(m *externalbody.Message, l layout, g *guard) *adder {
	a := &adder{
		layout:  l,
		guard:   g,
		fixed:   make(map[*message.Part]bool),
		points:  make(map[*message.Part]*point),
		related: make(map[*message.Part]*point),
	}
	for ref := range m.References() {
		if ref.Dialect != "" && !hasURL(ref) {
			a.fixed[a.partOf(ref)] = true
		}
	}
	return a
}

// point returns where the body of a Reference is added: at the first of its Origins that
// has a place. If none has one, it returns why.
func (a *adder) point(ref *externalbody.Reference) (s *point, reason, err error) {
	if reason := a.refuse(ref); reason != nil {
		return nil, reason, nil
	}
	for _, p := range a.origins(ref) {
		s, why, err := a.beside(p)
		if s != nil || err != nil {
			return s, nil, err
		}
		reason = cmp.Or(reason, why)
	}
	return nil, cmp.Or(reason, leave(fetch.Unsupported, errHidden)), nil
}

// refuse returns why nothing is added for ref, wherever it is, or nil.
func (a *adder) refuse(ref *externalbody.Reference) error {
	if a.index.Limit != nil {
		return leave(fetch.TooLarge, errors.New("the message is not indexed to its end"))
	}
	if ref.Ambiguous() {
		return leave(fetch.Malformed, errAmbiguous)
	}
	return nil
}

// origins returns the parts that name the body of ref. It leaves out those inside a
// transfer encoding or a signature of S/MIME. A signed part stays as it is, and so
// does the message that it contains.
func (a *adder) origins(ref *externalbody.Reference) []*message.Part {
	var parts []*message.Part
	own := a.partOf(ref)
	if own != nil {
		parts = append(parts, own)
	}
	for _, o := range ref.Origins {
		p := cmp.Or(a.sections[o.Section], a.tnef(o.Section))
		if p == nil || own == nil && smime.IsMediaType(p.Type) {
			continue
		}
		if o.Field != "" && !message.IsMultipart(p.Type) {
			// The header of the message within a part has the section of the part.
			p = cmp.Or(p.Last(), p)
		}
		parts = append(parts, p)
	}
	return parts
}

// tnef returns the winmail.dat that a section is a text of, or nil if it is not one. A
// deeper section belongs to a message within it.
func (a *adder) tnef(section string) *message.Part {
	p := a.sections[section[:max(0, strings.LastIndexByte(section, '.'))]]
	if p == nil || message.IsMultipart(p.Type) || message.IsMessage(p.Type) {
		return nil
	}
	return p
}

// beside returns the insertion point for a file that p names:
//
//   - after the part that p is in of the innermost multipart/mixed,
//   - at the end of p, if p is a multipart/mixed itself,
//   - after the message, if there is no multipart/mixed.
//
// A signed or encrypted part is not entered.
func (a *adder) beside(p *message.Part) (s *point, reason, err error) {
	var behind *message.Part
	if isMixed(p) {
		behind = p.Last()
	}
	msg := p
	for ; ; msg = msg.Parent {
		parent := msg.Parent
		if isProtected(msg.Type) {
			behind = nil
		}
		if parent == nil || !message.IsMultipart(parent.Type) {
			break
		}
		if behind == nil && isMixed(parent) {
			behind = msg
		}
	}
	if behind != nil {
		return a.behind(behind)
	}
	reason, err = a.guard.refuseEntity(msg)
	if reason != nil || err != nil {
		return nil, reason, err
	}
	return a.around(msg, a.points)
}

// shown returns the insertion point for the pictures that p, a text/html, shows: in the
// multipart/related around it, or around its multipart/alternative, or else in a new one
// around p (RFC 2387).
func (a *adder) shown(p *message.Part) (s *point, reason, err error) {
	reason, err = a.guard.refuseEntity(p)
	if reason != nil || err != nil {
		return nil, reason, err
	}
	for q := p; q.Parent != nil; q = q.Parent {
		if q.Parent.Type == multipartRelated {
			return a.behind(q)
		}
		if q.Parent.Type != "multipart/alternative" {
			break
		}
	}
	return a.around(p, a.related)
}

// isMixed reports whether p is a multipart/mixed that was looked into.
func isMixed(p *message.Part) bool {
	return p.Type == multipartMixed && p.Boundary != "" && p.Last() != nil
}

// behind returns the insertion point directly after a part of a multipart/mixed or
// multipart/related.
func (a *adder) behind(p *message.Part) (s *point, reason, err error) {
	reason, err = a.guard.refuse(p)
	if reason != nil || err != nil {
		return nil, reason, err
	}
	if s := a.points[p]; s != nil {
		return s, nil, nil
	}
	multipart := p.Parent
	if takes(p, multipart.Boundary) {
		return nil, leave(fetch.Malformed, errNoBoundary), nil
	}
	eol, err := lineEnd(a.r, multipart)
	if err != nil {
		return nil, nil, err
	}
	s = &point{part: p, boundary: multipart.Boundary, eol: eol, lead: eol}
	next := multipart.Close
	if q := p.Next(); q != nil {
		next = q.Delimiter
	}
	s.open = next.Len() == 0
	if !s.open {
		first, err := message.ReadSpan(a.r, next.First(1))
		if err != nil {
			return nil, nil, local(err)
		}
		if first == "-" {
			s.lead = ""
		}
	}
	return a.placed(a.points, s)
}

// placed adds s to points. It keeps a CR at the end of the octets before the insertion point
// from becoming part of the line end of the delimiter line.
func (a *adder) placed(points map[*message.Part]*point, s *point) (*point, error, error) {
	if e := s.part.Entity(); s.lead == "\n" && e.Len() > 0 {
		last, err := message.ReadSpan(a.r, message.Span{Start: e.End - 1, End: e.End})
		if err != nil {
			return nil, nil, local(err)
		}
		if last == "\r" {
			s.lead = "\r\n"
		}
	}
	points[s.part] = s
	return s, nil, nil
}

// takes reports whether a multipart that is open at the end of p would take a delimiter
// line with that boundary as its own.
func takes(p *message.Part, boundary string) bool {
	for p != nil {
		if message.IsMultipart(p.Type) && p.Boundary != "" {
			if p.Close.Len() > 0 {
				return false
			}
			if p.Boundary == boundary || p.Boundary+"--" == boundary {
				return true
			}
		}
		p = p.Last()
	}
	return false
}

// around returns the insertion point after a message or text that becomes the first part of
// a new multipart. points has the points of all multiparts of that type.
func (a *adder) around(p *message.Part, points map[*message.Part]*point) (s *point, reason, err error) {
	switch {
	case isProtected(p.Type), smime.IsMediaType(p.Type): // RFC 1847, RFC 8551
		return nil, leave(fetch.Denied, errProtected), nil
	case p.Header.Len() > maxHeader:
		return nil, leave(fetch.TooLarge, errHeaderTooLong), nil
	case a.fixed[p]:
		return nil, leave(fetch.Unsupported, errors.New("the message as a whole is the mark of a body")), nil
	case p.Type == multipartMixed:
		return nil, leave(fetch.Malformed, errNoBoundary), nil
	}
	if s := points[p]; s != nil {
		return s, nil, nil
	}
	eol, err := lineEnd(a.r, p)
	if err != nil {
		return nil, nil, err
	}
	boundary, err := a.newBoundary(p)
	if err != nil {
		return nil, nil, err
	}
	if boundary == "" {
		return nil, leave(fetch.Malformed, errNoBoundary), nil
	}
	s = &point{part: p, wraps: true, boundary: boundary, eol: eol, lead: eol, open: true}
	return a.placed(points, s)
}

// newBoundary returns a boundary that no line in p starts with. It also starts with no
// boundary in the message, for readers that look only at the starts of lines. It
// returns "" if it finds none.
func (a *adder) newBoundary(p *message.Part) (string, error) {
	for range 100 {
		boundary := rand.Text()
		if slices.ContainsFunc(a.index.Parts, func(q *message.Part) bool {
			return q.Boundary != "" && strings.HasPrefix(boundary, q.Boundary)
		}) {
			continue
		}
		clash := newClashWriter([]string{boundary})
		if err := copySpan(clash, a.r, p.Entity(), make([]byte, max(1, min(p.Entity().Len(), copyBuffer)))); err != nil {
			return "", err
		}
		if !clash.found {
			return boundary, nil
		}
	}
	return "", nil
}

// boundaries returns the boundaries of all multiparts around p, including those that p will be
// wrapped in.
func (a *adder) boundaries(p *message.Part) []string {
	b := boundaries(p)
	for q := p; q != nil; q = q.Parent {
		for _, s := range []*point{a.points[q], a.related[q]} {
			if s != nil && s.wraps {
				b = append(b, s.boundary)
			}
		}
	}
	return b
}

// A point is a place where parts can be added: after a part of a multipart/mixed or
// multipart/related, or after a message or text that becomes the first part of one.
type point struct {
	part     *message.Part // the parts come after it
	wraps    bool          // part is wrapped
	boundary string
	eol      string
	lead     string // the line end before the first delimiter line; "" if that is there
	open     bool   // the multipart has to be closed

	// parts write the added parts. It ends without the line end that belongs to the next
	// delimiter line.
	parts []func(io.Writer) error
}
