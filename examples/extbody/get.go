package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/crowd"
	"github.com/go-extbody/extbody/internal/exit"
	"github.com/go-extbody/extbody/internal/flagvalue"
	"github.com/go-extbody/extbody/internal/program/output"
	"github.com/go-extbody/extbody/internal/program/policy"
	"github.com/go-extbody/extbody/internal/program/record"
	"github.com/go-extbody/extbody/internal/program/saved"
	"github.com/go-extbody/extbody/internal/program/source"
	"github.com/go-extbody/extbody/internal/program/terminal"
	"github.com/go-extbody/extbody/internal/show"
)

// getting are the flags of get.
type getting struct {
	dir                          string
	json, exact, dryRun, ordered bool
	jobs                         int
	alternatives                 flagvalue.Choice
	policy                       policy.Policy
	imap                         source.ServerFlags
	names                        flagvalue.Choice
	copies, trace                bool
	minFree                      flagvalue.Size
	again
}

// defaultJobs is how many bodies are fetched at the same time.
const defaultJobs = 12

// sharedSize is how many octets of bodies are kept for those messages of a run that refer
// to the same.
const sharedSize = 2 << 20

// perHost is how many requests a host has at a time: nobody waits for one of its bodies.
const perHost = 2

func (a *app) getCommand() *cobra.Command {
	var g getting
	cmd := &cobra.Command{
		Use:   "get [PATH...]",
		Short: "Resolve what messages refer to, and save it",
		Long: `Get the body of each reference of each message, verify it, and save it.

A body is saved under the beginning of the SHA-256 of its message, the id of its
reference, and an extension: 9f86d081884c7d65-1.2.png. So its name is the same in
every run; --names index has the number of the message in its mailbox instead:
3-1.2.png. Nothing is overwritten, and nothing has its name before all of it has
been verified. Bodies with the same octets are one file with several names (hard
links), unless --copies is given. What several messages refer to is fetched once,
unless it is large; --cache keeps that as well, and keeps it for later runs.

The line about a body is written when the body is on the disk with its name. So
lines come in the order in which bodies do, unless --ordered is given, and after a
crash everything that was said is so.

A full disk, or one with less than --min-free, ends the run after what is in flight,
with status 1. With no terminal, a line a minute on standard error says how far it is.

A host is asked for two bodies at a time. When it asks for patience or does not
answer, what is left of it fails with the kind deferred, and "retry_at" in its record
says when to try again: --retry does that, from the records that --json wrote, and
--skip-done goes on with a run that was interrupted. One message causes at most 200
requests and 10 GiB, and takes at most an hour.

Getting a body tells its server that, when and from where the message is read.
--dry-run shows what would be contacted, and contacts nobody.`,
		RunE: running(func(cmd *cobra.Command, args []string) error {
			return a.get(cmd.Context(), args, &g)
		}),
	}
	g.flags(cmd.Flags())
	return cmd
}

func (g *getting) flags(f *pflag.FlagSet) {
	f.StringVarP(&g.dir, "output", "o", ".", "save in `DIR`, which is made if it is missing")
	f.BoolVar(&g.json, "json", false, "write one JSON object a line")
	f.BoolVar(&g.exact, "exact-urls", false, "do not redact URLs")
	f.BoolVar(&g.dryRun, "dry-run", false, "show what would be done")
	f.BoolVar(&g.ordered, "ordered", false, "write lines in the order of the messages, each when those before it are written")
	g.names = flagvalue.OneOf("digest", "index")
	f.Var(&g.names, "names", "what the names of files begin with: the digest of the message, or its index")
	f.BoolVar(&g.copies, "copies", false, "save bodies with the same octets in files of their own")
	f.Var(&g.minFree, "min-free", "begin nothing more when less than `N` octets of the disk are free; 10GB")
	f.BoolVar(&g.trace, "trace", false, "write what is said on the wire, to standard error, or with --json into the records; nothing of bodies and credentials")
	g.again.flags(f)
	f.IntVar(&g.jobs, "jobs", defaultJobs, "get `N` at the same time")
	g.alternatives = flagvalue.OneOf("first", "all")
	f.Var(&g.alternatives, "alternatives", "of parts that stand for the same, get the first that can be had, or all")
	g.policy.Flags(f)
	g.policy.Cache.Flags(f)
	g.imap.Flags(f, &g.policy.AllowPlaintext)
}

// The goroutines of get, besides those whose bodies come: which come at a time is up to
// the throttle. There are many more only if many wait for their turn at a host, so that
// a host that hangs, or a message with many references, keeps nobody from the others.
const (
	crowdSpare = 4 // that save, or read, what is on this machine
	crowdSize  = 128
	crowdShare = 32 // for one message
)

// A letter is a message on its way through get, with the outcome of its references.
type letter struct {
	*source.Found
	results map[*externalbody.Reference]*record.Result
	id      record.Identity
	printed int   // references, in their order, if lines are written in order
	tasks   int   // not yet done
	err     error // the message cannot be read, or not to its end
}

// A task is a body on its way through get, with the references of which one is
// enough: the formats, best first, and of each the ways to get it. It has no bodies
// for a letter without references.
type task struct {
	letter  *letter
	bodies  [][]*externalbody.Reference
	names   map[*externalbody.Reference]string // of files, without extensions
	results map[*externalbody.Reference]*record.Result
	octets  int64       // of the body that is coming, so far
	begun   atomic.Bool // somebody was contacted, or octets came
	dropped bool        // not begun before the program was interrupted
}

// get resolves what the messages refer to. It goes on when one fails.
func (a *app) get(parent context.Context, args []string, g *getting) error {
	// What is known of hosts and connections lives as long as the run, so that
	// garbage left to grow to several times it is memory for no speed.
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	bars := terminal.NewBars(a.err)
	var ask *terminal.Asker
	if !g.dryRun {
		ask = terminal.NewAsker(a.in, a.err, bars)
	}
	if g.jobs < 1 {
		return exit.Mistake(fmt.Errorf("--jobs %d: want 1 or more", g.jobs))
	}
	if err := g.again.check(); err != nil {
		return exit.Mistake(err)
	}
	formers, err := g.again.read()
	if err != nil {
		return exit.Mistake(err)
	}
	paths := record.Paths(args)
	if formers != nil && formers.Retry && len(args) == 0 {
		if paths = formers.Paths; len(paths) == 0 {
			paths = record.Paths([]string{os.DevNull}) // nothing failed
		}
		if slices.Contains(paths, record.Path{Name: "-"}) {
			return exit.Mistake(errors.New("--retry: a message came from standard input; say where it is"))
		}
	}
	g.policy.NetrcFile = g.imap.Netrc
	g.policy.Polite.PerHost, g.policy.Polite.Fetches, g.policy.Cache.Shared = perHost, g.jobs, sharedSize
	engine, err := g.policy.Engine(ask, bars.Over(a.err))
	if err != nil {
		return err
	}
	defer engine.Close()
	resolver := engine.Resolver
	if g.dryRun {
		return a.dryRun(parent, paths, g, resolver)
	}
	if err := output.MakeFolder(g.dir); err != nil {
		return err
	}
	folder, err := os.OpenRoot(g.dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	var names *saved.Names
	if g.names.Value == "index" {
		if names, err = saved.NewNames(g.dir); err != nil {
			return err
		}
	}
	files := saved.NewTwins()
	if !g.copies {
		resolver.Stored = files.Find
	}
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	src := &source.Files{In: a.in}
	if g.policy.Dialects.None() {
		src.Candidates, src.Jobs = ctx, g.jobs
	}
	defer src.Close()
	if bars != nil {
		resolver.Progress = bars.Progress
	}
	errw := terminal.NewLockedWriter(bars.Over(a.err))
	how := &terminal.Standing{Hosts: engine.Hosts.Hosts}
	if bars != nil {
		bars.Status = how
	} else {
		defer terminal.EveryMinute(errw, how)()
	}
	disk := saved.NewDisk(g.dir, int64(g.minFree))
	out := bufio.NewWriterSize(bars.Over(a.out), 64<<10)
	p := &printer{app: &app{out: out, err: errw}, getting: g, program: record.Version()}
	if g.trace {
		p.tracer = record.NewTracer(errw, g.json, g.exact)
		resolver.Observe = p.tracer.Observe
	}
	work := func(t *task, waits func(bool)) {
		if t.results != nil {
			return
		}
		if t.dropped = ctx.Err() != nil || !disk.Room(); t.dropped {
			return
		}
		t.save(ctx, resolver, folder, g.dir, files, how, waits)
		t.drop(ctx)
		for ref, r := range t.results {
			bars.Done(ref)
			disk.Failed(r.Err)
		}
	}
	done := func(t *task) {
		p.print(t)
		how.Tell(p.tally.Standing())
		if err := out.Flush(); p.err == nil {
			p.err = err
		}
		if p.err != nil {
			cancel() // nobody reads what else would be said
		}
	}
	servers := &source.Servers{Flags: &g.imap, Ask: ask, Err: bars.Over(a.err), Reading: g.policy.Reading, Resolve: true}
	letters := g.letters(ctx, disk, how, names, formers, source.Messages(ctx, paths, src, servers))
	if g.ordered {
		crowd.InOrder(max(g.jobs, crowdSize), flat(letters), func(t *task) { work(t, func(bool) {}) }, done, func() {})
	} else {
		limits := crowd.Limits{Busy: g.jobs + crowdSpare, All: max(g.jobs, crowdSize), Group: max(g.jobs, crowdShare)}
		crowd.AsDone(limits, letters, work, done)
	}
	bars.Stop()
	a.totals(&p.tally)
	switch {
	case p.err != nil:
		return p.err
	case parent.Err() != nil:
		return exit.Interrupted
	case disk.Status() != nil:
		return disk.Status()
	}
	return p.tally.Status()
}

// letters yields what is to be resolved of each message. When ctx ends it yields no more.
func (g *getting) letters(ctx context.Context, disk *saved.Disk, how *terminal.Standing, names *saved.Names, formers *record.Formers, messages iter.Seq2[*source.Found, error]) iter.Seq[[]*task] {
	return func(yield func([]*task) bool) {
		defer how.Last()
		for m, err := range messages {
			l := &letter{Found: m, results: make(map[*externalbody.Reference]*record.Result), err: err}
			if err == nil {
				l.err = m.Read(&g.policy.Reading)
			}
			choices := m.Choices(g.alternatives.Value == "all")
			stems := l.stems(names)
			if len(choices) == 0 {
				if l.err == nil {
					m.Close()
					continue
				}
				choices = append(choices, nil)
			}
			var tasks []*task
			for _, bodies := range choices {
				t := &task{letter: l, bodies: bodies, names: stems}
				var leaveOut bool
				if t.results, leaveOut = formers.Decide(l.Place(), l.id.Digest, bodies); !leaveOut {
					tasks = append(tasks, t)
				}
			}
			if len(tasks) == 0 && l.err != nil {
				tasks = append(tasks, &task{letter: l}) // which says that
			}
			if l.tasks = len(tasks); l.tasks == 0 {
				m.Close()
			}
			for _, t := range tasks {
				for _, alts := range t.bodies {
					how.Find(len(alts))
				}
			}
			if !yield(tasks) || ctx.Err() != nil || !disk.Room() {
				return
			}
		}
	}
}

// stems identifies the message, and returns the names of the files of its references,
// without extensions. names is nil for those by the digest of the message.
func (l *letter) stems(names *saved.Names) map[*externalbody.Reference]string {
	if len(l.Refs) == 0 {
		return nil
	}
	id, stem, err := l.Identify()
	l.id = id
	if err != nil {
		stem = source.Stem(make([]byte, 8)) // what fails now will be said of each body
		l.err = errors.Join(l.err, err)
	}
	stems := make(map[*externalbody.Reference]string)
	for _, ref := range l.Refs {
		if names != nil {
			stems[ref] = names.Next(l.Number(), ref)
		} else {
			stems[ref] = stem + "-" + saved.Plain(ref.ID)
		}
	}
	return stems
}

// flat yields the elements of slices.
func flat[T any](slices iter.Seq[[]T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for s := range slices {
			for _, t := range s {
				if !yield(t) {
					return
				}
			}
		}
	}
}

// save resolves and saves the first body that can be had. Nothing is left of one
// that failed. It calls waits with whether it waits for a host.
func (t *task) save(ctx context.Context, resolver *externalbody.Resolver, folder *os.Root, dir string, files *saved.Twins, how *terminal.Standing, waits func(bool)) {
	t.results = make(map[*externalbody.Reference]*record.Result)
	named := *resolver
	named.Progress = func(ref *externalbody.Reference, e fetch.Event) {
		if waits(e.Phase == fetch.Waiting); e.Phase != fetch.Waiting {
			t.begun.Store(true)
		}
		if e.Phase == fetch.Receiving {
			how.Receive(max(0, e.Octets-t.octets))
		}
		t.octets = e.Octets
		if resolver.Progress != nil {
			resolver.Progress(ref, e)
		}
	}
	named.FileName = func(rep *externalbody.Report) string { return t.names[rep.Reference] + saved.Extension(rep) }
	served := false
	for _, alts := range t.bodies {
		if served {
			for _, ref := range alts {
				t.results[ref] = &record.Result{Skipped: true}
			}
			continue
		}
		served = t.saveBody(ctx, &named, alts, folder, dir, files)
	}
	if served {
		for _, r := range t.results {
			r.Skipped = r.Skipped || r.Err != nil
		}
	}
}

// drop forgets a task that was interrupted while it waited for its turn: what was not
// begun has no line.
func (t *task) drop(ctx context.Context) {
	if ctx.Err() == nil || t.begun.Load() {
		return
	}
	for _, r := range t.results {
		if r.Err == nil || fetch.KindOf(r.Err) != fetch.Canceled {
			return
		}
	}
	t.dropped, t.results = true, nil
}

// saveBody saves one body in folder, which is called dir, and reports whether it
// could be had.
func (t *task) saveBody(ctx context.Context, resolver *externalbody.Resolver, alts []*externalbody.Reference, folder *os.Root, dir string, files *saved.Twins) bool {
	name, report, err := resolver.SaveFile(ctx, alts, folder)
	files.Saved(report, name)
	for _, ref := range alts {
		// Without a file, those that were not tried share the reason for which it
		// ended.
		t.results[ref] = &record.Result{Skipped: err == nil, Err: err}
	}
	for _, f := range report.Failures {
		t.results[f.Reference] = &record.Result{Err: f.Err, Report: f.Report}
	}
	if err != nil {
		if report.Reference != nil && t.results[report.Reference].Report == nil {
			t.results[report.Reference].Report = report
		}
		return false
	}
	t.results[report.Reference] = &record.Result{Report: report, File: filepath.Join(dir, name)}
	return true
}

// A printer says the outcome of each task.
type printer struct {
	*app
	*getting
	tally   record.Tally
	program string // its version
	tracer  *record.Tracer
	err     error // of writing
}

// print takes the outcome of a task, and says it; if lines are written in order, as
// soon as all of its message before it was said.
func (p *printer) print(t *task) {
	l := t.letter
	for ref, r := range t.results {
		l.results[ref] = r
	}
	l.tasks--
	if p.ordered {
		for ; l.printed < len(l.Refs) && l.results[l.Refs[l.printed]] != nil; l.printed++ {
			p.result(l, l.Refs[l.printed])
		}
	} else {
		for _, alts := range slices.Backward(t.bodies) {
			for _, ref := range alts {
				if l.results[ref] != nil {
					p.result(l, ref)
				}
			}
		}
	}
	if l.tasks > 0 {
		return
	}
	if l.err != nil && !t.dropped && p.err == nil {
		p.err = p.unreadable(p.out, l.Found, l.err, p.json)
		p.tally.Unread(l.err)
	}
	l.Close()
	p.tally.Letter(len(l.results))
}

func (p *printer) result(l *letter, ref *externalbody.Reference) {
	if p.err != nil {
		return
	}
	result := l.results[ref]
	r := record.Brief(ref)
	if p.json {
		r = record.New(l.Place(), ref, p.exact)
		r.Identity, r.Program, r.Exchanges = &l.id, p.program, p.tracer.Take(ref)
	}
	r.Resolved(result, p.exact)
	p.tally.Add(r)
	switch {
	case p.json:
		p.err = r.WriteJSON(p.out)
	case result.Skipped, result.Former != nil:
	case result.Err != nil:
		_, p.err = fmt.Fprintf(p.app.err, "extbody: %s part %s: %s\n", show.Line(l.Title()), show.Line(ref.ID), show.Line(result.Err.Error()))
	default:
		_, p.err = fmt.Fprintln(p.out, r.Sentence())
	}
}

// dryRun shows what get would do, and contacts nobody.
func (a *app) dryRun(ctx context.Context, paths []record.Path, g *getting, resolver *externalbody.Resolver) error {
	src := &source.Files{In: a.in}
	defer src.Close()
	var count record.Tally
	servers := &source.Servers{Flags: &g.imap, Ask: terminal.NewAsker(a.in, a.err, nil), Err: a.err, Reading: g.policy.Reading, Resolve: true}
	for m, err := range source.Messages(ctx, paths, src, servers) {
		if ctx.Err() != nil {
			m.Close()
			break
		}
		if err == nil {
			err = m.Read(&g.policy.Reading)
		}
		var werr error
		for _, ref := range m.Refs {
			r := record.New(m.Place(), ref, g.exact)
			r.Planned(resolver.Plan(ref))
			count.Add(r)
			if werr == nil {
				werr = g.writePlan(a.out, m, r)
			}
		}
		count.Letter(len(m.Refs))
		if err != nil && werr == nil {
			count.Unread(err)
			werr = a.unreadable(a.out, m, err, g.json)
		}
		m.Close()
		if werr != nil {
			return werr
		}
	}
	a.totals(&count)
	if ctx.Err() != nil {
		return exit.Interrupted
	}
	return count.Status()
}

func (g *getting) writePlan(w io.Writer, m *source.Found, r *record.Record) error {
	if g.json {
		return r.WriteJSON(w)
	}
	if _, err := fmt.Fprintln(w, show.Line(m.Title())); err != nil {
		return err
	}
	for line := range strings.Lines(r.Plan.String()) {
		if _, err := fmt.Fprintln(w, " ", show.Line(strings.TrimSuffix(line, "\n"))); err != nil {
			return err
		}
	}
	return nil
}
