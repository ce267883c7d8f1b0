package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/crowd"
	"github.com/go-extbody/extbody/internal/exit"
	"github.com/go-extbody/extbody/internal/program/record"
	"github.com/go-extbody/extbody/internal/program/source"
	"github.com/go-extbody/extbody/internal/program/terminal"
	"github.com/go-extbody/extbody/internal/show"
)

// listing are the flags of list.
type listing struct {
	source.Reading
	json, exact bool
	imap        source.ServerFlags
}

func (a *app) listCommand() *cobra.Command {
	var l listing
	cmd := &cobra.Command{
		Use:   "list [PATH...]",
		Short: "List what messages refer to; no network",
		Long: `List each reference of each message, without contacting anybody.

URLs are shown without user names, passwords, query values and fragments, and
data: URLs without their data; --exact-urls shows them as they are, but for data:
URLs of more than 64 KiB.`,
		RunE: running(func(cmd *cobra.Command, args []string) error {
			return a.list(cmd.Context(), args, &l)
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&l.json, "json", false, "write one JSON object a line")
	f.BoolVar(&l.exact, "exact-urls", false, "do not redact URLs")
	l.Reading.Flags(f)
	l.imap.Flags(f, nil)
	return cmd
}

// list writes what the messages refer to.
func (a *app) list(parent context.Context, paths []string, l *listing) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	// Garbage is all that there is much of: where every message has references,
	// this keeps the program below 32 MiB, at hardly any cost.
	defer debug.SetGCPercent(debug.SetGCPercent(200))
	jobs := runtime.GOMAXPROCS(0)
	src := &source.Files{In: a.in, Jobs: jobs}
	if l.Dialects.None() {
		src.Candidates = ctx
	}
	defer src.Close()
	p := &lister{app: a, listing: l, out: bufio.NewWriterSize(a.out, 64<<10), live: terminal.Is(a.out)}
	work := func(e *entry) {
		if ctx.Err() == nil {
			e.read(l)
		}
	}
	done := func(e *entry) {
		defer e.Close()
		if ctx.Err() != nil {
			return
		}
		if p.err = p.print(e); p.err != nil {
			cancel() // nobody reads what else would be said
		}
	}
	servers := &source.Servers{Flags: &l.imap, Ask: terminal.NewAsker(a.in, a.err, nil), Err: a.err, Reading: l.Reading}
	crowd.InOrder(jobs, entries(source.Messages(ctx, record.Paths(paths), src, servers)), work, done, func() {})
	flushed := p.out.Flush()
	p.tally.Say(a.err)
	switch {
	case p.err != nil:
		return p.err
	case parent.Err() != nil:
		return errors.Join(exit.ErrInterrupted, flushed)
	case flushed != nil:
		return flushed
	}
	return p.tally.Status()
}

// An entry is a message of a list.
type entry struct {
	*source.Found
	text []byte // what is written of it
	late bool   // that is too much to wait for its turn
	err  error  // of reading it
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

// maxText is how many octets of what is written of a message wait for its turn.
const maxText = 16 << 10

// read reads the message. What there is too much of is read again at its turn.
func (e *entry) read(l *listing) {
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

// write writes the references of the message. An error may be one of w.
func (e *entry) write(w io.Writer, l *listing) error {
	err := e.Found.Read(&l.Reading)
	if werr := l.write(w, e.Found, e.Refs); werr != nil {
		return werr
	}
	return err
}

// A lister prints entries.
type lister struct {
	*app
	*listing
	out   *bufio.Writer
	live  bool // out is read as it is written
	tally record.Tally
	err   error // of writing
}

// print prints an entry. Errors are those of writing, which out remembers.
func (p *lister) print(e *entry) error {
	if e.late {
		e.err = errors.Join(e.err, e.write(p.out, p.listing))
	} else {
		p.out.Write(e.text)
	}
	if _, err := p.out.Write(nil); err != nil {
		return err
	}
	p.tally.Letter(len(e.Refs))
	p.tally.References += len(e.Refs)
	if e.err != nil {
		p.tally.Unread(e.err)
		if !p.json {
			p.out.Flush() // so that the order is right on a terminal
		}
		if err := e.Unreadable(p.out, p.app.err, e.err, p.json); err != nil {
			return err
		}
	}
	if p.live {
		return p.out.Flush()
	}
	return nil
}

// write writes the references of one message.
func (l *listing) write(w io.Writer, f *source.Found, refs []*externalbody.Reference) error {
	if len(refs) == 0 {
		return nil
	}
	if l.json {
		for _, ref := range refs {
			if err := record.New(f.Place(), ref, l.exact).WriteJSON(w); err != nil {
				return err
			}
		}
		return nil
	}
	var rows [][]string
	for _, ref := range refs {
		rows = append(rows, record.New(f.Place(), ref, l.exact).Row())
	}
	if _, err := fmt.Fprintln(w, show.Line(f.Title())); err != nil {
		return err
	}
	for _, line := range show.Table(rows) {
		if _, err := fmt.Fprintln(w, " ", line); err != nil {
			return err
		}
	}
	return nil
}
