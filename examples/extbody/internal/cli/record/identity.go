package record

import (
	"io"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// An Identity distinguishes a message from others, wherever it is stored.
type Identity struct {
	Digest    string `json:"message_sha256,omitempty"` // of its octets as they are read; "" if only parts of it were
	MessageID string `json:"message_id,omitempty"`     // these three as in its header, unfolded
	Date      string `json:"date,omitempty"`
	From      string `json:"from,omitempty"`
}

// maxIdentity bounds how much of the header is read, and the value of a field.
const (
	maxIdentityHeader = 256 << 10
	maxIdentityField  = 1 << 10
)

// Identify returns the facts in the header of a message, or none if m is nil. The
// caller adds the digest.
func Identify(m *externalbody.Message) (id Identity) {
	if m == nil {
		return id
	}
	index, r := message.IndexOf(m.Reader())
	span := index.Root().Header
	text := make([]byte, min(span.Len(), maxIdentityHeader))
	n, _ := io.ReadFull(io.NewSectionReader(r, span.Start, span.Len()), text)
	for field := range message.Fields(string(text[:n]), 0) {
		for _, want := range []struct {
			name string
			to   *string
		}{{"Message-ID", &id.MessageID}, {"Date", &id.Date}, {"From", &id.From}} {
			if *want.to == "" && strings.EqualFold(field.Name, want.name) {
				value := strings.Join(strings.Fields(field.Value), " ")
				*want.to = show.Escape(value[:min(len(value), maxIdentityField)])
			}
		}
	}
	return id
}
