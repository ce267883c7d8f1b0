package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mailbox"
)

// getting are the flags of get.
type getting struct {
	dir                 string
	json, exact, dryRun bool
	jobs                int
	alternatives        choice
	policy              policy
	imap                imapFlags
}

// defaultJobs is how many bodies are fetched at the same time.
const defaultJobs = 12

func (a *app) getCommand() *cobra.Command {
	var g getting
	cmd := &cobra.Command{
		Use:   "get [PATH...]",
		Short: "Resolve what messages refer to, and save it",
		Long: `Get the body of each reference of each message, verify it, and save it.

A body is saved under the index of its message, the id of its reference, and an
extension: 3-1.2.png. Nothing is overwritten, and nothing has its name before
all of it has been verified.

Getting a body tells its server that, when and from where the message is read.
--dry-run shows what would be contacted, and contacts nobody.`,
		RunE: running(func(cmd *cobra.Command, args []string) error {
			return a.get(cmd.Context(), args, &g)
		}),
	}
	f := cmd.Flags()
	f.StringVarP(&g.dir, "output", "o", ".", "save in `DIR`, which is made if it is missing")
	f.BoolVar(&g.json, "json", false, "write one JSON object a line")
	f.BoolVar(&g.exact, "exact-urls", false, "do not redact URLs")
	f.BoolVar(&g.dryRun, "dry-run", false, "show what would be done")
	f.IntVar(&g.jobs, "jobs", defaultJobs, "get `N` at the same time")
	g.alternatives = choice{"first", []string{"first", "all"}}
	f.Var(&g.alternatives, "alternatives", "of parts that stand for the same, get the first that can be had, or all")
	g.policy.flags(f)
	g.imap.flags(f, &g.policy.clear)
	return cmd
}

// A letter is a message on its way through get, with what came of its references.
type letter struct {
	*found
	results map[*externalbody.Reference]*result
	printed int   // references, in their order
	tasks   int   // not yet done
	err     error // the message cannot be read, or not to its end
}

// A result is what came of a reference.
type result struct {
	report  *externalbody.Report
	err     error
	file    string
	skipped bool // another one served for it
}

// A task is a body on its way through get, with the references of which one is
// enough: the formats, best first, and of each the ways to get it. It has none
// for a letter without references.
type task struct {
	letter  *letter
	bodies  [][]*externalbody.Reference
	targets map[*externalbody.Reference]*target
	results map[*externalbody.Reference]*result
	dropped bool // not begun before the program was interrupted
}

// get resolves what the messages refer to. It goes on when one fails.
func (a *app) get(ctx context.Context, paths []string, g *getting) error {
	bars := newBars(a.err)
	ask := newAsker(a.in, bars.over(a.err))
	if g.dryRun {
		ask = nil
	}
	resolver, closeRoot, err := g.policy.resolver(ask)
	if err != nil {
		return err
	}
	defer closeRoot()
	if g.jobs < 1 {
		return usageError{fmt.Errorf("--jobs %d: want 1 or more", g.jobs)}
	}
	if g.dryRun {
		return a.dryRun(ctx, paths, g, resolver)
	}
	if err := os.MkdirAll(g.dir, 0o700); err != nil {
		return err
	}
	names, err := newNames(g.dir)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	src := &source{in: a.in}
	if len(g.policy.dialects.list) == 0 {
		src.candidates, src.jobs = ctx, g.jobs
	}
	defer src.close()
	defer bars.stop()
	if bars != nil {
		resolver.Progress = bars.progress
	}
	out := bufio.NewWriterSize(bars.over(a.out), 64<<10)
	p := &printer{app: &app{out: out, err: bars.over(a.err)}, getting: g}
	flush := func() {
		if err := out.Flush(); p.err == nil {
			p.err = err
		}
	}
	work := func(t *task) {
		if t.dropped = ctx.Err() != nil; t.dropped {
			return
		}
		t.save(ctx, resolver)
		for ref := range t.results {
			bars.done(ref)
		}
	}
	done := func(t *task) {
		p.print(t)
		if p.err != nil {
			cancel() // nobody reads what else would be said
		}
	}
	servers := &imapSource{flags: &g.imap, ask: ask, err: bars.over(a.err), reading: g.policy.reading, resolve: true}
	inOrder(g.jobs, g.tasks(ctx, names, mixed(ctx, paths, src, servers)), work, done, flush)
	flush()
	switch {
	case p.err != nil:
		return p.err
	case ctx.Err() != nil:
		return errInterrupted
	case p.failed:
		return &failure{}
	}
	return nil
}

// tasks yields what is to be resolved, until ctx ends.
func (g *getting) tasks(ctx context.Context, names *names, messages iter.Seq2[*found, error]) iter.Seq[*task] {
	return func(yield func(*task) bool) {
		for m, err := range messages {
			l := &letter{found: m, results: make(map[*externalbody.Reference]*result), err: err}
			if err == nil {
				l.err = m.read(&g.policy.reading)
			}
			choices := m.choices(g.alternatives.value == "all")
			targets := make(map[*externalbody.Reference]*target)
			for _, ref := range l.refs {
				targets[ref] = names.next(m.Index, ref)
			}
			if len(choices) == 0 {
				if l.err == nil {
					m.Close()
					continue
				}
				choices = append(choices, nil)
			}
			l.tasks = len(choices)
			for _, bodies := range choices {
				if ctx.Err() != nil || !yield(&task{letter: l, bodies: bodies, targets: targets}) {
					return
				}
			}
		}
	}
}

// save resolves and saves the first body that can be had. Nothing is left of one
// that failed.
func (t *task) save(ctx context.Context, resolver *externalbody.Resolver) {
	t.results = make(map[*externalbody.Reference]*result)
	served := false
	for _, alts := range t.bodies {
		if served {
			for _, ref := range alts {
				t.results[ref] = &result{skipped: true}
			}
			continue
		}
		served = t.saveBody(ctx, resolver, alts)
	}
	if served {
		for _, r := range t.results {
			r.skipped = r.skipped || r.err != nil
		}
	}
}

// saveBody saves one body and reports whether it could be had.
func (t *task) saveBody(ctx context.Context, resolver *externalbody.Resolver, alts []*externalbody.Reference) bool {
	target := t.targets[alts[0]]
	defer target.discard()
	report, err := resolver.Save(ctx, alts, target)
	for _, ref := range alts {
		t.results[ref] = &result{skipped: true}
	}
	for _, f := range report.Failures {
		t.results[f.Reference] = &result{err: f.Err}
	}
	if err != nil {
		// Those that were not tried share the reason for which it ended.
		for _, r := range t.results {
			if r.skipped && r.report == nil {
				r.skipped, r.err = false, err
			}
		}
		if report.Reference != nil {
			t.results[report.Reference].report = report
		}
		return false
	}
	ref := report.Reference
	target.name(t.targets[ref])
	file, err := target.publish()
	if err != nil {
		err = &fetch.Error{Op: "save", Kind: fetch.Local, Err: err}
	}
	t.results[ref] = &result{report: report, file: file, err: err}
	return err == nil
}

// A printer says what came of each task.
type printer struct {
	*app
	*getting
	failed bool  // something did
	err    error // of writing
}

// print takes what came of a task, and says it as soon as all of its message
// before it was said.
func (p *printer) print(t *task) {
	l := t.letter
	for ref, r := range t.results {
		l.results[ref] = r
	}
	l.tasks--
	for l.printed < len(l.refs) && p.err == nil {
		ref := l.refs[l.printed]
		r := l.results[ref]
		if r == nil {
			break // dropped, or not yet done
		}
		p.result(l, ref, r)
		l.printed++
	}
	if l.tasks > 0 {
		return
	}
	if l.err != nil && !t.dropped && p.err == nil {
		p.failed = true
		p.err = p.unreadable(p.out, l.Message, l.err, p.json)
	}
	l.Close()
}

func (p *printer) result(l *letter, ref *externalbody.Reference, result *result) {
	r := &record{ref: ref, facts: &facts{ContentType: escaped(ref.MediaType)}}
	if p.json {
		r = newRecord(l.Message, ref, p.exact)
	}
	r.resolved(result, p.exact)
	p.failed = p.failed || r.bad(ref)
	switch {
	case p.json:
		p.err = r.writeJSON(p.out)
	case result.skipped:
	case result.err != nil:
		_, p.err = fmt.Fprintf(p.app.err, "extbody: %s part %s: %s\n", oneLine(title(l.Message)), oneLine(ref.ID), oneLine(result.err.Error()))
	default:
		_, p.err = fmt.Fprintln(p.out, r.sentence())
	}
}

// sentence says in words what was saved.
func (r *record) sentence() string {
	s := fmt.Sprintf("%s: %s", r.File, octets(*r.Bytes))
	if r.ContentType != "" {
		s += " of " + r.ContentType
	}
	if r.FinalURL != "" {
		s += " from " + r.FinalURL
	}
	var notes []string
	for _, c := range r.Checks {
		notes = append(notes, checkWords(c))
	}
	notes = append(notes, r.Warnings...)
	if len(notes) > 0 {
		s += " (" + strings.Join(notes, ", ") + ")"
	}
	return oneLine(s)
}

// checkWords says in words how a comparison went.
func checkWords(c fetch.Check) string {
	switch c.Status {
	case fetch.Match:
		return c.Name + " matches"
	case fetch.Mismatch:
		return c.Name + " differs"
	}
	return c.Name + " cannot be read"
}

// dryRun shows what get would do, and contacts nobody.
func (a *app) dryRun(ctx context.Context, paths []string, g *getting, resolver *externalbody.Resolver) error {
	src := &source{in: a.in}
	defer src.close()
	failed := false
	servers := &imapSource{flags: &g.imap, ask: newAsker(a.in, a.err), err: a.err, reading: g.policy.reading, resolve: true}
	for m, err := range mixed(ctx, paths, src, servers) {
		if ctx.Err() != nil {
			m.Close()
			break
		}
		if err == nil {
			err = m.read(&g.policy.reading)
		}
		var werr error
		for _, ref := range m.refs {
			plan := resolver.Plan(ref)
			failed = failed || plan.Kind != 0
			if werr == nil {
				werr = g.writePlan(a.out, m.Message, ref, plan)
			}
		}
		if err != nil && werr == nil {
			failed = true
			werr = a.unreadable(a.out, m.Message, err, g.json)
		}
		m.Close()
		if werr != nil {
			return werr
		}
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	if failed {
		return &failure{}
	}
	return nil
}

func (g *getting) writePlan(w io.Writer, m *mailbox.Message, ref *externalbody.Reference, plan *externalbody.Plan) error {
	if g.json {
		r := newRecord(m, ref, g.exact)
		r.Plan = plan
		if plan.Kind != 0 {
			r.Status = statusFailure
			r.outcome = &outcome{Kind: plan.Kind.String(), Error: escaped(plan.Reason)}
		}
		return r.writeJSON(w)
	}
	if _, err := fmt.Fprintln(w, oneLine(title(m))); err != nil {
		return err
	}
	for line := range strings.Lines(plan.String()) {
		if _, err := fmt.Fprintln(w, " ", oneLine(strings.TrimSuffix(line, "\n"))); err != nil {
			return err
		}
	}
	return nil
}
