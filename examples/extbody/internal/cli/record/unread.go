package record

import (
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
)

// NewUnread returns the records of the parts of the message at p that could not be looked into. m
// may be nil. That a limit ended the reading is an error of the message, and no part.
func NewUnread(p Place, id *Identity, m *externalbody.Message) (list []*Record) {
	if m == nil {
		return nil
	}
	for u := range m.Unread() {
		if u.Reason != externalbody.DiagCutShort || u.MediaType != "" {
			part := &UnreadPart{show.Escape(u.Section), show.Escape(u.MediaType), string(u.Reason), show.Escape(u.Detail)}
			list = append(list, &Record{Place: p.Escaped(), Identity: id, Status: Unread, Unread: part})
		}
	}
	return list
}
