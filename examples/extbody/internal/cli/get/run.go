package get

import (
	"bufio"
	"cmp"
	"context"
	"os"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/pool"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
)

func (s *session) run(parent context.Context, paths []record.Path, engine *policy.Engine) error {
	s.ctx, s.stop = context.WithCancel(parent)
	defer s.stop()
	s.NoMIME = true
	s.progress = &terminal.Progress{Hosts: engine.Hosts.Hosts}
	errw := terminal.NewLockedWriter(s.bars.Over(s.Err))
	switch {
	case s.bars != nil:
		s.bars.Status = s.progress
	case !s.noProgress && !s.quiet:
		defer terminal.EveryMinute(errw, s.progress)()
	}
	s.resolver = engine.Resolver
	s.folder.Name = s.fileName
	// A file that has the name and the octets of a body is that body.
	s.folder.Stored = func(*externalbody.Report) string { return "" }
	if s.link {
		s.folder.Stored = s.claims.link
	}
	s.printer = &printer{
		out: bufio.NewWriterSize(s.bars.Over(s.Out), 64<<10), errw: errw, Run: s.Run, program: record.Version(),
		width: terminal.Width(s.Out),
	}
	if s.trace {
		s.printer.tracer = record.NewTracer(errw, s.JSON, s.Exact)
		s.resolver.Observe = s.printer.tracer.Observe
	}
	files := &source.Files{In: s.In}
	defer files.Close()
	servers := &source.Servers{
		Flags: &s.Imap, Ask: s.asker, Err: s.bars.Over(s.Err), Reading: s.Policy.Reading, Guard: s.Policy.Guard(), Resolve: true,
	}
	tasks := s.tasks(s.lookAhead(paths, source.Messages(s.ctx, paths, files, servers)))
	pool.Run(pool.Options{Workers: max(s.jobs, Workers), Share: max(s.jobs, workerShare), Ordered: s.ordered}, tasks, s.work, s.done)
	s.bars.Stop()
	s.printer.counts.NoMail(files.NoMail)
	if s.mistake != nil {
		return s.mistake
	}
	s.Unread = s.printer.counts.UnreadParts()
	isPartial := s.printer.counts.Partial() && s.Chosen > 0
	if (s.Saved == nil || isPartial) && !s.quiet {
		s.printer.counts.Print(s.Err)
	}
	switch {
	case s.printer.err != nil:
		return s.printer.err
	case parent.Err() != nil:
		return exit.ErrInterrupted
	case s.disk.status() != nil:
		return s.disk.status()
	}
	return cmp.Or(s.Choice.Missed(), s.printer.counts.Status())
}

// done reports a task. After an error of standard output the run ends.
func (s *session) done(t *task) {
	s.printer.print(t)
	s.progress.Set(s.printer.counts.Progress())
	if s.printer.flush() != nil {
		s.stop()
	}
}

// Do saves the bodies of all references. It goes on after a failure.
func (run *Run) Do(ctx context.Context, args []string) error {
	if err := run.check(); err != nil {
		return err
	}
	if run.Stdout && !run.dryRun && output.Closed(run.Out) {
		return output.ErrClosed // the body would be lost
	}
	records, paths, err := run.previous(args)
	if err != nil {
		return err
	}
	var bars *terminal.Bars // none if they are not wanted
	if !run.noProgress && !run.quiet {
		bars = terminal.NewBars(run.Err)
	}
	ask, closeTerminal, err := run.newAsker(bars)
	if err != nil {
		return err
	}
	defer closeTerminal()
	p := &run.Policy
	p.NetrcFile = run.Imap.Netrc
	p.Ask = run.Ask && !run.dryRun
	p.Polite.PerHost = perHost
	p.Polite.Fetches = run.jobs
	p.Cache.Shared = sharedSize
	p.KeepConnections = true
	engine, err := p.Engine(ask, bars.Over(run.Err))
	if err != nil {
		return err
	}
	defer engine.Close()
	switch {
	case run.dryRun:
		return run.Plan(ctx, paths, engine.Resolver)
	case run.Stdout:
		return run.toStdout(ctx, paths, engine, ask, bars)
	}
	if err := output.MakeFolder(run.Dir); err != nil {
		return err
	}
	root, err := os.OpenRoot(run.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	folder := &externalbody.Folder{Root: root}
	defer folder.Close()
	s := &session{
		Run: run, folder: folder, bars: bars, records: records, asker: ask, claims: newClaims(),
		disk: &disk{dir: run.Dir, minFree: int64(run.minFree), free: archive.FreeSpace},
	}
	if run.names.Value == "index" {
		s.indexNames, err = newIndexNames(run.Dir)
		if err != nil {
			return err
		}
	}
	s.byName = run.names.Value == "name" || run.Saved != nil
	if run.Saved != nil {
		s.disk.rest = "make room, or save on another disk with -o" // there is no --skip-done
	}
	return s.run(ctx, paths, engine)
}
