// Package imapbody lists the sections to fetch from an IMAP server to find the references in its
// messages without fetching the messages.
//
// [Candidates] reads a BODYSTRUCTURE, which a server has for each message, and yields
// the parts that may hold references. Each [Candidate] names the sections that hold what
// it refers to. These are usually a few hundred octets. From them it makes the same
// References, with the same IDs, as [externalbody.Open] makes from the whole message.
//
//	for c := range imapbody.Candidates(msg.BodyStructure) {
//		sections, err := client.Fetch(uid, &imap.FetchOptions{BodySection: c.Items()}).Collect()
//		...
//		refs, err := c.References(sections[0].FindBodySection)
//	}
//
// [NewSkeleton] also finds the References of Dialects, which are in header fields and
// texts. It names the sections without attachments, and opens them like the
// message, with the same result.
//
// The package holds no client and contacts no server. Several goroutines may call all its
// functions at once.
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
// A part whose type the server reports as another one is not a candidate. Some servers
// do that with a Content-Type that they cannot read. Such parts are found by fetching
// the message and opening it.
//
// A [Skeleton] notices this, since it has all headers. It does not notice a delimiter
// line that the server took for a line of an attachment.
package imapbody

import (
	"iter"
	"strings"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/smime"
)

// Candidates yields the parts of a message that may hold references, in message order.
// It enters message/rfc822 parts, which BodyStructure.Walk does not. A nil bs has none.
//
// Candidates are the message/external-body parts, even if the server took parameters
// for a part of the subtype. They are also the containers that the server did not look
// into; see [Candidate].Whole.
func Candidates(bs imap.BodyStructure) iter.Seq[*Candidate] {
	return func(yield func(*Candidate) bool) {
		walk(bs, place{}, yield)
	}
}

// walk yields the candidates in bs, which is at p. It returns false to stop.
func walk(bs imap.BodyStructure, p place, yield func(*Candidate) bool) bool {
	switch bs := bs.(type) {
	case *imap.BodyStructureMultiPart:
		if unread(bs) {
			return yield(&Candidate{Section: section(p.path), Whole: true, Size: -1, place: p})
		}
		for i, child := range bs.Children {
			if !walk(child, p.part(i+1), yield) {
				return false
			}
		}
	case *imap.BodyStructureSinglePart:
		switch kind := kindOf(bs); kind {
		case reference, container:
			return yield(&Candidate{Section: section(p.single()), Whole: kind == container, Size: int64(bs.Size), place: p})
		case messagePart:
			return walk(bs.MessageRFC822.BodyStructure, p.message(), yield)
		}
	}
	return true
}

// unread reports whether the server found no part in a multipart. That happens with a
// multipart under a transfer encoding, and with one whose delimiter lines the server
// does not recognize.
//
// QUIRK: the grammar has no multipart without parts (RFC 9051 section 9), and dovecot
// gives it an empty text part.
func unread(bs *imap.BodyStructureMultiPart) bool {
	if len(bs.Children) > 1 {
		return false
	}
	for _, child := range bs.Children {
		part, ok := child.(*imap.BodyStructureSinglePart)
		if !ok || part.Size > 0 || !strings.EqualFold(part.Type, "text") {
			return false
		}
	}
	return true
}

// A kind is the role of a part other than a multipart.
type kind uint8

const (
	other       kind = iota
	reference        // message/external-body
	messagePart      // a message that the server has looked into
	container        // one that it has not
)

func kindOf(bs *imap.BodyStructureSinglePart) kind {
	switch media := mediaType(bs); {
	case message.IsMultipart(media), // the server could not read the Content-Type
		smime.IsMediaType(media): // the server does not know that
		return container
	case media == "message/external-body":
		return reference
	case message.IsMessage(media):
		if bs.MessageRFC822 == nil || bs.MessageRFC822.BodyStructure == nil || encoded(bs.Encoding) {
			return container
		}
		return messagePart
	}
	return other
}

// mediaType returns the media type of a part in lower case.
func mediaType(bs *imap.BodyStructureSinglePart) string {
	return strings.ToLower(strings.TrimSpace(bs.Type)) + "/" + subtype(bs.Subtype)
}

// subtype returns a subtype in lower case. QUIRK: a server that cannot read the
// parameters may take the whole field for the subtype.
func subtype(s string) string {
	s = strings.TrimLeft(s, " \t")
	if i := strings.IndexAny(s, "; \t\r\n("); i >= 0 {
		s = s[:i]
	}
	return strings.ToLower(s)
}

// encoded reports whether a transfer encoding hides the parts of a container. Such
// encodings are prohibited (RFC 2046 section 5.2.1) but occur.
func encoded(encoding string) bool { return message.ParseEncoding(encoding).Hides() }
