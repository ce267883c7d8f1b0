package imapbody

import (
	"strings"

	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/smime"
)

// A Part is a part of a message as a server describes it, in a BODYSTRUCTURE of IMAP (RFC 9051
// section 7.5.2) or an EmailBodyPart of JMAP (RFC 8621 section 4.1.4). The structure of a mail library
// becomes one by an adapter of a few lines. [GoIMAP] is the one for go-imap v2.
//
// Its methods must return the same each time.
type Part interface {
	// MediaType returns type and subtype with a slash between, in any case.
	MediaType() string

	// Encoding returns the transfer encoding, such as "base64"; "" if it has none.
	Encoding() string

	// Size returns the octets of the body in that encoding. It counts for nothing in a
	// multipart.
	Size() int64

	// FileName returns the name of the attachment, or "".
	FileName() string

	// Children returns the parts of a multipart, or the one part that is the content of a
	// message/rfc822 or message/global. It returns none for other parts, and for those that the
	// server did not look into.
	Children() []Part
}

// isUnread reports whether the server found no part in a multipart. That happens with a
// multipart under a transfer encoding, and with one whose delimiter lines the server
// does not recognize.
//
// QUIRK: the grammar has no multipart without parts (RFC 9051 section 9), and dovecot
// gives it an empty text part.
func isUnread(children []Part) bool {
	if len(children) > 1 {
		return false
	}
	for _, child := range children {
		if child.Size() > 0 || !strings.HasPrefix(mediaType(child), "text/") {
			return false
		}
	}
	return true
}

// A kind is the role of a part.
type kind uint8

const (
	other       kind = iota
	reference        // message/external-body
	multipart        // with parts
	messagePart      // a message that the server has looked into
	container        // a message or multipart that it has not
)

func kindOf(p Part, children []Part) kind {
	switch media := mediaType(p); {
	case message.IsMultipart(media) && !isUnread(children):
		return multipart
	case message.IsMultipart(media), // also one whose Content-Type the server could not read
		smime.IsMediaType(media): // the server does not know that
		return container
	case media == "message/external-body":
		return reference
	case message.IsMessage(media):
		if len(children) != 1 || isEncoded(p.Encoding()) {
			return container
		}
		return messagePart
	}
	return other
}

// mayRefer reports whether p or a part in it may be a message/external-body: it is one, even if the
// server took parameters for a part of the subtype, or the server did not look into it.
func mayRefer(p Part) bool {
	children := p.Children()
	switch kindOf(p, children) {
	case reference, container:
		return true
	case multipart, messagePart:
		for _, child := range children {
			if mayRefer(child) {
				return true
			}
		}
	}
	return false
}

// mediaType returns the media type of a part in lower case. QUIRK: a server that cannot read the
// parameters may take the whole field for the subtype.
func mediaType(p Part) string {
	typ, sub, _ := strings.Cut(p.MediaType(), "/")
	sub = strings.TrimLeft(sub, " \t")
	if i := strings.IndexAny(sub, "; \t\r\n("); i >= 0 {
		sub = sub[:i]
	}
	return strings.ToLower(strings.TrimSpace(typ) + "/" + sub)
}

// isEncoded reports whether a transfer encoding hides the parts of a container. Such
// encodings are prohibited (RFC 2046 section 5.2.1) but occur.
func isEncoded(encoding string) bool { return message.ParseEncoding(encoding).Hides() }
