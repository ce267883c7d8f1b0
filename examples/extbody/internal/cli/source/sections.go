package source

import (
	"slices"
	"sync/atomic"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapsession"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/imapbody"
)

// A sections says which sections of the messages of a mailbox may hold references, and
// reads them. Several goroutines may call its methods at once.
type sections struct {
	opts       *externalbody.OpenOptions
	candidates bool // references are in the standard form alone
	resolve    bool

	opened, misjudged atomic.Int64 // messages, and those whose sections were not as expected
}

func (s *Servers) sections() *sections {
	return &sections{opts: s.Options(), candidates: s.Standard(), resolve: s.Resolve}
}

// want is an imapsession.Want. The Plan of a message is the Skeleton of which the
// sections are wanted, or nil if only the sections of Candidates are.
func (s *sections) want(bs imap.BodyStructure, size int64) (w imapsession.Wanted) {
	if !s.candidates {
		return s.skeleton(bs, size)
	}
	for c := range imapbody.Candidates(bs) {
		if c.Whole {
			return imapsession.Wanted{Whole: true}
		}
		if s.resolve {
			// The sections include the header of the message, which names its sender,
			// and all other headers.
			return s.skeleton(bs, size)
		}
		for _, item := range c.Items() {
			item.Partial = nil // the session bounds sections itself
			w.Sections = append(w.Sections, item)
		}
	}
	return w
}

func (s *sections) skeleton(bs imap.BodyStructure, size int64) imapsession.Wanted {
	if s.wrongSizes() {
		size = 0
	}
	skeleton := imapbody.NewSizedSkeleton(bs, size, s.opts)
	return imapsession.Wanted{Sections: skeleton.Items(), Whole: skeleton.Whole, Plan: skeleton}
}

// wrongSizes reports whether so many messages were misjudged that the sizes of the
// server seem to be wrong. Each of those is read whole, however large it is.
func (s *sections) wrongSizes() bool {
	n := s.misjudged.Load()
	return n > 16 && n > s.opened.Load()/16
}

// read returns the references of a message from the sections that were fetched. whole
// is nil if only Candidates were read.
func (s *sections) read(m *imapsession.Message) (whole *externalbody.Message, refs []*externalbody.Reference, err error) {
	if skeleton, ok := m.Plan.(*imapbody.Skeleton); ok {
		s.opened.Add(1)
		if whole, err = skeleton.Open(m.Section); err != nil {
			s.misjudged.Add(1)
			return nil, nil, err
		}
		return whole, slices.Collect(whole.References()), nil
	}
	for c := range imapbody.Candidates(m.Structure) {
		more, err := c.References(m.Section)
		if err != nil {
			return nil, nil, err
		}
		refs = append(refs, more...)
	}
	return nil, refs, nil
}
