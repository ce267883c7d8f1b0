// Package rewriting rewrites messages: as a filter, to a new file or folder, or in
// place in a mailbox. Each is written whole or not at all, and records list the
// references that stay.
package rewriting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/file/diskfull"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// Add adds the flags, but not the flags of the Reading and the Timeout.
func (g *Flags) Add(f *pflag.FlagSet) {
	f.StringVarP(
		&g.output, "output", "o", "",
		"write to `FILE`, or to a new folder if PATH is a folder or a zip archive (default: standard output)",
	)
	f.BoolVar(&g.inPlace, "in-place", false, "replace PATH by the result")
	f.DurationVar(&g.lockTimeout, "lock-timeout", 30*time.Second, "with --in-place, wait up to `D` for a locked mailbox")
	g.at = flagvalue.OneOf("delivery", "transit")
	f.Var(
		&g.at, "at",
		"where the message is: at delivery, after its signatures were "+
			"verified, or in transit, where signed messages stay as they are",
	)
	f.BoolVar(&g.Nested, "nested", false, "rewrite messages within messages as well")
	f.BoolVar(&g.JSON, "json", false, "write one JSON object a line to standard error")
	f.StringVar(&g.report, "report", "", "add the JSON objects to `FILE` instead")
	f.BoolVar(&g.Exact, "exact-urls", false, "do not redact URLs")
	f.BoolVar(&g.tempfail, "tempfail", false, "end with status 75, and write nothing, if a body may be had later")
}

// SetInPlace makes a run replace its PATH.
func (g *Flags) SetInPlace() { g.inPlace = true }

// HasOutput reports whether a flag says where the result goes.
func (g *Flags) HasOutput() bool { return g.output != "" || g.inPlace }

// RecordsToError reports whether standard error gets JSON, in which no sentence may be.
func (g *Flags) RecordsToError() bool { return g.JSON && g.report == "" }

// DefaultTimeout is the default of the time limit for one message. Delivery agents wait
// some minutes for a filter.
const DefaultTimeout = 2 * time.Minute

// AddTimeout adds the flag for the Timeout.
func (g *Flags) AddTimeout(f *pflag.FlagSet) {
	f.DurationVar(&g.Timeout, "timeout", DefaultTimeout, "give a message up after `D`")
}

var errTransient = errors.New("some bodies may be available later: run the command again")

// PathHelp is the help about the PATH of a command that rewrites.
const PathHelp = `Without a PATH this is a filter: one message from standard input to standard
output. A leading "From " line is copied. A PATH may also be a mailbox: -o writes a
new mailbox of its kind, --in-place replaces the old one. A zip archive of messages needs
-o, which writes each message to a file of its own in a new folder.
`

// New returns a Run with the standard files of cmd.
func New(cmd *cobra.Command, flags *Flags) *Run {
	return &Run{In: cmd.InOrStdin(), Out: cmd.OutOrStdout(), Err: cmd.ErrOrStderr(), Flags: flags}
}

// committed is called with the error of putting messages in place whose records wait.
// Without an error the records are true, and it writes them. With errTransient the
// records that wait have the reason, and it writes them too. After any other error it drops
// them.
func (w *Run) committed(err error) error {
	if err != nil && !errors.Is(err, errTransient) {
		w.journal.drop()
		return err
	}
	if jerr := w.journal.commit(); jerr != nil {
		// The messages are written nevertheless.
		w.warn(jerr)
		w.failed = w.failed || !w.filter
	}
	return err
}

// fail adds the record of a message that cannot be read or rewritten.
func (w *Run) fail(m *mailbox.Message, err error) error {
	return errors.Join(w.journal.add(&Record{Record: record.NewFailure(record.InFile(m), err)}), w.journal.next())
}

// warn reports that records cannot be written.
func (w *Run) warn(err error) {
	fmt.Fprintf(w.Err, "extbody: the report cannot be written: %s\n", show.Line(err.Error()))
}

// IsFilter reports whether standard input or output is at stake.
func (w *Run) IsFilter(args []string) bool {
	return len(args) == 0 || args[0] == "-" || w.toStandardOutput() && !w.inPlace
}

func (w *Run) toStandardOutput() bool { return w.output == "" || w.output == "-" }

// Status gives an error its exit status.
func (w *Run) Status(err error, filter bool) error {
	if exit.Is(err, exit.Usage) {
		return err
	}
	switch {
	case err != nil && filter, errors.Is(err, errTransient):
		return exit.With(exit.Again, err)
	case err != nil:
		return exit.With(exit.Failed, err)
	case w.transient:
		return exit.With(exit.Again, errTransient)
	case w.failed:
		return exit.With(exit.Failed, nil)
	case w.loads:
		return exit.With(exit.Some, nil)
	}
	return nil
}

// stream rewrites the one message that r gives.
func (w *Run) stream(ctx context.Context, path string, r io.Reader) error {
	limited, cancel := w.limit(ctx)
	defer cancel()
	section, release, err := source.Hold(limited, r)
	if err != nil {
		return fmt.Errorf("read the message: %w", err)
	}
	defer release()
	out, err := output.Open(w.output, w.Out)
	if err != nil {
		return err
	}
	return errors.Join(w.committed(w.whole(limited, path, section, out)), out.Close())
}

// oneMessage is the ending of the name of a file with one message.
const oneMessage = ".eml"

// whole rewrites a file that is one message, with or without a "From " line before it.
func (w *Run) whole(ctx context.Context, path string, section *io.SectionReader, out *output.File) error {
	for m, err := range mailbox.Read(path+oneMessage, section, section.Size()) {
		m.Path = path
		unread := errors.Is(err, mailbox.ErrUnread) || errors.Is(err, mailbox.ErrCR)
		if unread || errors.Is(err, mailbox.ErrNotMail) {
			w.failed = w.failed || !w.filter && unread
			if err := w.fail(m, err); err != nil {
				return err
			}
			break
		}
		if err != nil {
			return err
		}
		changed, err := w.message(ctx, m, func() (io.Writer, error) {
			f, err := out.Create()
			if err != nil {
				return nil, err
			}
			_, err = io.Copy(f, io.NewSectionReader(section, 0, m.Envelope.Len()))
			return f, err
		})
		if changed && m.Envelope.Len() > 0 && err == nil {
			changed, err = w.keepsLines(m, section, out)
		}
		if err != nil {
			return err
		}
		return put(ctx, out, changed, section)
	}
	return put(ctx, out, false, section) // it is not a message
}

// keepsLines reports whether a rewritten file still has the lines "From " that may separate
// messages. If not, it adds a record.
func (w *Run) keepsLines(m *mailbox.Message, before *io.SectionReader, out *output.File) (bool, error) {
	after, err := out.Section()
	if err != nil {
		return false, err
	}
	drops, err := mailbox.Drops(before, after)
	if !drops || err != nil {
		return err == nil, err
	}
	w.failed = w.failed || !w.filter
	w.journal.retract()
	return false, w.fail(m, mailbox.ErrInDoubt)
}

// put puts the rewritten file in its place, or if nothing changed a copy of the old one.
func put(ctx context.Context, out *output.File, changed bool, old *io.SectionReader) error {
	if changed {
		return out.Commit(ctx)
	}
	out.Discard()
	return out.Copy(ctx, old)
}

// message rewrites one message, if needed, to the Writer that create returns. It
// reports whether the message was written there. If not, the message stays as it is.
func (w *Run) message(ctx context.Context, m *mailbox.Message, create func() (io.Writer, error)) (changed bool, err error) {
	if m.Content.Len() < w.Least {
		return false, nil
	}
	open := w.Reading.Open
	if w.Open != nil {
		open = w.Open
	}
	msg, err := open(m)
	if err != nil {
		w.failed = w.failed || !w.filter // a filter passes it on
		return false, w.fail(m, err)
	}
	if w.Chosen != nil {
		if ok, err := w.Chosen(m, msg); !ok || err != nil {
			return false, err
		}
	}
	refs := slices.Collect(msg.References())
	if m.InDoubt() {
		joined, err := w.Reading.OpenJoined(m)
		if err != nil {
			w.failed = w.failed || !w.filter
			return false, w.fail(m, err)
		}
		refs = append(refs, joined...)
	}
	if w.Concerns != nil && !slices.ContainsFunc(refs, w.Concerns) && !w.Sealed {
		return false, w.readLoads(m, msg, msg.Reader())
	}
	if m.InDoubt() {
		w.failed = w.failed || !w.filter
		return false, w.fail(m, mailbox.ErrInDoubt)
	}
	dst, err := create()
	if err != nil {
		return false, err
	}
	result := &spool.Spool{}
	defer result.Close()
	report, err := w.rewrite(ctx, dst, msg, result)
	if err != nil {
		return false, w.unwritten(ctx, m, err)
	}
	// The disk of this machine is the reason.
	w.failed = w.failed || !w.filter && slices.ContainsFunc(report.Items, func(i rewrite.Item) bool {
		return i.Action == rewrite.Failed && fetch.KindOf(i.Err) == fetch.Local
	})
	later := w.tempfail && slices.ContainsFunc(report.Items, IsTransient)
	l := &Letter{message: m, opened: msg, report: report}
	if err := w.addRecords(l, later); err != nil {
		return false, err
	}
	if later {
		return false, errTransient
	}
	if err := w.addLoads(m, msg, nil, report.Cut); err != nil {
		return false, err
	}
	if w.Shown && !w.Sealed {
		if err := w.readLoads(m, msg, result.Section()); err != nil {
			return false, err
		}
	}
	return report.Changed(), nil
}

// unwritten returns the error of a message that could not be rewritten, or nil if it has a record and stays as it is.
func (w *Run) unwritten(ctx context.Context, m *mailbox.Message, err error) error {
	unsealed, isUnsealed := errors.AsType[*notSealed](err)
	switch cause := context.Cause(ctx); {
	case cause != nil:
		return cause
	case isUnsealed:
		w.failed = true // also of a filter, which passes the message on unchanged
		return w.fail(m, unsealed)
	case w.filter && w.toStandardOutput() && diskfull.Is(err):
		// The disk for temporary files. The mail goes on as it came, as where a body has no room.
		if err := w.fail(m, err); err != nil || !w.tempfail {
			return err
		}
		return errTransient
	}
	return err
}

// addRecords adds the records about the items of a message and its unread parts. With later the message stays
// as it is, and successes are left out.
func (w *Run) addRecords(l *Letter, later bool) error {
	for _, i := range l.report.Items {
		for _, r := range w.Records(l, i) {
			if later && r.Status == record.OK {
				continue
			}
			if err := w.journal.add(r); err != nil {
				return err
			}
		}
	}
	id := record.Identify(l.opened)
	for _, r := range record.NewUnread(record.InFile(l.message), &id, l.opened) {
		if err := w.journal.add(&Record{Record: r}); err != nil {
			return err
		}
	}
	return nil
}

// inMailbox returns a mailbox.ReplaceFunc. It keeps the rewritten message until the
// next call.
func (w *Run) inMailbox(ctx context.Context) mailbox.ReplaceFunc {
	return func(m *mailbox.Message) (*io.SectionReader, error) {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		if err := w.journal.next(); err != nil {
			return nil, err
		}
		limited, cancel := w.limit(ctx)
		defer cancel()
		changed, err := w.message(limited, m, func() (io.Writer, error) { return w.scratch.Create() })
		late, isLate := errors.AsType[timeLimit](err)
		switch {
		case errors.Is(err, errTransient):
			w.transient = true
			return nil, nil
		case isLate && ctx.Err() == nil:
			w.failed = true
			return nil, w.fail(m, late)
		case err != nil || !changed:
			return nil, err
		}
		return w.scratch.Section()
	}
}

// refused is a mailbox.RefuseFunc. The message stays as it is, and records of
// another outcome are forgotten.
func (w *Run) refused(m *mailbox.Message, err error) error {
	w.failed = true
	w.journal.retract()
	return w.fail(m, err)
}

// file rewrites a file to another one, or to standard output.
func (w *Run) file(ctx context.Context, path string) error {
	f, err := source.Open(ctx, path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	section := io.NewSectionReader(f, 0, info.Size())
	if !info.Mode().IsRegular() || !isMailbox(path, section) {
		return w.stream(ctx, path, f)
	}
	out, err := output.Open(w.output, w.Out)
	if err != nil {
		return err
	}
	changed, err := mailbox.Write(out, path, f, info.Size(), w.inMailbox(ctx), w.refused)
	if err == nil {
		err = put(ctx, out, changed, section)
	}
	return errors.Join(w.committed(err), out.Close())
}

// limit bounds the time for one message.
func (w *Run) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, w.Timeout, timeLimit(w.Timeout))
}

// isMailbox reports whether a file has several messages, or is of a kind that can have
// several.
func isMailbox(path string, section *io.SectionReader) bool {
	if strings.EqualFold(filepath.Ext(path), oneMessage) || mailbox.Folder(path) != "" {
		return false
	}
	for m := range mailbox.Read(path, section, section.Size()) {
		return m.Envelope.Len() > 0
	}
	return false
}

// replaceAll rewrites each message of a path in place. It reports a message that cannot
// be rewritten, and goes on.
func (w *Run) replaceAll(ctx context.Context, path string) (err error) {
	var dir *mailbox.Maildir // of the message before; nil if it is not in one, or it cannot be opened
	var folder, last string  // the path of dir, and of the file of the message before
	var box string           // a mailbox to be replaced when Walk has closed it
	closeDir := func() {
		if dir != nil {
			err = errors.Join(err, dir.Close())
			dir = nil
		}
	}
	defer closeDir()
	replaceBox := func() error {
		if box == "" {
			return nil
		}
		m := &mailbox.Message{Path: box}
		box = ""
		_, failure := mailbox.Replace(ctx, m.Path, w.lockTimeout, w.inMailbox(ctx), w.refused)
		return w.replaced(ctx, m, failure)
	}
	walker := &mailbox.Walker{Zips: true}
	for m, failure := range walker.Walk(path) {
		if m.Path != box {
			if err := replaceBox(); err != nil {
				m.Close()
				return err
			}
		}
		if next := mailbox.Folder(m.Path); next != folder {
			closeDir()
			folder = next
			if folder != "" && failure == nil {
				dir, failure = mailbox.OpenMaildir(folder)
			}
		}
		switch {
		case failure != nil, ctx.Err() != nil:
		case m.Compressed && fileOf(m.Path) == last:
		case m.Compressed:
			last = fileOf(m.Path)
			failure = mailbox.ErrCompressed
		case m.Path != path && isLink(m.Path):
			if m.Path != last {
				last = m.Path
				failure = errLink
			}
		case dir != nil:
			failure = w.replaceIn(ctx, dir, m)
		case folder == "" && m.Path != last && !strings.HasSuffix(m.Path, mailbox.BackupSuffix):
			last = m.Path
			box = m.Path
		}
		m.Close()
		if err := w.replaced(ctx, m, failure); err != nil {
			return err
		}
	}
	return errors.Join(replaceBox(), err)
}

// fileOf returns the path of a file. For a file in a zip archive it is the path of the archive.
func fileOf(path string) string {
	path, _, _ = mailbox.CutZip(path)
	return path
}

// errLink is the error of a mailbox to be replaced that is a link. One that the user names is followed.
var errLink = errors.New("nothing is rewritten through a link: name the file that it leads to")

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// replaced ends the replacing of a message or mailbox. It returns an error that ends
// everything.
func (w *Run) replaced(ctx context.Context, m *mailbox.Message, failure error) error {
	failure = w.committed(failure)
	if ctx.Err() != nil {
		return exit.ErrInterrupted
	}
	if failure == nil {
		return nil
	}
	w.failed = w.failed || !errors.Is(failure, mailbox.ErrNotMail)
	if err := w.fail(m, failure); err != nil {
		return err
	}
	w.committed(nil)
	return nil
}

// replaceIn rewrites a message of a Maildir in place.
func (w *Run) replaceIn(ctx context.Context, dir *mailbox.Maildir, m *mailbox.Message) error {
	if m.Content.Len() >= w.Least {
		if err := m.Remember(); err != nil {
			return err
		}
	}
	content, err := w.inMailbox(ctx)(m)
	if content == nil || err != nil {
		return err
	}
	_, err = dir.Replace(m, content)
	return err
}

// maxReserve bounds the part of a time limit that is reserved for writing.
const maxReserve = 30 * time.Second

// Deadline returns a Resolver that gives up early enough for the message to be written
// before the deadline of ctx. A body that did not come by then stays a reference, for a
// reason of Kind Unavailable. d is the whole time limit. Call stop after the bodies have
// been read.
func Deadline(ctx context.Context, r *externalbody.Resolver, d time.Duration) (limited *externalbody.Resolver, stop context.CancelFunc) {
	c := *r
	end, _ := ctx.Deadline()
	over, stop := context.WithDeadlineCause(context.Background(), end.Add(-min(d/10, maxReserve)), driver.NewTimeout("the message"))
	c.Fetcher = fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		ctx, cancel := context.WithCancelCause(ctx)
		stop := context.AfterFunc(over, func() { cancel(context.Cause(over)) })
		resp, err := r.Fetcher.Fetch(ctx, req)
		if err != nil {
			stop()
			cancel(nil)
		}
		return resp, err
	})
	return &c, stop
}

// timeLimit is the error of a message that took too long.
type timeLimit time.Duration

func (t timeLimit) Error() string { return fmt.Sprintf("not done within %s", time.Duration(t)) }
func (t timeLimit) Timeout() bool { return true }
