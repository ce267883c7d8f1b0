package archive

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/externalbody"
)

// RestoreOptions are the options of [Archive.Restore]. The zero options restore everything.
type RestoreOptions struct {
	// Selector selects references, and the messages with them; nil selects everything.
	Selector *Selector

	// Lost is called with the name of each object that is lost or damaged; nil is no function.
	Lost func(name string)

	// Left is called with each captured reference that stays in its message, and the reason; nil is
	// no function.
	Left func(message *MessageRecord, ref *externalbody.Reference, err error)

	// Listed makes Restore read no object and call put with a nil Reader.
	Listed bool
}

// Restore calls put with each selected message whose octets are in the archive, in the order of the
// ledger. In the message are its captured bodies instead of the references, as inline
// puts them in; all other octets are as they came. A body is compared with the digest in the ledger
// before a part of it is in the message. The reference to one that is lost or damaged stays. A message
// that is lost or damaged itself is left out; put may then have read a part of it, and gets an error from
// its Reader. Restore returns how many messages were put without an error, and the error is ErrNothing if
// none is selected, or ErrWhich if the Selector means all captures. Nothing is contacted, and nothing is written to the archive.
func (a *Archive) Restore(ctx context.Context, o *RestoreOptions, put func(*MessageRecord, io.Reader) error) (n int64, err error) {
	var c *choice
	if o.Selector != nil && !o.Selector.all() {
		c, err = a.choose(o.Selector)
		if err != nil {
			return 0, err
		}
		if len(c.messages) == 0 {
			return 0, ErrNothing
		}
	}
	if o.Listed {
		err := a.lines(func(_ *ledger.Line, record any) error {
			m := record.(*MessageRecord)
			chosen := c == nil || c.messages[m.SHA256] != nil
			if !m.Stored || m.Again || !chosen {
				return nil
			}
			if a.index.flags(m.SHA256)&flagForgotten != 0 {
				return nil
			}
			n++
			return put(m, nil)
		}, kindMessage)
		return n, err
	}
	sel := cmp.Or(o.Selector, new(Selector))
	if sel.Capture.All() {
		return 0, fmt.Errorf("%w: a message has one body for a reference", ErrWhich)
	}
	if err := a.noticeLater(sel); err != nil {
		return 0, err
	}
	if c != nil {
		a.noticeEarlier(sel, c.earlier)
	}
	bodies, err := a.versions(sel.Capture)
	if err != nil {
		return 0, err
	}
	e := &ExportOptions{Inline: true, versions: bodies, Lost: func(name string) {
		if o.Lost != nil {
			o.Lost(name)
		}
	}}
	e.Left = o.Left
	n, err = a.messages(ctx, e, c, put)
	a.noticeBare(e, sel.Capture)
	return n, err
}

// Arrived returns when the message arrived: its time in Received, otherwise when it came to its mailbox by the server,
// otherwise its Date. It is zero if none of these is known.
func (m *MessageRecord) Arrived() time.Time {
	at, _ := m.arrived()
	return at
}
