package rewrite

import (
	"io"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mimescan"
)

// A layout is a message that is rewritten, with the index of it and the parts that its
// References stand in.
type layout struct {
	r        io.ReaderAt
	index    *mimescan.Index
	sections map[string]*mimescan.Part
}

func newLayout(m *externalbody.Message) layout {
	index, r := mimescan.IndexOf(m.Reader())
	return layout{r, index, index.Sections()}
}

// partOf returns the part that a Reference of the message stands in; nil if it is
// inside of a part whose transfer encoding or signature of S/MIME hides it.
func (l *layout) partOf(ref *externalbody.Reference) *mimescan.Part {
	if ref.Hidden() {
		return nil
	}
	return l.sections[ref.Section()]
}

// message returns the part that the message around a Reference consists of, which is
// the whole message or the inside of a message/rfc822 part; nil if it is hidden.
func (l *layout) message(ref *externalbody.Reference) *mimescan.Part {
	section := ref.MessageSection()
	if section == "" {
		return l.index.Root()
	}
	if p := l.partOf(ref); p != nil {
		return messageOf(p)
	}
	return nil
}
