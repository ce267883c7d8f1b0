package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mailbox"
)

// listing are the flags of list.
type listing struct {
	json, exact, strict bool
}

func (a *app) listCommand() *cobra.Command {
	var l listing
	cmd := &cobra.Command{
		Use:   "list [PATH...]",
		Short: "List what messages refer to; no network",
		Long: `List each reference of each message, without contacting anybody.

URLs are shown without user names, passwords, query values and fragments, and
data: URLs without their data; --exact-urls shows them as they are.`,
		RunE: running(func(cmd *cobra.Command, args []string) error {
			return a.list(cmd.Context(), args, l)
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&l.json, "json", false, "write one JSON object a line")
	f.BoolVar(&l.exact, "exact-urls", false, "do not redact URLs")
	strictFlag(f, &l.strict)
	return cmd
}

// list writes what the messages refer to.
func (a *app) list(ctx context.Context, paths []string, l listing) error {
	src := &source{in: a.in}
	defer src.close()
	out := bufio.NewWriterSize(a.out, 64<<10)
	flush := isTerminal(a.out)
	failed := false
	for m, err := range src.messages(paths) {
		if ctx.Err() != nil {
			m.Close()
			return errors.Join(errInterrupted, out.Flush())
		}
		var refs []*externalbody.Reference
		if err == nil {
			var msg *externalbody.Message
			if msg, err = open(m, l.strict); msg != nil {
				refs = slices.Collect(msg.References())
			}
			m.Close()
		}
		if werr := l.write(out, m, refs); werr != nil {
			return werr
		}
		if err != nil {
			failed = true
			if !l.json {
				out.Flush() // so that the order is right on a terminal
			}
			if werr := a.unreadable(out, m, err, l.json); werr != nil {
				return werr
			}
		}
		if flush {
			out.Flush()
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if failed {
		return &failure{}
	}
	return nil
}

var errInterrupted = errors.New("interrupted")

// smallMessage is how large a message is read at once, as an index takes
// several reads.
const smallMessage = 32 << 10

// open indexes a message. With an error there may be an index of what is before
// the place where it is.
func open(m *mailbox.Message, strict bool) (*externalbody.Message, error) {
	section := m.Reader()
	var r io.ReaderAt = section
	if section.Size() <= smallMessage {
		text := make([]byte, section.Size())
		if _, err := io.ReadFull(section, text); err != nil {
			return nil, err
		}
		r = bytes.NewReader(text)
	}
	msg, err := externalbody.Open(r, section.Size(), &externalbody.OpenOptions{Strict: strict})
	if err != nil {
		return nil, err
	}
	if err = msg.Incomplete(); err != nil {
		err = &fetch.Error{Op: "read", Kind: fetch.TooLarge, Err: err}
	}
	return msg, err
}

// unreadable says that a message could not be read, or not to its end.
func (a *app) unreadable(out io.Writer, m *mailbox.Message, err error, json bool) error {
	if json {
		return newFailure(m, err).writeJSON(out)
	}
	_, err = fmt.Fprintf(a.err, "extbody: %s: %s\n", oneLine(title(m)), oneLine(err.Error()))
	return err
}

// title names a message for people.
func title(m *mailbox.Message) string { return fmt.Sprintf("%s message %d", m.Path, m.Index) }

// write writes the references of one message.
func (l listing) write(w io.Writer, m *mailbox.Message, refs []*externalbody.Reference) error {
	if len(refs) == 0 {
		return nil
	}
	if l.json {
		for _, ref := range refs {
			if err := newRecord(m, ref, l.exact).writeJSON(w); err != nil {
				return err
			}
		}
		return nil
	}
	var rows [][]string
	for _, ref := range refs {
		rows = append(rows, newRecord(m, ref, l.exact).row())
	}
	if _, err := fmt.Fprintln(w, oneLine(title(m))); err != nil {
		return err
	}
	for _, line := range table(rows) {
		if _, err := fmt.Fprintln(w, " ", line); err != nil {
			return err
		}
	}
	return nil
}

// row returns the cells of a line of list: id, access type, media type, size,
// where it is, and what else there is to know.
func (r *record) row() []string {
	access := r.AccessType
	if access == "" {
		access = "?"
	}
	size := "-"
	if r.Size != nil {
		size = octets(*r.Size)
	}
	where := r.URL
	if where == "" {
		where = r.where()
	}
	var notes []string
	if r.Name != "" && !strings.HasSuffix(r.URL, "/"+r.Name) {
		notes = append(notes, fmt.Sprintf("name %q", r.Name))
	}
	if r.Expiration != "" {
		notes = append(notes, "until "+r.Expiration)
	}
	notes = append(notes, r.Warnings...)
	if len(notes) > 0 {
		where += "  (" + strings.Join(notes, ", ") + ")"
	}
	row := []string{r.Ref, access, r.ContentType, size, where}
	for i := range row {
		row[i] = oneLine(row[i])
	}
	return row
}

// where returns the parameters that say where something without a URL is.
func (r *record) where() string {
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
