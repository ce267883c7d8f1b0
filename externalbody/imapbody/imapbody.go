// Package imapbody opens messages on an IMAP server without fetching them whole.
//
// [Open] reads a BODYSTRUCTURE, which a server has for each message, and asks a [Source] for the
// sections that may hold references: headers, texts and message/external-body parts, without
// attachments. These are usually a few hundred octets. The Message has the same References, with
// the same IDs, as [externalbody.Open] finds in the whole message. Where sections are not enough,
// Open asks the Source for the message.
//
//	msg, err := imapbody.Open(ctx, source, imapbody.GoIMAP(m.BodyStructure), m.RFC822Size, opts)
//
// The package holds no client and contacts no server: a Source is a few lines around the client that
// a program has. [Part] and [Section] know no client either. [GoIMAP] and [Section.Item] are for
// go-imap v2; a client of go-imap v1 takes the String of a Section.
//
// # Trust
//
// BODYSTRUCTURE only shows where to look. Servers cut parameters short,
// decode them, join them and keep the last of two. The content of a part is therefore read
// from its own header. HEADER and TEXT of a message/external-body part are never asked
// for: it is a basic part to IMAP (RFC 9051 section 9), and servers disagree on the sections that
// they are. BINARY is not asked for either.
//
// # Limits
//
// Without Dialects a part whose type the server reports as another one is not noticed if no other
// part may hold references. Some servers do that with a Content-Type that they cannot read. A
// delimiter line that the server took for a line of an attachment is not noticed either. Both are
// found by fetching the message and opening it.
package imapbody

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A Source has the octets of one message.
type Source interface {
	// Sections returns the octets of each section, in their order. A section that the
	// server did not send is nil, and one that is empty is not. No two of the sections have the same
	// name in their brackets. All can be fetched by one command.
	Sections(ctx context.Context, sections []Section) ([][]byte, error)

	// Whole returns the message and its number of octets. It must stay readable until the
	// last Body of the Message is closed. A Source that gives sections alone returns
	// externalbody.ErrWholeMessage.
	Whole(ctx context.Context) (r io.ReaderAt, size int64, err error)
}

// Open opens a message with that structure and RFC822.SIZE. opts are the options of
// [externalbody.Open], and may be nil. A size of 0 or less, or of more than 1 TiB, counts as not
// known. A structure of nil is one that the server does not have.
//
// At most one call of Sections of src comes first, and then at most one call of Whole:
//
//   - If opts has no Dialects, and no part of the structure may be a message/external-body, nothing
//     is asked for. The Message has no References and no Sender then.
//   - A short message is asked for in one piece.
//   - Of others the sections are asked for that References may be in. If the size is known,
//     the start of the message stands for its first parts, which is cheaper for the server.
//   - The whole message is asked for if the server did not look into a part that may hold
//     references, if a text has more than 1 MiB, if the sections are not what the
//     structure says, if a limit of opts or a Dialect needs more of it, and if a Reference leads
//     into the message or is relative to a place in it.
//
// An attachment of a Message of sections cannot be read: to rewrite a message, get it whole.
//
// Errors of src are returned as they are. If Whole returns [externalbody.ErrWholeMessage], a
// Message is returned of which only some References cannot be resolved. If there is none, the error
// is a [fetch.Error] that says why the sections were not enough: of Kind
//
//   - Protocol, if the server did not send a section,
//   - Malformed, if the sections differ from the structure,
//   - TooLarge, if a limit was reached or a Dialect reads more of a part,
//   - Unsupported, if no sections could be named.
//
// An error never means that the message has no References.
func Open(ctx context.Context, src Source, structure Part, size int64, opts *externalbody.OpenOptions) (*externalbody.Message, error) {
	if structure != nil && (opts == nil || len(opts.Dialects) == 0) && !mayRefer(structure) {
		return externalbody.Open(strings.NewReader(""), 0, opts)
	}
	s := newSizedSkeleton(structure, size, opts)
	m, why, err := s.fetch(ctx, src)
	if err != nil || m != nil && !leadsIntoMessage(m) {
		return m, err
	}
	r, n, err := src.Whole(ctx)
	switch {
	case err == nil:
		return externalbody.Open(r, n, opts)
	case !errors.Is(err, externalbody.ErrWholeMessage):
		return nil, err
	case m != nil:
		return m, nil
	}
	return nil, why
}

// fetch opens the message from sections. If they are not enough, why says so. err is of src.
func (s *skeleton) fetch(ctx context.Context, src Source) (m *externalbody.Message, why, err error) {
	if s.whole {
		return nil, &fetch.Error{Op: "read", Kind: fetch.Unsupported, Err: errors.New("the message has to be fetched whole")}, nil
	}
	sections := s.sections()
	octets, err := src.Sections(ctx, sections)
	if err != nil {
		return nil, nil, err
	}
	if len(octets) != len(sections) {
		return nil, nil, &fetch.Error{Op: "read", Kind: fetch.Local, Err: fmt.Errorf("%d sections from the Source, not %d", len(octets), len(sections))}
	}
	found := make(map[string][]byte, len(sections))
	for i, s := range sections {
		found[s.name()] = octets[i]
	}
	m, why = s.open(func(s Section) []byte { return found[s.name()] })
	return m, why, nil
}

// leadsIntoMessage reports whether a Reference needs the message around it to be resolved: for
// a part with its Content-ID, or for the place that its URL is relative to.
func leadsIntoMessage(m *externalbody.Message) bool {
	for ref := range m.References() {
		if ref.AccessType == "content-id" {
			return true
		}
		if ref.AccessType == "url" {
			if u, err := ref.Locate(); err != nil || u.Scheme == "cid" || u.Scheme == "mid" || !u.IsAbs() {
				return true
			}
		}
	}
	return false
}
