package record

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A Tally counts what a command handled, for its last line and its exit status.
type Tally struct {
	messages   int // with references
	References int
	saved      int
	octets     int64
	before     int // done by a former run
	skipped    int // another alternative served instead
	pending    int
	lost       int                           // gone for good, or optional by the word of the sender
	failed     int                           // for reasons of their own
	undone     int                           // for reasons of this machine, or interrupted
	unreadable int                           // messages and mailboxes
	notMail    int                           // files
	hidden     map[externalbody.DiagCode]int // parts that nobody could look into, by the reason
}

// Letter counts a message with n references.
func (t *Tally) Letter(n int) {
	if n > 0 {
		t.messages++
	}
}

// Add counts a reference.
func (t *Tally) Add(r *Record) {
	t.References++
	switch r.Status {
	case OK:
		t.saved++
		t.octets += *r.Bytes
	case Done:
		t.before++
	case Skipped:
		t.skipped++
	case Pending:
		t.pending++
	case Failed:
		switch {
		case r.Kind == fetch.Local.String(), r.Kind == fetch.Canceled.String():
			t.undone++
		case r.bad(r.ref):
			t.failed++
		default:
			t.lost++
		}
	}
}

// Unread counts a message or mailbox that could not be read, or a file that is not
// mail.
func (t *Tally) Unread(err error) {
	if errors.Is(err, mailbox.ErrNotMail) {
		t.notMail++
		return
	}
	t.unreadable++
}

// Hidden counts the parts of a message that could not be looked into. m may be nil.
func (t *Tally) Hidden(m *externalbody.Message) {
	if m == nil {
		return
	}
	for p := range m.Unread() {
		if p.Reason == externalbody.DiagCutShort {
			continue // its error is counted
		}
		if t.hidden == nil {
			t.hidden = make(map[externalbody.DiagCode]int)
		}
		t.hidden[p.Reason]++
	}
}

// hiddenParts returns what the tally says of the parts that could not be looked into.
func (t *Tally) hiddenParts() string {
	n, text := 0, ""
	for _, r := range []struct {
		code externalbody.DiagCode
		text string
	}{
		{externalbody.DiagEncrypted, "encrypted"},
		{externalbody.DiagPartialMessage, "pieces of messages"},
		{externalbody.DiagUnknownEncoding, "in an unknown encoding"},
		{externalbody.DiagUnknownCharset, "in an unknown charset"},
		{externalbody.DiagAmbiguous, "of ambiguous structure"},
	} {
		if k := t.hidden[r.code]; k > 0 {
			n += k
			text += fmt.Sprintf(", %d %s", k, r.text)
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %s could not be looked into: %s", show.Count(n, "part"), text[len(", "):])
}

// Standing returns how many references there were, and how many of them succeeded and
// failed.
func (t *Tally) Standing() (done, ok, failed int) {
	return t.References, t.saved + t.before, t.failed + t.lost + t.undone
}

// Status returns the error for the exit status: nil if everything was done.
func (t *Tally) Status() error {
	switch {
	case t.undone > 0, t.unreadable > 0:
		return exit.With(exit.Failed, nil)
	case t.failed > 0:
		return exit.With(exit.Some, nil)
	}
	return nil
}

// String returns the tally as a line.
func (t *Tally) String() string {
	s := show.Count(t.References, "reference") + " in " + show.Count(t.messages, "message")
	var parts []string
	for _, p := range []struct {
		n    int
		text string
	}{
		{t.saved, fmt.Sprintf("saved (%s)", show.Octets(t.octets))},
		{t.before, "done before"},
		{t.skipped, "skipped"},
		{t.pending, "pending"},
		{t.lost, "gone or optional"},
		{t.failed, "failed"},
		{t.undone, "not done"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.text))
		}
	}
	if len(parts) > 0 {
		s += ": " + strings.Join(parts, ", ")
	}
	if t.unreadable > 0 {
		what := "messages or mailboxes"
		if t.unreadable == 1 {
			what = "message or mailbox"
		}
		s += fmt.Sprintf("; %d %s could not be read", t.unreadable, what)
	}
	s += t.hiddenParts()
	if t.notMail > 0 {
		s += "; " + show.Count(t.notMail, "file") + " without mail"
	}
	return s
}

// Say writes the tally as the last line of a command. It does not matter if nobody
// reads it.
func (t *Tally) Say(w io.Writer) { fmt.Fprintf(w, "extbody: %s\n", t) }
