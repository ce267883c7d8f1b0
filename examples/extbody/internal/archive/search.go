package archive

import (
	"cmp"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/link/redact"
)

// A Found is a reference with its message and outcome, for programs.
type Found struct {
	Message     string    `json:"message"` // the digest of the message
	MessageID   string    `json:"message_id,omitempty"`
	Date        string    `json:"date,omitempty"`
	Received    time.Time `json:"received,omitzero"`
	From        string    `json:"from,omitempty"` // as the sender wrote it, like the subject
	Subject     string    `json:"subject,omitempty"`
	Ref         string    `json:"ref"`
	URL         string    `json:"url,omitempty"`
	Host        string    `json:"host,omitempty"`
	Name        string    `json:"name,omitempty"` // of the capture, else the announced one
	State       string    `json:"state"`          // or "message" of a message without references
	Label       string    `json:"label,omitempty"`
	SHA256      string    `json:"sha256,omitempty"`
	Size        int64     `json:"size,omitempty"`
	ContentType string    `json:"content_type,omitempty"` // of the capture, else the announced one
	Ended       time.Time `json:"ended,omitzero"`         // the latest attempt
	Delay       *int64    `json:"delay,omitempty"`        // in seconds; nil if it is not known
	DelayBy     string    `json:"delay_by,omitempty"`
	Reason      string    `json:"reason,omitempty"`
	Kind        string    `json:"kind,omitempty"`
	Due         time.Time `json:"due,omitzero"`
	Forgotten   bool      `json:"forgotten,omitempty"` // as in the table of [Archive.WriteCSV]
	Snippet     string    `json:"snippet,omitempty"`   // the words that a term text= found, as the message or the body has them
}

// shown returns a text with URLs, such as a URL, as outputs have it.
func (a *Archive) shown(text string) string {
	if a.exact {
		return text
	}
	return redact.Passwords(text)
}

// Search calls f with each reference that is selected, in the order of the ledger, once for each capture that is
// meant. If all terms are about messages, the stored messages without references follow that are selected, as Hold,
// Export and Forget select them.
func (a *Archive) Search(sel *Selector, f func(*Found) error) error {
	if err := a.searchReferences(sel, f); err != nil || !sel.ofMessages() {
		return err
	}
	of, err := a.matching(sel)
	if err != nil {
		return err
	}
	return a.lines(func(_ *ledger.Line, record any) error {
		m := record.(*MessageRecord)
		if !m.Stored || m.Again || a.index.flags(m.SHA256)&flagForgotten != 0 || of.references(m) > 0 {
			return nil
		}
		fits, snippet, err := of.message(m)
		if !fits || err != nil {
			return err
		}
		x := newFound(m)
		x.Snippet = snippet
		return f(x)
	}, kindMessage)
}

// newFound returns a Found with the members of a message.
func newFound(m *MessageRecord) *Found {
	return &Found{
		Message:   m.SHA256,
		MessageID: m.MessageID,
		Date:      m.Date,
		Received:  m.Received,
		From:      m.From,
		Subject:   m.Subject,
		State:     "message",
	}
}

func (a *Archive) searchReferences(sel *Selector, f func(*Found) error) error {
	return a.meant(sel, func(r *Row) error {
		o, err := a.outcome(r.state)
		if err != nil {
			return err
		}
		ref := r.Reference
		x := newFound(r.Message)
		x.Snippet = r.snippet
		x.Ref = ref.Ref
		x.URL = a.shown(ref.URL)
		x.Host = ref.Host
		x.Name = ref.Name
		x.ContentType = ref.ContentType
		x.State = state(o)
		x.Forgotten = a.forgets(ref, cmp.Or(o.Capture, new(Capture)))
		if c := o.Capture; c != nil {
			x.Name = cmp.Or(c.Name, x.Name)
			x.ContentType = cmp.Or(c.ContentType, x.ContentType)
			x.Label = c.Label
			x.SHA256 = c.SHA256
			x.Size = c.Size
			x.Ended = c.Ended
			if d := a.delay(r); d.By != "" {
				x.Delay = &d.Seconds
				x.DelayBy = d.By
			}
		} else if e := o.Exception; e != nil {
			x.Reason = e.Reason
			x.Kind = e.Kind
			x.Due = e.Due
			x.Ended = e.Ended
		}
		return f(x)
	})
}
