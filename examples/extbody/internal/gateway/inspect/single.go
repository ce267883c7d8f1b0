package inspect

import (
	"io"
	"slices"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/filekind"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/mediatype"
)

// A Single is one reference of a message, about which a Policy decides apart from the others.
type Single struct {
	Message   *externalbody.Message // nil if it is not known
	Reference *externalbody.Reference
	Plan      *externalbody.Plan
}

// DecideAnnounced returns the Decision about a reference before its body is fetched. If the
// reference has a type and a size with which the body will be compared, the rules take them,
// and the names, for facts of the body; a Resolver whose Judge is externalbody.RefuseSize
// holds the body to both. No other fact about the body is known. DecideBody has the last word.
func (p *Policy) DecideAnnounced(s *Single) Decision {
	r := listed(outerHeadersOf(s.Message), s.Reference, s.Plan)
	r.State = StillToCome
	r.promised = slices.Contains(s.Plan.Checks, "media-type") && slices.Contains(s.Plan.Checks, "size")
	return p.decideOne(s, r, "")
}

// DecideBody returns the Decision about a reference after its body was fetched and before it
// is kept, as for a message that has this reference alone. The body is not scanned. The
// verdict clean is not known if the message has something else.
//
// differs reports whether the body is a file of another kind than the one that was announced.
// An error is one of reading the body.
func (p *Policy) DecideBody(s *Single, rep *externalbody.Report, body *io.SectionReader) (d Decision, differs bool, err error) {
	f, err := found(s.Reference, rep, rep.FileName(), body, body.Size())
	if err != nil {
		return Decision{}, false, err
	}
	r := listed(outerHeadersOf(s.Message), s.Reference, s.Plan)
	r.finding = *f
	verdict := r.Judge()
	if verdict == Clean && !s.alone() {
		verdict = ""
	}
	return p.decideOne(s, r, verdict), r.differs(), nil
}

// alone reports whether the message has nothing else to be looked at.
func (s *Single) alone() bool {
	if s.Message == nil {
		return false
	}
	for ref := range s.Message.References() {
		if ref.ID != s.Reference.ID {
			return false
		}
	}
	for range s.Message.Unread() {
		return false
	}
	return s.Message.Incomplete() == nil
}

// decideOne returns the Decision about a message with one reference, without an envelope.
func (p *Policy) decideOne(s *Single, r Ref, verdict Verdict) Decision {
	rep := &Report{Verdict: verdict, Refs: []Ref{r}}
	if s.Message != nil {
		rep.header = headerOf(s.Message)
	}
	return p.Decide(rep, new(Envelope), "", nil)
}

// differs reports whether a body that was had is not a file of the kind that was announced:
// its octets contradict that, the server gives it a name of another kind, or it is a program
// and was not announced as one.
func (r *Ref) differs() bool {
	same := func(ext string) func(string) bool {
		t := mediatype.MediaType("x." + ext)
		return func(other string) bool { return other == ext || t != "" && t == mediatype.MediaType("x."+other) }
	}
	another := func(list []string, is func(string) bool) bool {
		return slices.ContainsFunc(list, func(ext string) bool { return is(ext) && !slices.ContainsFunc(r.extensions, same(ext)) })
	}
	switch {
	case r.Mismatch, another(r.finding.extensions, filekind.IsProgramName):
		return true
	case filekind.IsProgram(r.Sniffed):
		return !slices.ContainsFunc(r.extensions, filekind.IsProgramName)
	}
	return len(r.extensions) > 0 && another(r.served, func(string) bool { return true })
}
