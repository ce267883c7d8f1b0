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
// If the server reports a message/external-body part as another type, Open without Dialects finds it
// only if it looks into the message for another part. Some servers do that with a Content-Type that
// they cannot read. A delimiter line that the server took for a line of an attachment is not noticed
// either. Both are
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
	"github.com/go-extbody/extbody/internal/mime/message"
)

// A Source has the octets of one message.
type Source interface {
	// Sections returns the octets of each section, in their order: all of them, or an
	// error. A section has fewer octets than its Size only if the server has no more. One that
	// the server did not send is nil, and one that is empty is not. No two of the sections have the
	// same name in their brackets. All can be fetched by one command.
	Sections(ctx context.Context, sections []Section) ([][]byte, error)

	// Whole returns the message and its number of octets: all of them, or an error. A short
	// answer of a server is not the end of the message, unless it is as long as announced or a
	// range that begins after it is empty. The message must stay readable until the
	// last Body of the Message is closed. A Source that gives sections alone returns
	// externalbody.ErrWholeMessage.
	Whole(ctx context.Context) (r io.ReaderAt, size int64, err error)
}

// Open opens a message with that structure and RFC822.SIZE. opts are the options of
// [externalbody.Open], and may be nil. A size of 0 or less, or of more than 1 TiB, counts as not
// known. structure is nil if the server has none.
//
// Sections of src is called first, and then Whole, each at most once but for one range:
//
//   - If opts has no Dialects, and no part of the structure may be a message/external-body, nothing
//     is asked for. The Message has no References and no Sender then.
//   - A short message is asked for in one piece.
//   - Of others the sections are asked for that References may be in. If the size is known,
//     the start of the message stands for its first parts, which is cheaper for the server.
//   - A start of the message that is shorter than asked for, and is not as long as size, is followed
//     by one more call of Sections, for the range after it. It is the message only if that range is
//     empty.
//   - The whole message is asked for if the server did not look into a part that may hold
//     references, if a text has more than 1 MiB, if the sections differ from the
//     structure or are shorter, if a limit of opts or a Dialect needs more of it, and if a
//     Reference leads into the message or is relative to a place in it.
//
// A size that is wrong costs one range and does no harm. A message of Whole that has no octets, or
// that is shorter than size and has no room for the bodies of the structure, is an error of Kind
// Protocol.
//
// An attachment of a Message of sections cannot be read: to rewrite a message, get it whole.
//
// Errors of src are returned as they are. If Whole returns [externalbody.ErrWholeMessage], Open
// returns the Message all the same if only some of its References cannot be resolved without the
// rest. Otherwise the error is a [fetch.Error] with the reason why the sections were not enough. Its
// Kind is
//
//   - Protocol, if the server did not send a section, or sent the start of the message in pieces,
//   - Malformed, if the sections differ from the structure, or have fewer octets than in it,
//   - TooLarge, if a limit was reached or a Dialect reads more of a part,
//   - Unsupported, if no sections could be named.
//
// An error never means that the message has no References.
func Open(ctx context.Context, src Source, structure Part, size int64, opts *externalbody.OpenOptions) (*externalbody.Message, error) {
	standard := opts == nil || len(opts.Dialects) == 0
	if structure != nil && standard && !mayRefer(structure) {
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
		if err := s.cutShort(r, n); err != nil {
			return nil, err
		}
		return externalbody.Open(r, n, opts)
	case !errors.Is(err, externalbody.ErrWholeMessage):
		return nil, err
	case m != nil:
		return m, nil
	}
	return nil, why
}

// cutShort returns an error if r cannot be all of the message.
func (s *skeleton) cutShort(r io.ReaderAt, n int64) error {
	if n > 0 && n >= s.size {
		return nil // also without a size: Whole promises all of it
	}
	var e message.Extent
	if _, err := io.Copy(&e, io.NewSectionReader(r, 0, n)); err != nil {
		return &fetch.Error{Op: "read", Kind: fetch.Local, Err: err}
	}
	if e.Against(s.size, s.bodies) == message.Cut {
		return &fetch.Error{Op: "read", Kind: fetch.Protocol, Err: errShort}
	}
	return nil
}

// fetch opens the message from sections. If they are not enough, why says so. err is of src.
func (s *skeleton) fetch(ctx context.Context, src Source) (m *externalbody.Message, why, err error) {
	if s.whole {
		return nil, &fetch.Error{
			Op: "read", Kind: fetch.Unsupported, Err: errors.New("the message has to be fetched whole"),
		}, nil
	}
	sections := s.sections()
	octets, err := ask(ctx, src, sections)
	if err != nil {
		return nil, nil, err
	}
	found := make(map[string][]byte, len(sections))
	for i, s := range sections {
		found[s.name()] = octets[i]
	}
	if after, ok := s.after(found[s.beginning().name()]); ok {
		more, err := ask(ctx, src, []Section{after})
		switch {
		case err != nil:
			return nil, nil, err
		case len(more[0]) > 0:
			return nil, &fetch.Error{Op: "read", Kind: fetch.Protocol, Err: errPieces}, nil
		}
	}
	m, why = s.open(func(s Section) []byte { return found[s.name()] })
	return m, why, nil
}

// ask calls Sections of src.
func ask(ctx context.Context, src Source, sections []Section) ([][]byte, error) {
	octets, err := src.Sections(ctx, sections)
	if err != nil {
		return nil, err
	}
	if len(octets) != len(sections) {
		err := fmt.Errorf("%d sections from the Source, not %d", len(octets), len(sections))
		return nil, &fetch.Error{Op: "read", Kind: fetch.Local, Err: err}
	}
	return octets, nil
}

// leadsIntoMessage reports whether a Reference needs the message around it to be resolved: for
// a part with its Content-ID, or for the place that its URL is relative to.
func leadsIntoMessage(m *externalbody.Message) bool {
	for ref := range m.References() {
		if ref.InMessage() {
			return true
		}
		if ref.AccessType == "url" {
			u, err := ref.Locate()
			if err != nil || !u.IsAbs() {
				return true
			}
			if u.Scheme == "cid" || u.Scheme == "mid" {
				return true
			}
		}
	}
	return false
}
