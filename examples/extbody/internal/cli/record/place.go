package record

import (
	"io"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// A Path is a PATH of the command line. It can also name the single message of a record.
type Path struct {
	Name string
	UID  uint32 // of a message on an IMAP server; 0 means all messages of Name
}

// Paths returns the PATHs of the command line. Without any it returns standard
// input.
func Paths(args []string) []Path {
	if len(args) == 0 {
		args = []string{"-"}
	}
	var list []Path
	for _, name := range args {
		list = append(list, Path{Name: name})
	}
	return list
}

// A Place identifies a message in a mailbox.
type Place struct {
	Message string `json:"message"` // the path or URL of the mailbox

	*counted  // of a message in a file
	*numbered // of one on an IMAP server
}

// counted is the place of a message in the order of its mailbox.
type counted struct {
	Index int `json:"index"`
}

// numbered is the place of a message on an IMAP server. Unknown numbers are missing.
type numbered struct {
	UIDValidity uint32 `json:"uidvalidity,omitempty"`
	UID         uint32 `json:"uid,omitempty"`
}

// InFile returns the place of a message in a file.
func InFile(m *mailbox.Message) Place { return Place{Message: m.Path, counted: &counted{m.Index}} }

// OnServer returns the place of a message in a mailbox of an IMAP server. Unknown
// numbers are 0.
func OnServer(mailbox string, uidValidity, uid uint32) Place {
	return Place{Message: mailbox, numbered: &numbered{uidValidity, uid}}
}

// Escaped returns p in the form of records.
func (p Place) Escaped() Place {
	p.Message = show.Escape(p.Message)
	return p
}

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
