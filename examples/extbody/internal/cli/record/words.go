package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/wording"
)

// Sentence returns a sentence about the saved body. If it is longer than width columns it has fewer
// facts, and the name is cut. A width of 0 is no limit.
func (r *Record) Sentence(width int) string {
	s := r.File + ": "
	if r.fileName != "" && r.fileName != filepath.Base(r.File) {
		s += fmt.Sprintf("%q, ", r.fileName)
	}
	s += show.Octets(*r.Bytes)
	if r.ContentType != "" {
		s += " of " + r.ContentType
	}
	if r.FinalURL != "" {
		s += " from " + r.FinalURL
	}
	var notes []string
	for _, c := range r.Checks {
		notes = append(notes, checkWords(c))
	}
	notes = append(notes, Unsaid(r.Checks, r.Warnings)...)
	if len(notes) > 0 {
		s += " (" + strings.Join(notes, ", ") + ")"
	}
	s = show.Line(s)
	if width <= 0 || wording.Columns(s) <= width {
		return s
	}
	return r.line(width, notes)
}

// Unsaid returns the warnings that say more than the checks do. About a size that differs from the
// announced one the check says all.
func Unsaid(checks []fetch.Check, warnings []string) []string {
	if !slices.Contains(checks, fetch.Check{Name: "size", Status: fetch.Mismatch}) {
		return warnings
	}
	return slices.DeleteFunc(
		slices.Clone(warnings), func(w string) bool { return w == "size-mismatch size" || w == "announced-mismatch size" },
	)
}

// The least and the most columns of a name and a host in a line about a saved file.
const (
	leastFile = 16
	leastHost = 16
	mostHost  = 32
)

// line returns the sentence in at most width columns, if there are enough: the name of the file, its
// size, and the host and the notes as far as there is room.
func (r *Record) line(width int, notes []string) string {
	end := ": " + wording.About(*r.Bytes)
	room := func() int { return width - leastFile - wording.Columns(end) }
	if u, err := url.Parse(r.FinalURL); err == nil && u.Host != "" {
		const from = " from "
		if most := min(room()-len(from), mostHost); most >= leastHost {
			end += from + show.Line(wording.Host(u.Host, most))
		}
	}
	if len(notes) > 0 {
		for _, text := range []string{strings.Join(notes, ", "), fmt.Sprintf("+%d", len(notes))} {
			text = show.Line(" (" + text + ")")
			if wording.Columns(text) <= room() {
				end += text
				break
			}
		}
	}
	return wording.Name(show.Line(r.File), width-wording.Columns(end)) + end
}

// checkWords returns the outcome of a comparison in words.
func checkWords(c fetch.Check) string {
	switch c.Status {
	case fetch.Match:
		return c.Name + " matches"
	case fetch.Mismatch:
		return c.Name + " differs"
	}
	return c.Name + " cannot be read"
}

// Row returns the cells of a line of list: id, access type, media type, size, location,
// and notes.
func (r *Record) Row() []string {
	access := cmp.Or(r.AccessType, "?")
	size := "-"
	if r.Size != nil {
		size = show.Octets(*r.Size)
	}
	where := cmp.Or(r.URL, r.where())
	var notes []string
	if r.Dialect != "" {
		notes = append(notes, r.Dialect)
	}
	if r.Name != "" && !strings.HasSuffix(r.URL, "/"+r.Name) {
		notes = append(notes, fmt.Sprintf("name %q", r.Name))
	}
	if r.Expiration != "" {
		notes = append(notes, dateWord(r.AccessType)+r.Expiration)
	}
	if r.ref != nil {
		if refused, why := refusal(r.ref); refused != "" {
			notes = append(notes, refused+": "+why)
		}
	}
	notes = append(notes, r.Warnings...)
	if len(notes) > 0 {
		where += "  (" + strings.Join(notes, ", ") + ")"
	}
	row := []string{r.Ref, access, r.ContentType, size, where}
	for i := range row {
		row[i] = show.Line(row[i])
	}
	return row
}

// where returns the parameters that locate a reference without a URL.
func (r *Record) where() string {
	var words []string
	for _, p := range r.Params {
		switch p[0] {
		case "access-type", "size", "expiration", "permission":
		default:
			words = append(words, fmt.Sprintf("%s=%q", p[0], p[1]))
		}
	}
	return strings.Join(words, " ")
}

// Counts are the numbers for the last line and the exit status of a command.
type Counts struct {
	read       int // messages
	messages   int // messages with references
	references int
	saved      int
	octets     int64
	before     int                           // done by an earlier run
	skipped    int                           // another alternative served instead
	pending    int                           // to arrive later
	lost       int                           // gone for good, or marked as optional by the sender
	failed     int                           // for reasons of their own
	undone     int                           // because of this machine, or an interruption
	unreadable int                           // messages and mailboxes
	notMail    int                           // files
	named      int                           // files and folders without mail by their names
	unread     map[externalbody.DiagCode]int // parts that could not be looked into
}

// Message counts a message with n references that was read. m is nil if only parts of it
// were read.
func (c *Counts) Message(m *externalbody.Message, n int) {
	c.read++
	if n > 0 {
		c.messages++
	}
	if m == nil {
		return
	}
	for p := range m.Unread() {
		if p.Reason == externalbody.DiagCutShort && p.MediaType == "" {
			continue // its error is counted
		}
		if c.unread == nil {
			c.unread = make(map[externalbody.DiagCode]int)
		}
		c.unread[p.Reason]++
	}
}

// List counts n references that are only listed.
func (c *Counts) List(n int) { c.references += n }

// Add counts a reference.
func (c *Counts) Add(r *Record) {
	c.references++
	switch r.Status {
	case OK:
		c.saved++
		c.octets += *r.Bytes
	case Done:
		c.before++
	case Skipped:
		c.skipped++
	case Pending:
		c.pending++
	case Failed:
		switch {
		case r.Kind == fetch.Local.String(), r.Kind == fetch.Canceled.String():
			c.undone++
		case r.bad(r.ref):
			c.failed++
		default:
			c.lost++
		}
	}
}

// Unread counts a message or mailbox that could not be read, or a file that is not
// mail.
func (c *Counts) Unread(err error) {
	if errors.Is(err, mailbox.ErrNotMail) {
		c.notMail++
		return
	}
	c.unreadable++
}

// NoMail counts n files and folders that hold no mail by their names.
func (c *Counts) NoMail(n int) { c.named += n }

// Partial reports whether something of the messages could not be read.
func (c *Counts) Partial() bool { return c.unreadable+c.notMail+len(c.unread) > 0 }

// UnreadParts returns the words about the parts of messages that could not be looked into, or "".
func (c *Counts) UnreadParts() string { return strings.TrimPrefix(UnreadParts(c.unread), "; ") }

// UnreadParts returns the words about parts that could not be looked into, by the reason.
func UnreadParts(parts map[externalbody.DiagCode]int) string {
	n := 0
	text := ""
	for _, r := range []struct {
		code externalbody.DiagCode
		text string
	}{
		{externalbody.DiagEncrypted, "encrypted"},
		{externalbody.DiagPartialMessage, "message/partial"},
		{externalbody.DiagMissingBody, "without the body that it had"},
		{externalbody.DiagUnknownEncoding, "in an unknown encoding"},
		{externalbody.DiagUnknownCharset, "in an unknown charset"},
		{externalbody.DiagAmbiguous, "of ambiguous structure"},
		{externalbody.DiagDecoding, "that mail programs decode in different ways"},
		{externalbody.DiagOpaqueLink, "with a link that only its gateway can read"},
		{externalbody.DiagCutShort, "beyond a limit"},
	} {
		if k := parts[r.code]; k > 0 {
			n += k
			text += fmt.Sprintf(", %d %s", k, r.text)
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %s could not be looked into: %s", wording.Count(n, "part"), text[len(", "):])
}

// Progress returns the numbers of references, of those that succeeded, and of those that
// failed.
func (c *Counts) Progress() (done, ok, failed int) {
	return c.references, c.saved + c.before, c.failed + c.lost + c.undone
}

// Status returns the error for the exit status: nil if everything was done.
func (c *Counts) Status() error {
	switch {
	case c.undone > 0, c.unreadable > 0:
		return exit.With(exit.Failed, nil)
	case c.failed > 0:
		return exit.With(exit.Some, nil)
	}
	return nil
}

// String returns the counts as a line.
func (c *Counts) String() string {
	s := wording.Count(c.references, "reference") + " in "
	switch {
	case c.read+c.references+c.unreadable == 0:
		s = "no messages were found"
	case c.messages > 0 && c.messages < c.read:
		s += fmt.Sprintf("%d of %s", c.messages, wording.Count(c.read, "message"))
	default:
		s += wording.Count(c.read, "message")
	}
	var parts []string
	for _, p := range []struct {
		n    int
		text string
	}{
		{c.saved, fmt.Sprintf("saved (%s)", show.Octets(c.octets))},
		{c.before, "done before"},
		{c.skipped, "skipped"},
		{c.pending, "pending"},
		{c.lost, "gone or optional"},
		{c.failed, "failed"},
		{c.undone, "not done"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.text))
		}
	}
	if len(parts) > 0 {
		s += ": " + strings.Join(parts, ", ")
	}
	if c.unreadable > 0 {
		s += "; " + wording.Choose(c.unreadable, "message or mailbox", "messages or mailboxes") + " could not be read"
	}
	s += UnreadParts(c.unread)
	if c.notMail > 0 {
		s += "; " + wording.Count(c.notMail, "file") + " without mail"
	}
	if c.named > 0 {
		s += fmt.Sprintf("; %d without mail by name", c.named)
	}
	return s
}

// Print writes the counts as the last line of a command, to standard error. A failure to
// write it is ignored.
func (c *Counts) Print(w io.Writer) { fmt.Fprintf(w, "extbody: %s\n", c) }
