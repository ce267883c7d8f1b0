package externalbody

import (
	"iter"
	"slices"

	"github.com/go-extbody/extbody/internal/cms"
	"github.com/go-extbody/extbody/internal/mailtext"
	"github.com/go-extbody/extbody/internal/mimescan"
	"github.com/go-extbody/extbody/internal/tnef"
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
	//     encoding is not one of MIME, such as x-uuencode.
	Reason DiagCode
}

// Unread yields the parts of the message that Open could not look into, in message order.
// It does not yield what [Message.Incomplete] reports.
func (m *Message) Unread() iter.Seq[UnreadPart] { return slices.Values(m.unread) }

// noteUnread records a part if nothing can be read in it.
func (rd *reader) noteUnread(p *mimescan.Part) {
	var why DiagCode
	switch {
	case p.Body.Len() == 0:
	case p.Type == "message/partial":
		why = DiagPartialMessage
	case p.Type == "multipart/encrypted":
		why = DiagEncrypted
	case p.Encoding == mimescan.OtherEncoding && rd.wouldRead(p.Type):
		why = DiagUnknownEncoding
	}
	if why != "" {
		rd.unread(p, why)
	}
}

func (rd *reader) unread(p *mimescan.Part, why DiagCode) {
	rd.message.unread = append(rd.message.unread, UnreadPart{p.Section(), p.Type, why})
}

// wouldRead reports whether the body of a part of that type is read.
func (rd *reader) wouldRead(mediaType string) bool {
	return mimescan.IsMultipart(mediaType) || mimescan.IsMessage(mediaType) || cms.IsMediaType(mediaType) ||
		len(rd.opts.Dialects) > 0 && (mailtext.IsHTML(mediaType) || mailtext.IsPlain(mediaType) || tnef.IsMediaType(mediaType))
}
