package imapbody

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// maxBody is how much of the body of a message/external-body part is asked for. It is
// as much as [externalbody.Open] reads of a phantom header and of the rest.
const maxBody = 512 << 10

// A Candidate is a part of a message that may hold references. Its methods do not
// change it.
type Candidate struct {
	// Section is the part specifier of the part (RFC 9051 section 6.4.5.1), which
	// becomes the ID of its Reference. For a container that is a multipart it is the text that
	// precedes the numbers of its parts; "" for the message.
	Section string

	// Whole is true if the whole part must be fetched, because it is a container that
	// the server did not look into. This is rare, and the part can be large. Such
	// containers are
	//
	//   - a message or multipart under base64, quoted-printable or x-uuencode,
	//   - a message/news,
	//   - a multipart in which the server found no part,
	//   - a message of S/MIME.
	Whole bool

	// Size is the number of octets of the part without its header, as the server counts them;
	// -1 if it does not.
	Size int64

	place place
}

// Items returns the sections to fetch, for imap.FetchOptions.BodySection. They do not
// set the \Seen flag. For a message/external-body part in a multipart they are
// BODY.PEEK[n.MIME] and the beginning of BODY.PEEK[n]. For one that is itself a message
// they are BODY.PEEK[HEADER] and the beginning of BODY.PEEK[1].
//
// The items of several candidates of one message can be fetched together.
func (c *Candidate) Items() []*imap.FetchItemBodySection {
	if c.Whole {
		return c.place.whole()
	}
	return []*imap.FetchItemBodySection{
		c.place.header(),
		c.place.body(maxBody),
	}
}

// References returns the references in the part, in message order. find returns the
// octets of a section, one of [Candidate.Items], or nil if the server sent none. The
// method FindBodySection of an imapclient.FetchMessageBuffer is such a function. The
// References keep the results of find.
//
// They equal the References of [externalbody.Open], except that they do not know the message
// around them. Two kinds of references lead into it, and the message must be opened to
// resolve them:
//
//   - one of access type content-id or with a cid: URL, for which Resolve returns an
//     error of Kind Unsupported,
//   - one that is relative to the Content-Location of an enclosing part.
//
// An error is a [fetch.Error]. It is Malformed if the part that the server calls a
// message/external-body is not one. It is Protocol if a section is missing, which never
// means that the part has no reference: some IMAP clients drop sections without an error,
// and some servers answer NIL.
func (c *Candidate) References(find func(*imap.FetchItemBodySection) []byte) ([]*externalbody.Reference, error) {
	var sections [][]byte
	for _, item := range c.Items() {
		octets := find(item)
		if octets == nil {
			return nil, c.fault(fetch.Protocol, fmt.Errorf("the server did not send %s", name(item)))
		}
		sections = append(sections, octets)
	}
	if c.Whole {
		return c.open(bytes.Join(sections, nil))
	}
	header := sections[0]
	if len(bytes.TrimSpace(header)) == 0 {
		return nil, c.fault(fetch.Protocol, errors.New("the server sent no header"))
	}
	ref, err := externalbody.ReadRaw(header, sections[1])
	if err != nil {
		return nil, c.fault(fetch.Malformed, errors.New("the header is not that of a message/external-body"))
	}
	ref.Diags = append(headerDiags(header), ref.Diags...)
	rename(ref, c.Section)
	return []*externalbody.Reference{ref}, nil
}

// open reads a container with its header.
func (c *Candidate) open(entity []byte) ([]*externalbody.Reference, error) {
	r := bytes.NewReader(entity)
	m, err := externalbody.Open(r, r.Size(), nil)
	if err != nil {
		return nil, c.fault(fetch.Local, err)
	}
	index, _ := message.IndexOf(m.Reader())
	isMultipart := index.Root().Section() == ""
	var refs []*externalbody.Reference
	for ref := range m.References() {
		rename(ref, c.relocate(ref.ID, isMultipart))
		refs = append(refs, ref)
	}
	if err := m.Incomplete(); err != nil {
		return refs, c.fault(fetch.TooLarge, err)
	}
	return refs, nil
}

// relocate returns the section in the message of the part with the section id in the part,
// taken as a message of its own.
func (c *Candidate) relocate(id string, isMultipart bool) string {
	if !isMultipart {
		return section(c.place.single()) + strings.TrimPrefix(id, "1")
	}
	if base := section(c.place.path); base != "" {
		return base + "." + id
	}
	return id
}

// rename makes section the place of ref.
func rename(ref *externalbody.Reference, section string) {
	ref.ID = section
	for i := range ref.Origins {
		ref.Origins[i].Section = section
	}
}

// headerDiags returns the Diags of Open for the header of a part.
func headerDiags(header []byte) (diags []externalbody.Diag) {
	found := scan(header).Root().Diag
	if found.Has(message.HeaderTooLong) {
		diags = append(diags, externalbody.Diag{Code: externalbody.DiagHeaderTooLong})
	}
	if found.Has(message.DuplicateField) {
		diags = append(diags, externalbody.Diag{Code: externalbody.DiagRepeatedField})
	}
	return diags
}

func (c *Candidate) fault(kind fetch.Kind, err error) error {
	if c.Section != "" {
		err = fmt.Errorf("part %s: %w", c.Section, err)
	}
	return &fetch.Error{Op: "read", Kind: kind, Err: err}
}

// name returns an item as IMAP writes it, without its range.
func name(item *imap.FetchItemBodySection) string {
	s := section(item.Part)
	if s != "" && item.Specifier != "" {
		s += "."
	}
	return "BODY[" + s + string(item.Specifier) + "]"
}

// A place is where a part is in the message. The zero place is the message.
type place struct {
	multipart bool  // the part is in one, and is not a message
	path      []int // of the part, or of the part around a message
}

// part returns the place of a part of the multipart at p, from 1. A multipart that is a
// message has no number of its own (RFC 9051 section 6.4.5.1).
func (p place) part(number int) place { return place{true, extend(p.path, number)} }

// message returns the place of the message in the part at p.
func (p place) message() place { return place{path: p.single()} }

// single returns the numbers of the part at p if it is not a multipart.
func (p place) single() []int {
	if p.multipart {
		return p.path
	}
	return extend(p.path, 1)
}

// header returns the section that has the header of the part at p. The header of a
// message is not a MIME header. RFC 9051 section 6.4.5.1 leaves open whether n.1.MIME is
// for the message within part n if that is not a multipart.
func (p place) header() *imap.FetchItemBodySection {
	s := &imap.FetchItemBodySection{Part: slices.Clone(p.path), Specifier: imap.PartSpecifierHeader, Peek: true}
	if p.multipart {
		s.Specifier = imap.PartSpecifierMIME
	}
	return s
}

// body returns the section that has the first octets of the body of the part at p.
func (p place) body(size int64) *imap.FetchItemBodySection {
	return &imap.FetchItemBodySection{Part: slices.Clone(p.single()), Partial: &imap.SectionPartial{Size: size}, Peek: true}
}

// whole returns the sections that together are the part at p with its header, one after
// another.
func (p place) whole() []*imap.FetchItemBodySection {
	body := &imap.FetchItemBodySection{Part: slices.Clone(p.path), Peek: true}
	if p.multipart {
		return []*imap.FetchItemBodySection{p.header(), body}
	}
	return []*imap.FetchItemBodySection{body}
}

// extend returns a copy of path with n at its end.
func extend(path []int, n int) []int { return append(slices.Clone(path), n) }

// section returns the text of a path.
func section(path []int) string {
	var b strings.Builder
	for i, n := range path {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}
