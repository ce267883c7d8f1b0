package record

import (
	"fmt"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
)

// An UnreadPart is a part of a message that could not be looked into, although references may
// be in it.
type UnreadPart struct {
	Section string `json:"section"`          // the IMAP section
	Type    string `json:"type"`             // its media type
	Reason  string `json:"reason"`           // as in [externalbody.UnreadPart]
	Detail  string `json:"detail,omitempty"` // the id of a partial message, or the name of an encoding or a charset
}

// String describes the part in a line for people.
func (u *UnreadPart) String() string {
	text := fmt.Sprintf("part %s could not be looked into: %s", u.Section, u.Reason)
	if u.Detail != "" {
		text += fmt.Sprintf(" %q", u.Detail)
	}
	return text
}

// NewUnread returns the records of the parts of the message at p that could not be looked into. m
// may be nil. That a limit ended the reading is an error of the message, and no part.
func NewUnread(p Place, id *Identity, m *externalbody.Message) (list []*Record) {
	if m == nil {
		return nil
	}
	for u := range m.Unread() {
		if u.Reason != externalbody.DiagCutShort {
			part := &UnreadPart{show.Escape(u.Section), show.Escape(u.MediaType), string(u.Reason), show.Escape(u.Detail)}
			list = append(list, &Record{Place: p.Escaped(), Identity: id, Status: Unread, Unread: part})
		}
	}
	return list
}
