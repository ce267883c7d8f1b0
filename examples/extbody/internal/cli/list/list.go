// Package list writes the references of messages in their order. It contacts none of the
// hosts that they name.
package list

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/login"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/pool"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/selection"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/settings"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
)

// A Run is one run of list, with its flags. The zero flags read the standard form alone.
type Run struct {
	In       io.Reader // standard input
	Out, Err io.Writer // standard output and standard error
	source.Reading
	JSON  bool // records are JSON
	Exact bool // URLs are not redacted

	Accounts login.Accounts // of the user

	imap    source.ServerFlags
	choice  selection.Selection
	verbose bool // lines have the URL and all notes
	width   int  // of lines
}

// Do lists the references of the messages that the paths stand for. It goes on after
// a message that cannot be read, and reports it in its place. It ends with
// the first error of Out, and with the error exit.ErrInterrupted when parent ends.
func (run *Run) Do(parent context.Context, paths []string) error {
	if err := run.choice.Check(); err != nil {
		return err
	}
	run.width = terminal.Columns(run.Out)
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	jobs := runtime.GOMAXPROCS(0)
	src := &source.Files{In: run.In}
	defer src.Close()
	p := &printer{Run: run, out: bufio.NewWriterSize(run.Out, 64<<10), live: terminal.Is(run.Out)}
	work := func(e *entry) {
		if ctx.Err() == nil {
			e.read(run)
		}
	}
	done := func(e *entry) {
		defer e.Close()
		if ctx.Err() != nil {
			return
		}
		p.err = p.print(e)
		if p.err != nil {
			cancel() // nothing more can be written
		}
	}
	servers := &source.Servers{Flags: &run.imap, Ask: terminal.NewAsker(run.In, run.Err, nil), Err: run.Err, Reading: run.Reading}
	pool.Run(pool.Options{Workers: jobs, Ordered: true}, pool.Each(
		entries(source.Messages(ctx, record.Paths(paths), src, servers)),
	), work, done)
	flushed := p.out.Flush()
	p.counts.NoMail(src.NoMail)
	p.counts.Print(run.Err)
	switch {
	case p.err != nil:
		return p.err
	case parent.Err() != nil:
		return errors.Join(exit.ErrInterrupted, flushed)
	case flushed != nil:
		return flushed
	}
	return cmp.Or(run.choice.Missed(), p.counts.Status())
}

// Command returns the command.
func Command(s *settings.Settings) *cobra.Command {
	var run Run
	cmd := &cobra.Command{
		Use:   "list [PATH...]",
		Short: "List what messages refer to; no network",
		Long: `List each reference of each message, in one line: the name of the file, its size and
type, the host that has it, and the id by which --ref chooses it. Of all hosts, only the
IMAP and JMAP servers that a PATH names are contacted, and hosts that a JMAP server names for
its mail. From a JMAP server each message is read as a whole.

With --verbose, --json and --exact-urls there are URLs as well. URLs are shown without
user names, passwords, query values and fragments, and data: URLs without their data.
--exact-urls shows them as they are, apart from data: URLs of more than 64 KiB.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			run.In = cmd.InOrStdin()
			run.Out = cmd.OutOrStdout()
			run.Err = cmd.ErrOrStderr()
			run.Accounts = s.Accounts()
			return run.Do(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&run.JSON, "json", false, "write one JSON object a line")
	f.BoolVar(&run.Exact, "exact-urls", false, "show URLs, and do not redact them")
	f.BoolVar(&run.verbose, "verbose", false, "show the id, access type, media type, size, URL and all notes instead")
	run.choice.Flags(f)
	run.Reading.Flags(f)
	run.imap.Flags(f, nil)
	return cmd
}

// accountOf returns the name of the account that would be asked for ref, or "".
func (l *Run) accountOf(ref *externalbody.Reference) string {
	if len(l.Accounts) == 0 {
		return ""
	}
	req, err := ref.Request()
	if err != nil {
		return ""
	}
	return l.Accounts.Of(req)
}

// An entry is a message of a list.
type entry struct {
	*source.Found
	text []byte // its lines
	late bool   // text would be too long to wait for its turn
	err  error  // of reading the message

	listed int // references that were chosen
}

func entries(messages iter.Seq2[*source.Found, error]) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for m, err := range messages {
			if !yield(&entry{Found: m, err: err}) {
				return
			}
		}
	}
}

// maxText is how many octets of the text of an entry wait for its turn.
const maxText = 16 << 10

// read reads the message, and makes its text. A message with a longer text is read
// again at its turn.
func (e *entry) read(l *Run) {
	if e.err != nil && e.At == nil {
		return
	}
	var text bytes.Buffer
	if err := e.write(&text, l); err != nil {
		e.err = err
	}
	if text.Len() <= maxText {
		e.text = text.Bytes()
		return
	}
	e.late = true
}

// write reads the message and writes its references. An error may be one of w.
func (e *entry) write(w io.Writer, l *Run) error {
	err := e.Found.Read(&l.Reading)
	refs, cerr := l.choice.References(e.Found)
	e.listed = len(refs)
	if werr := l.write(w, e.Found, refs); werr != nil {
		return werr
	}
	return cmp.Or(err, cerr)
}

// A printer prints entries.
type printer struct {
	*Run
	out    *bufio.Writer
	live   bool // out is a terminal
	counts record.Counts
	err    error // of writing
}

// print prints an entry. An error is an error of out.
func (p *printer) print(e *entry) error {
	if e.late {
		e.err = errors.Join(e.err, e.write(p.out, p.Run))
	} else {
		p.out.Write(e.text)
	}
	if _, err := p.out.Write(nil); err != nil {
		return err
	}
	if e.err == nil || len(e.Refs) > 0 {
		p.counts.Message(e.Whole(), len(e.Refs))
	}
	p.counts.List(e.listed)
	if e.err != nil {
		p.counts.Unread(e.err)
		if !p.JSON {
			p.out.Flush() // so that the order is right on a terminal
		}
		if err := e.Unreadable(p.out, p.Err, e.err, p.JSON); err != nil {
			return err
		}
	}
	if p.live {
		return p.out.Flush()
	}
	return nil
}

// write writes the references of one message, and the parts that could not be looked into, as
// records or as a table.
func (l *Run) write(w io.Writer, f *source.Found, refs []*externalbody.Reference) error {
	id := new(record.Identity)
	var unread []*record.Record
	if l.choice.All() {
		unread = record.NewUnread(f.Place(), id, f.Whole())
	}
	if len(refs)+len(unread) == 0 {
		return nil
	}
	if l.JSON {
		*id = record.Identify(f.Whole())
		for _, ref := range refs {
			r := record.New(f.Place(), ref, l.Exact)
			r.Identity = id
			r.Account = l.accountOf(ref)
			if err := r.WriteJSON(w); err != nil {
				return err
			}
		}
		for _, r := range unread {
			if err := r.WriteJSON(w); err != nil {
				return err
			}
		}
		return nil
	}
	const indent = "  "
	lines := l.lines(f, refs, l.width-len(indent))
	for _, r := range unread {
		lines = append(lines, show.Line(r.Unread.String()))
	}
	var text strings.Builder
	fmt.Fprintln(&text, show.Line(f.Title()))
	for _, line := range lines {
		fmt.Fprintln(&text, indent+line)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// lines returns a line for each of some references of a message.
func (l *Run) lines(f *source.Found, refs []*externalbody.Reference, width int) []string {
	if l.verbose || l.Exact {
		var rows [][]string
		for _, ref := range refs {
			rows = append(rows, record.New(f.Place(), ref, l.Exact).Row())
		}
		return show.Table(rows)
	}
	var table []*record.Line
	ids := record.ShortIDs(f.Refs)
	for _, ref := range refs {
		line := record.NewLine(ref)
		line.ID = ids[ref]
		table = append(table, line)
	}
	return record.Table(table, width)
}
