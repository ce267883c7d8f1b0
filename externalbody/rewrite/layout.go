package rewrite

import (
	"io"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// A layout is a message that is being rewritten, with its index and the parts that hold
// its References.
type layout struct {
	r        io.ReaderAt
	index    *message.Index
	sections map[string]*message.Part
}

func newLayout(m *externalbody.Message) layout {
	index, r := message.IndexOf(m.Reader())
	return layout{r, index, index.Sections()}
}

// partOf returns the part that holds a Reference of the message. It returns nil if a
// transfer encoding or a signature of S/MIME hides it.
func (l *layout) partOf(ref *externalbody.Reference) *message.Part {
	if ref.Hidden() {
		return nil
	}
	return l.sections[ref.Section()]
}

// message returns the part that is the message of a Reference: the whole message, or
// the inside of a message/rfc822 part. It returns nil if it is hidden.
func (l *layout) message(ref *externalbody.Reference) *message.Part {
	section := ref.MessageSection()
	if section == "" {
		return l.index.Root()
	}
	if p := l.partOf(ref); p != nil {
		return messageOf(p)
	}
	return nil
}
