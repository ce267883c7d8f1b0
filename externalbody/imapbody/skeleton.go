package imapbody

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mailtext"
	"github.com/go-extbody/extbody/internal/mimescan"
)

// A Skeleton says what to fetch of a message so that [externalbody.Open] finds in it
// what it would find in the whole message, with any Dialects. It has the headers, the
// texts, the message/external-body parts and the beginnings of what else they read.
// Attachments are left out. A message in which there is little to leave out is fetched
// in one piece. The methods of a Skeleton do not change it.
type Skeleton struct {
	// Whole is true if the message itself must be fetched and opened, because it has a
	// container that the server did not look into, or a text of more than 1 MiB. There
	// are no Items then.
	Whole bool

	opts  externalbody.OpenOptions
	want  *needs
	piece *imap.FetchItemBodySection // the whole message; nil if there are nodes
	nodes []*node                    // in message order, the message first
}

// NewSkeleton returns the Skeleton of a message with that structure. opts are those of
// [externalbody.Open], and may be nil.
func NewSkeleton(bs imap.BodyStructure, opts *externalbody.OpenOptions) *Skeleton {
	s := new(Skeleton)
	if opts != nil {
		s.opts = *opts
	}
	if bs == nil {
		s.Whole = true
		return s
	}
	s.want = newNeeds(s.opts.Dialects)
	planned := s.plan(bs, place{}, nil)
	if size := total(bs); size >= 0 && step(size+maxTop) <= maxText && (!planned || size-s.wanted() <= smallRest) {
		s.nodes, s.piece = nil, &imap.FetchItemBodySection{Partial: &imap.SectionPartial{Size: step(size + maxTop)}, Peek: true}
		return s
	}
	if s.Whole = !planned; s.Whole {
		s.nodes = nil
	}
	return s
}

// total returns the octets of all bodies as the server says, or -1 if it does not.
func total(bs imap.BodyStructure) int64 {
	switch bs := bs.(type) {
	case *imap.BodyStructureMultiPart:
		if unread(bs) {
			return -1
		}
		var sum int64
		for _, child := range bs.Children {
			n := total(child)
			if n < 0 {
				return -1
			}
			sum += n
		}
		return sum
	case *imap.BodyStructureSinglePart:
		if bs.MessageRFC822 != nil && bs.MessageRFC822.BodyStructure != nil {
			return max(int64(bs.Size), total(bs.MessageRFC822.BodyStructure))
		}
		return int64(bs.Size)
	}
	return -1
}

// wanted returns how many octets of bodies are asked for at least.
func (s *Skeleton) wanted() (sum int64) {
	for _, n := range s.nodes {
		sum += min(n.size, n.told)
	}
	return sum
}

// plan adds the node of bs, which is at p, and the nodes below it. It returns false if
// the whole message must be fetched.
func (s *Skeleton) plan(bs imap.BodyStructure, p place, parent *node) bool {
	n := &node{parent: parent, index: len(s.nodes), header: p.header()}
	s.nodes = append(s.nodes, n)
	if parent != nil {
		parent.children = append(parent.children, n)
	}
	switch bs := bs.(type) {
	case *imap.BodyStructureMultiPart:
		if unread(bs) {
			return false
		}
		n.contains = multipart
		base := p.multipart()
		for i, child := range bs.Children {
			if !s.plan(child, place{in: multipart, path: extend(base, i+1)}, n) {
				return false
			}
		}
		return true
	case *imap.BodyStructureSinglePart:
		kind := kindOf(bs)
		switch kind {
		case container:
			return false
		case message:
			n.contains = rfc822
			return s.plan(bs.MessageRFC822.BodyStructure, place{in: rfc822, path: p.single()}, n)
		}
		n.told = int64(bs.Size)
		if n.size = s.want.of(bs, kind); n.size > maxText {
			return false
		}
		if n.size > 0 {
			n.body = &imap.FetchItemBodySection{Part: p.single(), Partial: &imap.SectionPartial{Size: n.size}, Peek: true}
		}
		return true
	}
	return false
}

// Items returns the sections to fetch, for imap.FetchOptions.BodySection. They do not
// set the \Seen flag, and no two of them have the same name without its range.
//
//   - For each part there is BODY.PEEK[n.MIME], or BODY.PEEK[n.HEADER] for a message.
//   - If its body matters, there is a beginning of BODY.PEEK[n].
//   - For a message in one piece there is only a range of BODY.PEEK[] that should hold
//     it.
func (s *Skeleton) Items() []*imap.FetchItemBodySection {
	if s.piece != nil {
		return []*imap.FetchItemBodySection{clone(s.piece)}
	}
	var items []*imap.FetchItemBodySection
	for _, n := range s.nodes {
		items = append(items, clone(n.header))
		if n.body != nil {
			items = append(items, clone(n.body))
		}
	}
	return items
}

func clone(item *imap.FetchItemBodySection) *imap.FetchItemBodySection {
	s := *item
	s.Part = slices.Clone(item.Part)
	if item.Partial != nil {
		partial := *item.Partial
		s.Partial = &partial
	}
	return &s
}

// Open returns the message without what is left out. find returns the octets of a
// section, one of [Skeleton.Items], or nil if the server sent none. The method
// FindBodySection of an imapclient.FetchMessageBuffer is such a function.
//
// Its References look exactly like those of the whole message. What is left out cannot
// be read. Some References lead to a part of the message, by access type content-id or
// a cid: URL. To resolve them, or to rewrite the message, it must be fetched and opened
// itself. Resolve returns an error of Kind Unsupported that says so.
//
// An error is a [fetch.Error]. It never means that there is no Reference, but that the
// message itself must be fetched and opened. Its Kind is
//
//   - Protocol, if a section is missing,
//   - Malformed, if the headers do not say what the structure says, or if a text holds
//     what looks like a delimiter line,
//   - TooLarge, if a Dialect reads more of a part than is here, or if a limit was
//     reached.
func (s *Skeleton) Open(find func(*imap.FetchItemBodySection) []byte) (*externalbody.Message, error) {
	if s.Whole {
		return nil, &fetch.Error{Op: "read", Kind: fetch.Unsupported, Err: errors.New("the message has to be fetched whole")}
	}
	if s.piece != nil {
		return s.openPiece(find(clone(s.piece)))
	}
	r := &partial{nodes: make([]laid, 0, len(s.nodes))}
	if err := r.add(s.nodes[0], find); err != nil {
		return nil, err
	}
	opts := s.opts
	opts.Dialects = r.watch(opts.Dialects)
	m, err := open(r, int64(len(r.text)), &opts)
	if r.missed {
		return nil, &fetch.Error{Op: "read", Kind: fetch.TooLarge, Err: errOmitted}
	}
	if err != nil {
		return nil, err
	}
	index, _ := mimescan.IndexOf(m.Reader())
	if err := r.check(index, s.nodes, s.want); err != nil {
		return nil, &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: err}
	}
	r.sealed = true
	return m, nil
}

// openPiece opens a message that was fetched in one piece.
func (s *Skeleton) openPiece(text []byte) (*externalbody.Message, error) {
	switch size := int64(len(text)); {
	case text == nil:
		return nil, errMissing(s.piece)
	case size >= s.piece.Partial.Size:
		return nil, &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: errCut}
	default:
		return open(bytes.NewReader(text), size, &s.opts)
	}
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

// A node is a part of a message, as the server described it.
type node struct {
	parent   *node
	index    int // in Skeleton.nodes
	children []*node
	contains enclosure // of its children; nothing for a part that has none

	header *imap.FetchItemBodySection
	body   *imap.FetchItemBodySection // nil if it is left out
	size   int64                      // how much of it is asked for
	told   int64                      // how much of it there is, as the server says
}

const (
	// maxText bounds a body that is fetched without the message.
	maxText = 1 << 20

	// smallBody bounds a body that is fetched whatever it is: it costs no more than its
	// header.
	smallBody = 4 << 10

	// maxTop bounds the headers of a message that is fetched in one piece. Nearly all
	// are much smaller.
	maxTop = 24 << 10

	// smallRest bounds what is fetched of a message although it could be left out.
	smallRest = 8 << 10

	// maxPrefix is how much Open compares with the Prefixes of a Dialect.
	maxPrefix = 128
)

// steps are the sizes with which bodies are asked for. There are few of them, so that a
// client can ask for the same sections of many messages at once.
var steps = [...]int64{16 << 10, 64 << 10, 256 << 10, maxText}

// step returns the size with which to ask for a whole body of that size. It is larger
// than the body, so that it is known whether all of it came.
func step(size int64) int64 {
	for _, s := range steps {
		if size < s {
			return s
		}
	}
	return size + 1
}

// needs says what Dialects read besides headers.
type needs struct {
	texts    bool     // the text/html and text/plain parts
	prefixes bool     // the beginnings of bodies
	types    []string // the bodies of parts of these types
}

func newNeeds(dialects []externalbody.Dialect) *needs {
	n := new(needs)
	for _, d := range dialects {
		n.texts = n.texts || d.Text != nil
		if d.Read != nil {
			n.prefixes = n.prefixes || len(d.Prefixes) > 0
			n.types = append(n.types, d.Types...)
		}
	}
	return n
}

// of returns how much of the body of a part to ask for. 0 means nothing, and more than
// maxText means that it is too much.
func (w *needs) of(bs *imap.BodyStructureSinglePart, k kind) int64 {
	size := int64(bs.Size)
	media := strings.ToLower(strings.TrimSpace(bs.Type)) + "/" + subtype(bs.Subtype)
	if k == reference || w.texts && isText(media) || size <= smallBody || slices.Contains(w.types, media) {
		return step(size)
	}
	if w.prefixes && !encoded(bs.Encoding) {
		return maxPrefix
	}
	return 0
}

func isText(media string) bool { return mailtext.IsHTML(media) || mailtext.IsPlain(media) }

// complete reports whether Open reads the whole body of a part.
func (w *needs) complete(p *mimescan.Part) bool {
	return p.Encoded || p.Type == "message/external-body" ||
		w.texts && isText(p.Type) && p.Encoding != mimescan.OtherEncoding
}

// prefix reports whether Open reads the beginning of the body of a part.
func (w *needs) prefix(p *mimescan.Part) bool {
	return w.prefixes && p.Encoding == mimescan.Identity && !mimescan.IsMultipart(p.Type)
}

var (
	errOmitted   = errors.New("a part that was not fetched is looked at")
	errStructure = errors.New("the message has another structure than the server says")
	errCut       = errors.New("a part has more octets than the server says")
)

func errMissing(item *imap.FetchItemBodySection) error {
	return &fetch.Error{Op: "read", Kind: fetch.Protocol, Err: fmt.Errorf("the server did not send %s", name(item))}
}
