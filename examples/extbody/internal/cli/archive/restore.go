package archive

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	core "github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapsession"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapurl"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/wording"
)

// The states of a message that is restored.
const (
	restored = "restored"
	present  = "present" // it was there
	selected = "listed"
)

// A restoring is a run of restore.
type restoring struct {
	*files
	to     string
	dryRun bool
	inJSON bool
	which  core.Which
	imap   source.ServerFlags

	lost  map[string]bool
	left  []leftBody // of the message
	some  bool       // a captured body is not in its message
	there int64      // messages that were there
}

// A leftBody is a captured body that is not in its message.
type leftBody struct {
	Ref   string `json:"ref"`
	Kind  string `json:"kind"`
	Error string `json:"error"`

	words string // for people, not escaped
}

// A restoredMessage is a line of restore.
type restoredMessage struct {
	Message   string     `json:"message"`
	MessageID string     `json:"message_id,omitempty"`
	Date      string     `json:"date,omitempty"`
	From      string     `json:"from,omitempty"`
	Subject   string     `json:"subject,omitempty"`
	State     string     `json:"state"`
	Left      []leftBody `json:"left,omitempty"`
}

func (a *files) restoreCommand() *cobra.Command {
	r := &restoring{files: a, lost: make(map[string]bool)}
	cmd := jsonFlag(&cobra.Command{
		Use:   "restore DIR [SELECTOR...] --to TARGET",
		Short: "Put messages back, with their captured bodies in them",
		Long: `Write each selected message with its captured bodies in the place of the references, as inline
does, and with all its other octets as they came. A body is compared with the digest in the
ledger before. The reference to one that is lost or damaged stays, and the exit status is 3.
No host of a reference is contacted, and nothing is written to the archive.

TARGET is a file for one message, a Maildir, or a mailbox of an IMAP server. A name that ends
in "/" is a new Maildir, and so is an empty folder. Nothing is overwritten. A message that is there is not added again: a
Maildir has it under its digest, and an IMAP server is asked by Message-ID, size and octets. If a
message without a Message-ID was on its way to a server when a run was killed, it can be there
twice. Messages have the flag "seen", and the time at which they arrived. A server gets lines
that end in CRLF.` + captures + selectors,
		Example: `  extbody archive restore ARCHIVE from=ann@example.org since=2025-01-01 --dry-run
  extbody archive restore ARCHIVE message=1f0c8e --to message.eml
  extbody archive restore ARCHIVE --to imaps://ann@imap.example/Restored`,
		Args: cobra.MinimumNArgs(1),
		RunE: selecting(func(cmd *cobra.Command, dir string, sel *core.Selector) error {
			sel.Capture = r.which
			if r.which.All() {
				return exit.Mistake(errors.New("--capture all: a message has one body for a reference"))
			}
			return r.run(cmd.Context(), dir, sel)
		}),
	}, &r.inJSON)
	f := cmd.Flags()
	f.StringVar(&r.to, "to", "", "write to `TARGET`: a file, a Maildir, or imaps://user@host/Mailbox")
	f.BoolVar(&r.dryRun, "dry-run", false, "list the messages, and write nothing")
	captureFlag(f, &r.which)
	r.imap.Flags(f, nil)
	return cmd
}

func (r *restoring) run(ctx context.Context, dir string, sel *core.Selector) error {
	if r.to == "" && !r.dryRun {
		return exit.Mistake(errors.New("archive restore needs --to or --dry-run"))
	}
	return reading(dir, func(ar *core.Archive) error {
		o := &core.RestoreOptions{Selector: sel, Listed: true}
		if r.dryRun {
			_, err := ar.Restore(ctx, o, func(m *core.MessageRecord, _ io.Reader) error { return r.say(m, selected) })
			return err
		}
		target, done, err := r.target(ctx, func() (int64, error) {
			return ar.Restore(ctx, o, func(*core.MessageRecord, io.Reader) error { return nil })
		})
		if err != nil {
			return err
		}
		defer done()
		o = &core.RestoreOptions{Selector: sel, Lost: r.lose, Left: func(_ *core.MessageRecord, ref *externalbody.Reference, err error) {
			left := leftBody{Ref: show.Escape(ref.ID), Kind: fetch.KindOfFetch(err).String(), Error: show.Escape(err.Error())}
			left.words = record.InList(0, ref) + ": " + record.Reason(err)
			r.left = append(r.left, left)
		}}
		n, err := ar.Restore(ctx, o, func(m *core.MessageRecord, text io.Reader) error {
			state := restored
			switch added, err := target(m, text); {
			case err != nil:
				r.left = nil
				return err
			case !added:
				state = present
				r.there++
			}
			return r.say(m, state)
		})
		if err != nil {
			return err
		}
		if !r.inJSON {
			if _, err := fmt.Fprintf(r.out, "%s restored, %d there already\n", wording.Count(n-r.there, "message"), r.there); err != nil {
				return err
			}
		}
		if len(r.lost) > 0 || r.some {
			return exit.With(exit.Some, errors.New("captured bodies or messages are lost, or could not be put in"))
		}
		return nil
	})
}

// lose tells once that an object is lost.
func (r *restoring) lose(name string) {
	if !r.lost[name] {
		r.lost[name] = true
		fmt.Fprintln(r.err, "lost:", show.Line(name))
	}
}

// say writes the line of a message.
func (r *restoring) say(m *core.MessageRecord, state string) error {
	line := &restoredMessage{m.SHA256, m.MessageID, m.Date, charset.Words(m.From), charset.Words(m.Subject), state, r.left}
	r.some = r.some || len(r.left) > 0
	r.left = nil
	if r.inJSON {
		return show.JSON(r.out, line)
	}
	_, err := fmt.Fprintf(r.out, "%s message=%.12s from=%s subject=%s at=%s\n",
		state, m.SHA256, show.Line(line.From), show.Line(line.Subject), show.Line(m.Date))
	for _, l := range line.Left {
		if err == nil {
			_, err = fmt.Fprintf(r.out, "  left %s\n", show.Line(l.words))
		}
	}
	return err
}

// A putting adds a message to the target. It reports whether the message was not there before.
type putting func(m *core.MessageRecord, text io.Reader) (added bool, err error)

// target returns how messages are written, and a function that ends it. count returns the number of
// messages.
func (r *restoring) target(ctx context.Context, count func() (int64, error)) (putting, func(), error) {
	done := func() {}
	if imapurl.Is(r.to) {
		servers := &source.Servers{Flags: &r.imap, Ask: terminal.NewAsker(r.in, r.err, nil), Err: r.err}
		session, err := servers.Mailbox(ctx, r.to)
		if err != nil {
			return nil, done, err
		}
		return func(m *core.MessageRecord, text io.Reader) (bool, error) { return toServer(ctx, session, m, text) }, session.Close, nil
	}
	info, err := os.Lstat(r.to)
	switch {
	case err == nil && !info.IsDir():
		return nil, done, exit.Mistake(fmt.Errorf("--to %s: it is there, and nothing is overwritten", r.to))
	case err == nil, errors.Is(err, fs.ErrNotExist) && os.IsPathSeparator(r.to[len(r.to)-1]):
		put, err := toMaildir(r.to)
		return put, done, err
	case !errors.Is(err, fs.ErrNotExist):
		return nil, done, err
	}
	switch n, err := count(); {
	case err != nil:
		return nil, done, err
	case n > 1:
		return nil, done, exit.Mistake(fmt.Errorf("--to %s: a file is for one message, and %d are selected: name a Maildir", r.to, n))
	}
	return func(_ *core.MessageRecord, text io.Reader) (bool, error) { return true, publish(r.to, text) }, done, nil
}

// publish writes a file, which gets its name when all of it is on the disk. It is an error if the
// name is taken.
func publish(path string, text io.Reader) error {
	return atomicfile.PublishFile(path, func(w io.Writer) error {
		_, err := io.Copy(w, text)
		return err
	})
}

// maildirSubs are the folders of a Maildir.
var maildirSubs = []string{"cur", "new", "tmp"}

// makeMaildir makes a Maildir, or the rest of one: a run that was killed can have made some of its folders. It makes
// nothing in a folder that has anything else.
func makeMaildir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !slices.Contains(maildirSubs, e.Name()) || !e.IsDir() {
			return nil
		}
	}
	for _, sub := range maildirSubs {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// toMaildir adds messages to a Maildir. A message has its digest as the unique part of its name, by
// which a later run finds it, whatever its flags are.
func toMaildir(dir string) (putting, error) {
	if err := makeMaildir(dir); err != nil {
		return nil, err
	}
	there := make(map[string]string) // the path, by the unique part of the name
	for _, sub := range maildirSubs {
		path := filepath.Join(dir, sub)
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, exit.Mistake(fmt.Errorf("--to %s: it is no Maildir: %w", dir, err))
		}
		for _, e := range entries {
			if name, _, _ := strings.Cut(e.Name(), ":"); sub != "tmp" {
				there[name] = filepath.Join(path, e.Name())
			}
		}
	}
	return func(m *core.MessageRecord, text io.Reader) (bool, error) {
		if path := there[m.SHA256]; path != "" {
			return false, setArrival(path, m) // a run that was killed may not have done it
		}
		path := filepath.Join(dir, "cur", m.SHA256+":2,S")
		if err := publish(path, text); err != nil {
			return false, err
		}
		there[m.SHA256] = path
		return true, setArrival(path, m)
	}, nil
}

// setArrival gives a file the time at which its message arrived, which servers take from it.
func setArrival(path string, m *core.MessageRecord) error {
	at := m.Arrived()
	if info, err := os.Stat(path); err != nil || at.IsZero() || info.ModTime().Equal(at) {
		return nil // a mail program may have moved it meanwhile
	}
	return os.Chtimes(path, at, at)
}

// toServer adds a message to a mailbox of an IMAP server.
func toServer(ctx context.Context, session *imapsession.Session, m *core.MessageRecord, text io.Reader) (bool, error) {
	s := new(spool.Spool)
	defer s.Close()
	sum := sha256.New()
	lines := &crlf{w: io.MultiWriter(s, sum)}
	if _, err := io.Copy(lines, text); err != nil {
		return false, err
	}
	size := s.Section().Size()
	if there, err := session.Holds(ctx, m.MessageID, size, sum.Sum(nil)); err != nil || there {
		return false, err
	}
	return true, session.Append(ctx, s.Section(), size, m.Arrived())
}

// A crlf writes each line end as CRLF (RFC 3501 section 2.2).
type crlf struct {
	w    io.Writer
	last byte
}

// Write implements [io.Writer].
func (c *crlf) Write(p []byte) (int, error) {
	b := make([]byte, 0, len(p)+len(p)/32)
	for _, o := range p {
		if o == '\n' && c.last != '\r' {
			b = append(b, '\r')
		}
		b = append(b, o)
		c.last = o
	}
	if _, err := c.w.Write(b); err != nil {
		return 0, err
	}
	return len(p), nil
}
