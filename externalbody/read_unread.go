package externalbody

import (
	"iter"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/mailtext"
	"github.com/go-extbody/extbody/internal/mailtext/tnef"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/smime"
)

// An UnreadPart is a part of a message that Open could not look into, although References
// may be in it.
type UnreadPart struct {
	// Section is the section of the part, as in [Origin].
	Section string

	// MediaType is the media type of the part in lower case.
	MediaType string

	// Reason is one of
	//
	//   - DiagEncrypted, for a multipart/encrypted, and for S/MIME that is not signed data
	//     alone,
	//   - DiagPartialMessage, for a message/partial (RFC 2046 section 5.2.2),
	//   - DiagUnknownEncoding, for a container, or with Dialects a text, whose transfer
	//     encoding is private, such as x-uuencode (RFC 2045 section 6.3). What is in any
	//     unknown encoding is read as it stands, which helps if nothing is encoded.
	Reason DiagCode
}

// Unread yields the parts of the message that Open could not look into, in message order.
// It does not yield what [Message.Incomplete] reports.
func (m *Message) Unread() iter.Seq[UnreadPart] { return slices.Values(m.unread) }

// noteUnread records a part if nothing can be read in it.
func (rd *reader) noteUnread(s *source, p *message.Part) {
	var why DiagCode
	switch {
	case p.Body.Len() == 0:
	case p.Type == "message/partial":
		why = DiagPartialMessage
	case p.Type == "multipart/encrypted":
		why = DiagEncrypted
	case p.Encoding == message.OtherEncoding && rd.wouldRead(p.Type) && isPrivate(s, p):
		why = DiagUnknownEncoding
	}
	if why != "" {
		rd.unread(p, why)
	}
}

func (rd *reader) unread(p *message.Part, why DiagCode) {
	rd.message.unread = append(rd.message.unread, UnreadPart{p.Section(), p.Type, why})
}

// wouldRead reports whether the body of a part of that type is read.
func (rd *reader) wouldRead(mediaType string) bool {
	return message.IsMultipart(mediaType) || message.IsMessage(mediaType) || smime.IsMediaType(mediaType) ||
		len(rd.opts.Dialects) > 0 && (hasLinks(mediaType) || tnef.IsMediaType(mediaType))
}

// hasLinks reports whether parts of that type are texts in which Dialects look for links.
func hasLinks(mediaType string) bool {
	return mailtext.IsHTML(mediaType) || mailtext.IsPlain(mediaType)
}

// isPrivate reports whether the transfer encoding of a part has a private name, or is
// uuencode.
func isPrivate(s *source, p *message.Part) bool {
	header, err := s.header(p)
	if err != nil {
		return true
	}
	field, _ := message.Lookup(header, "Content-Transfer-Encoding", 0)
	name := strings.ToLower(strings.TrimSpace(field.Value))
	return strings.HasPrefix(name, "x-") || strings.HasPrefix(name, "uu")
}
