package rewriting

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// Flags are the flags that all commands that rewrite messages have.
type Flags struct {
	Reading source.Reading
	Timeout time.Duration // for a message
	Nested  bool          // messages within messages are rewritten as well
	JSON    bool          // records are JSON
	Exact   bool          // URLs in records are not redacted

	output, report    string
	inPlace, tempfail bool
	at                flagvalue.Choice
	lockTimeout       time.Duration
}

// At returns where the message is on its way.
func (g *Flags) At() rewrite.Place {
	if g.at.Value == "transit" {
		return rewrite.Transit
	}
	return rewrite.Delivery
}

// A Run is one run of a command that rewrites messages.
type Run struct {
	In       io.Reader // standard input
	Out, Err io.Writer // standard output and standard error
	*Flags

	// A message with fewer octets than Least has nothing to rewrite. A larger one may have
	// something if Concerns is nil, or true of one of its references.
	Least    int64
	Concerns func(ref *externalbody.Reference) bool

	// Open, if set, reads a message instead of the Reading.
	Open func(m *mailbox.Message) (*externalbody.Message, error)

	// Chosen, if set, reports whether a message may be rewritten.
	Chosen func(m *mailbox.Message, msg *externalbody.Message) (bool, error)

	// Rewrite rewrites a message. It must give up at the deadline of ctx.
	Rewrite func(ctx context.Context, dst io.Writer, msg *externalbody.Message) (*rewrite.Report, error)

	// WayOut, if set, returns the end of an error line that names the flag against the error.
	WayOut func(ref *externalbody.Reference, err error) string

	// With Shown, a record lists the things that a message loads when it is shown after the rewriting, and the status
	// is exit.Some. With Sealed it is taken out, and a message from which it cannot be taken stays as it
	// was, which is a failure.
	Shown, Sealed bool

	// Records returns the records about an item.
	Records func(l *Letter, i rewrite.Item) []*Record

	filter    bool // standard input or output is at stake
	journal   *journal
	scratch   *output.File // the rewritten message of a mailbox
	failed    bool         // something could not be done
	loads     bool         // a message loads something when it is shown
	transient bool         // something was left for later
}

// A Letter is the common part of the records of a message.
type Letter struct {
	message *mailbox.Message
	opened  *externalbody.Message
	report  *rewrite.Report
	lines   map[string]int // in the list, of references by their ID, from 1; nil until they are needed
}

// A journal is the destination of records: one JSON object a line, or a sentence for
// each failure. A record waits until it is true: commit writes the records that wait,
// and drop forgets them.
type journal struct {
	w     io.Writer
	file  *os.File // nil if it is standard error
	json  bool
	width int // of the terminal that shows the sentences, or 0

	earlier  spool.Spool     // records of earlier messages that wait
	last     bytes.Buffer    // records of the last message
	where    string          // the last message, for people
	failures record.Failures // the failures of the last message that have no line yet
}

// A Record is one line that --json writes about a rewriting: a record of the reference,
// and the outcome for its body.
type Record struct {
	*record.Record
	Action   string `json:"action,omitempty"`
	Encoding string `json:"encoding,omitempty"` // transfer encoding written
	Unsigned bool   `json:"unsigned,omitempty"` // see rewrite.Item

	// Removed are the parts that went with the reference. StoodIn is the part because
	// of which the reference was left; see rewrite.Item.
	Removed []removal `json:"removed,omitempty"`
	StoodIn string    `json:"stood_in,omitempty"`

	// Loads are the things that the message still loads when it is shown, and Cut the ones that were taken
	// out of it. Such a record has no reference.
	Loads []load `json:"loads,omitempty"`
	Cut   []load `json:"cut,omitempty"`

	// The state of the signatures before.
	Signatures  []string `json:"signatures,omitempty"`
	AuthResults []string `json:"auth_results,omitempty"`

	file   string   // the words that name a part to people, or ""
	failed *failure // of a file of the list, or nil; and if records are JSON
}

// A failure is the reason why a file of the list was left, for people.
type failure struct {
	number int // of its line
	ref    *externalbody.Reference
	err    error
	wayOut string // the end of the line about it
}

// A load is one thing that a program asks for when it shows a message, or a script in it, as in
// rewrite.Load.
type load struct {
	Kind      string `json:"kind"`
	URL       string `json:"url,omitempty"`
	Part      string `json:"part"`
	Element   string `json:"element"`
	Attribute string `json:"attribute,omitempty"` // "" for the content of the element
	Start     int64  `json:"start"`               // octets of the decoded part
	End       int64  `json:"end"`
}

// String describes the thing in a line for people.
func (l *load) String() string {
	where := l.Element
	if l.Attribute != "" {
		where = l.Attribute + " of " + l.Element
	}
	return fmt.Sprintf("%s %s (part %s, octets %d to %d, %s)", l.Kind, l.URL, l.Part, l.Start, l.End, where)
}

// A removal is a part that was removed.
type removal struct {
	Part string `json:"part"`
	Why  string `json:"why"`
}
