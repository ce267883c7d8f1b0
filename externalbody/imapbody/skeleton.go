package imapbody

import (
	"bytes"
	"cmp"
	"io"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// A skeleton has the sections to fetch of a message so that [externalbody.Open] finds
// in them everything that it would find in the whole message, with any Dialects. It has
// the headers, the texts, the message/external-body parts and the starts of other
// parts that they read. Attachments are left out. A message in which there is little to
// leave out is fetched in one piece.
type skeleton struct {
	// whole is true if the message itself must be fetched and opened, because it has a
	// container that the server did not look into, or a text of more than 1 MiB. There
	// are no sections then.
	whole bool

	opts   externalbody.OpenOptions
	size   int64   // RFC822.SIZE; 0 if it is not known
	bodies int64   // the octets of all bodies as the server counts them; -1 if it does not
	piece  int64   // how much of the start of the message is asked for; 0 is nothing
	cut    *node   // the part in which the piece ends; nil if it is all of the message
	nodes  []*node // in message order, the message first; nil if cut is and there is a piece
}

// newSkeleton returns the skeleton of a message of unknown size.
func newSkeleton(p Part, opts *externalbody.OpenOptions) *skeleton {
	s, planned := newPlan(p, opts)
	if s.bodies < 0 || step(s.bodies+maxTop) > maxText {
		return s
	}
	if !planned || s.bodies-s.wanted() <= smallRest {
		s.inOnePiece(step(s.bodies + maxTop))
	}
	return s
}

// newSizedSkeleton is newSkeleton for a message whose RFC822.SIZE is known too. The
// skeleton has fewer sections, which are cheaper for the server: instead of the first
// headers and bodies there is the start of the message that holds all of them.
//
// The structure and the size only decide how much to fetch. If the start turns out to
// be too short, or the message ends before it should, open returns an error.
func newSizedSkeleton(p Part, size int64, opts *externalbody.OpenOptions) *skeleton {
	if p == nil || size <= 0 || size > maxSize {
		return newSkeleton(p, opts)
	}
	s, planned := newPlan(p, opts)
	s.size = size
	cut, before := s.firstCut()
	if !planned || cut == nil {
		if n := roundUp(size + 1); n <= maxText {
			s.inOnePiece(n)
		}
		return s
	}
	// Besides the bodies there are headers, delimiter lines and the text around parts.
	// Most of it is in the start.
	around := size
	for _, n := range s.nodes {
		around -= n.told
	}
	if n := roundUp(around + before + cut.size); around > 0 && n <= maxText {
		s.piece = n
		s.cut = cut
	}
	return s
}

// newPlan returns a skeleton without a piece. planned is false, and whole true, if
// the message must be fetched whole.
func newPlan(p Part, opts *externalbody.OpenOptions) (s *skeleton, planned bool) {
	s = new(skeleton)
	s.opts = *cmp.Or(opts, new(externalbody.OpenOptions))
	s.bodies = -1
	if p == nil {
		s.whole = true
		return s, false
	}
	s.bodies = total(p)
	if s.plan(p, nil, place{}) == nil {
		s.whole = true
		s.nodes = nil
	}
	return s, !s.whole
}

// inOnePiece makes s the skeleton of a message to be fetched in one piece, which has fewer than
// n octets.
func (s *skeleton) inOnePiece(n int64) {
	s.whole = false
	s.nodes = nil
	s.piece = n
}

// firstCut returns the part in which the start ends that is asked for, and how many
// octets the bodies before it have. It is the first whose body is left out, but for
// some small ones. It is nil if all are large.
func (s *skeleton) firstCut() (cut *node, before int64) {
	left := int64(0)
	for i, n := range s.nodes {
		if n.size < n.told {
			if left += n.told; left > smallRest || i == len(s.nodes)-1 {
				return n, before
			}
		}
		before += n.told
	}
	return nil, before
}

// total returns the octets of all bodies as the server counts them, or -1 if it does not.
func total(p Part) int64 {
	children := p.Children()
	switch kindOf(p, children) {
	case multipart:
		var sum int64
		for _, child := range children {
			n := total(child)
			if n < 0 {
				return -1
			}
			sum += n
		}
		return sum
	case container:
		if message.IsMultipart(mediaType(p)) && p.Size() == 0 {
			return -1
		}
	}
	if len(children) == 1 && message.IsMessage(mediaType(p)) {
		return max(p.Size(), total(children[0]))
	}
	return p.Size()
}

// wanted returns how many octets of bodies are asked for at least.
func (s *skeleton) wanted() (sum int64) {
	for _, n := range s.nodes {
		sum += min(n.size, n.told)
	}
	return sum
}

// plan adds the node of p, which is at a place in parent, and the nodes below it. It returns
// nil if the whole message must be fetched.
func (s *skeleton) plan(p Part, parent *node, at place) *node {
	n := &node{place: at, parent: parent, index: len(s.nodes)}
	s.nodes = append(s.nodes, n)
	children := p.Children()
	kind := kindOf(p, children)
	if kind == multipart || kind == messagePart {
		for i, child := range children {
			within := at.message()
			if kind == multipart {
				within = at.part(i + 1)
			}
			c := s.plan(child, n, within)
			if c == nil {
				return nil
			}
			n.children = append(n.children, c)
		}
		return n
	}
	n.told = p.Size()
	n.size = needs(s.opts.Dialects).of(p, kind)
	if kind == container || n.size > maxText {
		return nil
	}
	return n
}

// sections returns the sections to fetch. No two of them have the same name.
//
//   - For each part there is BODY.PEEK[n.MIME], or BODY.PEEK[n.HEADER] for a message.
//   - If its body matters, there is a start of BODY.PEEK[n].
//   - For a message in one piece there is only a range of BODY.PEEK[] that should hold
//     it.
//   - If its size is known, there can be a start of BODY.PEEK[] for the first
//     parts, and the others only for those that it does not hold.
func (s *skeleton) sections() []Section {
	sections := make([]Section, 0, 1+2*len(s.rest()))
	if s.piece > 0 {
		sections = append(sections, s.beginning())
	}
	for _, n := range s.rest() {
		sections = append(sections, n.place.header())
		if n.size > 0 {
			sections = append(sections, n.place.body(n.size))
		}
	}
	return sections
}

// beginning returns the section that has the start of the message.
func (s *skeleton) beginning() Section { return Section{Size: s.piece} }

// after returns the section that has to be empty for text to be all of the message. ok is false
// if that is known without it.
func (s *skeleton) after(text []byte) (after Section, ok bool) {
	n := int64(len(text))
	announced := n > 0 && n == s.size
	if text == nil || n >= s.piece || announced {
		return Section{}, false
	}
	return Section{Offset: n, Size: s.piece - n}, true
}

// rest returns the nodes of which sections are asked for.
func (s *skeleton) rest() []*node {
	if s.cut != nil {
		return s.nodes[s.cut.index+1:]
	}
	return s.nodes
}

// open returns the message without the parts that are left out. find returns the octets of a
// section, or nil if the server sent none.
//
// Its References look exactly like the References of the whole message. An error is a
// [fetch.Error]. It never means that the message has no Reference, but that the
// message itself must be fetched and opened.
func (s *skeleton) open(find func(Section) []byte) (*externalbody.Message, error) {
	if s.piece == 0 {
		r := &partial{nodes: make([]laid, 0, len(s.nodes))}
		if err := r.add(s.nodes[0], find); err != nil {
			return nil, err
		}
		return s.openPartial(r)
	}
	section := s.beginning()
	text := find(section)
	switch size := int64(len(text)); {
	case text == nil:
		return nil, errMissing(section)
	case size < s.piece:
		if err := s.lacks(text); err != nil {
			return nil, err
		}
		return open(bytes.NewReader(text), size, &s.opts)
	case s.cut == nil:
		return nil, &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: errCut}
	}
	r := &partial{nodes: make([]laid, 0, len(s.nodes))}
	if err := r.begin(text, s.cut, s.nodes, find); err != nil {
		return nil, err
	}
	return s.openPartial(r)
}

// lacks returns an error if text, after which the server has nothing, may not be all of the message.
func (s *skeleton) lacks(text []byte) error {
	var e message.Extent
	e.Write(text)
	if e.Against(s.size, s.bodies) != message.Whole {
		return &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: errShort}
	}
	return nil
}

// openPartial opens the message that was put together.
func (s *skeleton) openPartial(r *partial) (*externalbody.Message, error) {
	size := r.size()
	index, err := message.Scan(
		r, size, message.Limits{Depth: s.opts.MaxDepth, Parts: s.opts.MaxParts, HeaderBytes: max(0, s.opts.MaxHeaderBytes)},
	)
	switch {
	case err != nil:
		return nil, &fetch.Error{Op: "read", Kind: fetch.Local, Err: err}
	case index.Limit != nil:
		return nil, &fetch.Error{Op: "read", Kind: fetch.TooLarge, Err: index.Limit}
	}
	if err := r.check(index, s.nodes, s.opts.Dialects); err != nil {
		return nil, &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: err}
	}
	r.opening = true
	m, err := open(message.IndexedReader{ReaderAt: r, Index: index}, size, &s.opts)
	r.opening = false
	r.sealed = true
	if r.missed {
		return nil, &fetch.Error{Op: "read", Kind: fetch.TooLarge, Err: errOmitted}
	}
	return m, err
}

// open is externalbody.Open, except that a limit is an error.
func open(r io.ReaderAt, size int64, opts *externalbody.OpenOptions) (*externalbody.Message, error) {
	m, err := externalbody.Open(r, size, opts)
	if err != nil {
		return nil, &fetch.Error{Op: "read", Kind: fetch.Local, Err: err}
	}
	if err := m.Incomplete(); err != nil {
		return nil, &fetch.Error{Op: "read", Kind: fetch.TooLarge, Err: err}
	}
	return m, nil
}
