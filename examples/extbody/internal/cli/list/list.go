// Package list writes the references of messages in their order. It contacts none of the
// hosts that they name.
package list

import (
	"bufio"
	"context"
	"errors"
	"io"
	"runtime"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/pool"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
)

// Flags are the flags of list. The zero Flags read the standard form alone.
type Flags struct {
	source.Reading
	JSON  bool // records are JSON
	Exact bool // URLs are not redacted

	imap source.ServerFlags
}

// Add adds the flags.
func (l *Flags) Add(f *pflag.FlagSet) {
	f.BoolVar(&l.JSON, "json", false, "write one JSON object a line")
	f.BoolVar(&l.Exact, "exact-urls", false, "do not redact URLs")
	l.Reading.Flags(f)
	l.imap.Flags(f, nil)
}

// A Run is one run of list.
type Run struct {
	In       io.Reader // standard input
	Out, Err io.Writer // standard output and standard error
	*Flags
}

// Do lists the references of the messages that the paths stand for. It goes on after
// a message that cannot be read, and reports it in its place. It ends with
// the first error of Out, and with the error exit.ErrInterrupted when parent ends.
func (run *Run) Do(parent context.Context, paths []string) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	jobs := runtime.GOMAXPROCS(0)
	src := &source.Files{In: run.In}
	defer src.Close()
	p := &printer{Flags: run.Flags, out: bufio.NewWriterSize(run.Out, 64<<10), errw: run.Err, live: terminal.Is(run.Out)}
	work := func(e *entry) {
		if ctx.Err() == nil {
			e.read(run.Flags)
		}
	}
	done := func(e *entry) {
		defer e.Close()
		if ctx.Err() != nil {
			return
		}
		if p.err = p.print(e); p.err != nil {
			cancel() // nothing more can be written
		}
	}
	servers := &source.Servers{Flags: &run.imap, Ask: terminal.NewAsker(run.In, run.Err, nil), Err: run.Err, Reading: run.Reading}
	pool.Run(pool.Options{Workers: jobs, Ordered: true}, pool.Each(entries(source.Messages(ctx, record.Paths(paths), src, servers))), work, done)
	flushed := p.out.Flush()
	p.counts.Print(run.Err)
	switch {
	case p.err != nil:
		return p.err
	case parent.Err() != nil:
		return errors.Join(exit.ErrInterrupted, flushed)
	case flushed != nil:
		return flushed
	}
	return p.counts.Status()
}
