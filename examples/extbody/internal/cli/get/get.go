// Package get gets what messages refer to, and saves it. Each body is verified and
// saved once, and is reported after it is on the disk.
package get

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/pool"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/saved"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
)

// Flags are the flags of get.
type Flags struct {
	Policy policy.Policy
	JSON   bool // records are JSON
	Exact  bool // URLs are not redacted

	dir             string
	dryRun, ordered bool
	jobs            int
	alternatives    flagvalue.Choice
	imap            source.ServerFlags
	names           flagvalue.Choice
	copies, trace   bool
	minFree         flagvalue.Size
	again
}

// DefaultJobs is how many bodies are fetched at the same time.
const DefaultJobs = 12

// sharedSize is how many octets of bodies are kept for other messages of a run that
// refer to the same bodies.
const sharedSize = 2 << 20

// untouched is by how many octets the garbage may be more than what is in use.
const untouched = 8 << 20

// perHost is how many requests a host gets at a time. It is small, since nobody waits
// for one of its bodies.
const perHost = 2

// Add adds the flags.
func (g *Flags) Add(f *pflag.FlagSet) {
	f.StringVarP(&g.dir, "output", "o", ".", "save in `DIR`, which is made if it is missing")
	f.BoolVar(&g.JSON, "json", false, "write one JSON object a line")
	f.BoolVar(&g.Exact, "exact-urls", false, "do not redact URLs")
	f.BoolVar(&g.dryRun, "dry-run", false, "show what would be done")
	f.BoolVar(&g.ordered, "ordered", false, "write lines in the order of the messages")
	g.names = flagvalue.OneOf("digest", "index")
	f.Var(&g.names, "names", "begin the names of files with the digest of the message, or its index")
	f.BoolVar(&g.copies, "copies", false, "save bodies with the same octets in files of their own")
	f.Var(&g.minFree, "min-free", "begin nothing more when fewer than `N` octets of the disk are free; 10GB")
	f.BoolVar(&g.trace, "trace", false, "write what is said on the wire, without bodies and credentials, to standard error, or with --json into the records")
	g.again.flags(f)
	f.IntVar(&g.jobs, "jobs", DefaultJobs, "get `N` at the same time")
	g.alternatives = flagvalue.OneOf("first", "all")
	f.Var(&g.alternatives, "alternatives", "of alternatives, get the first that can be had, or all")
	g.Policy.Flags(f)
	g.Policy.Cache.Flags(f)
	g.imap.Flags(f, &g.Policy.AllowPlaintext)
}

// The goroutines of get, in addition to those whose bodies come; the throttle decides
// which come at a time. As many others save bodies meanwhile: they wait for the disk most
// of the time, and those who wait together are served together. There are many more only
// if many wait for their turn at a host. So a host that hangs, or a message with many
// references, does not hold up the others.
const (
	CrowdSpare = DefaultJobs // that save a body, or read one on this machine
	CrowdSize  = 128         // including those that wait
	crowdShare = 32          // for one message
)

// A Run is one run of get.
type Run struct {
	In       io.Reader // standard input
	Out, Err io.Writer // standard output and standard error
	*Flags
}

// Do resolves what the messages refer to. It goes on after a failure.
func (run *Run) Do(parent context.Context, args []string) error {
	g := run.Flags
	// Data about hosts and connections lives as long as the run. Letting garbage grow
	// to several times that would cost memory and gain no speed. But a run that has little
	// of it would collect garbage all the time. Memory that nobody touches counts for when
	// that is done, and takes no room.
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	defer runtime.KeepAlive(make([]byte, untouched))
	bars := terminal.NewBars(run.Err)
	var ask *terminal.Asker
	if !g.dryRun {
		ask = terminal.NewAsker(run.In, run.Err, bars)
	}
	if g.jobs < 1 {
		return exit.Mistake(fmt.Errorf("--jobs %d: want 1 or more", g.jobs))
	}
	if output.Closed(run.Out) {
		return output.ErrClosed // nobody would learn what was saved as what
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
			return exit.Mistake(errors.New("--retry: a message in the records came from standard input: give its PATH"))
		}
	}
	g.Policy.NetrcFile = g.imap.Netrc
	g.Policy.Polite.PerHost, g.Policy.Polite.Fetches, g.Policy.Cache.Shared = perHost, g.jobs, sharedSize
	engine, err := g.Policy.Engine(ask, bars.Over(run.Err))
	if err != nil {
		return err
	}
	defer engine.Close()
	resolver := engine.Resolver
	if g.dryRun {
		return run.Plan(parent, paths, resolver)
	}
	if err := output.MakeFolder(g.dir); err != nil {
		return err
	}
	root, err := os.OpenRoot(g.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	folder, err := externalbody.OpenFolder(root)
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
	src := &source.Files{In: run.In}
	defer src.Close()
	if bars != nil {
		resolver.Progress = bars.Progress
	}
	errw := terminal.NewLockedWriter(bars.Over(run.Err))
	how := &terminal.Standing{Hosts: engine.Hosts.Hosts}
	if bars != nil {
		bars.Status = how
	} else {
		defer terminal.EveryMinute(errw, how)()
	}
	disk := saved.NewDisk(g.dir, int64(g.minFree))
	out := bufio.NewWriterSize(bars.Over(run.Out), 64<<10)
	p := &printer{out: out, errw: errw, Flags: g, program: record.Version()}
	if g.trace {
		p.tracer = record.NewTracer(errw, g.JSON, g.Exact)
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
	servers := &source.Servers{Flags: &g.imap, Ask: ask, Err: bars.Over(run.Err), Reading: g.Policy.Reading, Resolve: true}
	letters := g.letters(ctx, disk, how, names, formers, source.Messages(ctx, paths, src, servers))
	limits := pool.Limits{Busy: g.jobs + CrowdSpare, All: max(g.jobs, CrowdSize), Group: max(g.jobs, crowdShare)}
	if g.ordered {
		pool.InTurn(limits, letters, work, done)
	} else {
		pool.AsDone(limits, letters, work, done)
	}
	bars.Stop()
	p.tally.Say(run.Err)
	switch {
	case p.err != nil:
		return p.err
	case parent.Err() != nil:
		return exit.ErrInterrupted
	case disk.Status() != nil:
		return disk.Status()
	}
	return p.tally.Status()
}
