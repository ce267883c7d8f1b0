package archive

import (
	"fmt"
	"io"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
)

// OnlyJoined returns the references that the other reading of a message has and the messages in its
// octets do not have; see [mailbox.Message.Joined]. It returns none if there is no other reading. open opens
// the octets of a message. The error is its error if it returns no message, or of reading the mailbox.
func OnlyJoined(m *mailbox.Message, open func(*io.SectionReader) (*externalbody.Message, error)) ([]*externalbody.Reference, error) {
	joined := m.Joined()
	if joined == nil {
		return nil, nil
	}
	seen := make(map[string]bool)
	for part, err := range m.Split() {
		if err != nil {
			return nil, err
		}
		msg, err := open(part.Reader())
		if msg == nil {
			return nil, err
		}
		for ref := range msg.References() {
			seen[bodyOf(ref)] = true
		}
	}
	msg, err := open(joined)
	if msg == nil {
		return nil, err
	}
	var only []*externalbody.Reference
	for ref := range msg.References() {
		if !seen[bodyOf(ref)] {
			only = append(only, ref)
		}
	}
	return only, nil
}

// bodyOf returns a text that is the same for references to one body in two readings.
func bodyOf(ref *externalbody.Reference) string {
	where := ""
	if u, err := ref.Locate(); err == nil {
		where = u.String()
	} else { // nothing can ask for it
		for _, p := range ref.Params {
			where += fmt.Sprintf("%q=%q ", p.Name, p.Value)
		}
	}
	return fmt.Sprintf("%s %s %s %s", ref.Dialect, ref.AccessType, where, ref.ContentID)
}
