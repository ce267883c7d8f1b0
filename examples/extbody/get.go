package main

import (
	"cmp"
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
	policy              policy
}

// defaultJobs is how many bodies are fetched at the same time.
const defaultJobs = 6

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
	g.policy.flags(f)
	return cmd
}

// A task is one reference on its way through get; or, with err set and no ref,
// a message that cannot be read.
type task struct {
	message *mailbox.Message
	last    bool // of its message, which can be closed behind it
	ref     *externalbody.Reference
	target  *target
	err     error
	report  *externalbody.Report
	file    string
	dropped bool // not begun before the program was interrupted
}

// get resolves what the messages refer to. It goes on when one fails.
func (a *app) get(ctx context.Context, paths []string, g *getting) error {
	resolver, err := g.policy.resolver()
	if err != nil {
		return err
	}
	if g.jobs < 1 {
		return usageError{fmt.Errorf("--jobs %d: want 1 or more", g.jobs)}
	}
	if g.dryRun {
		return a.dryRun(ctx, paths, g, resolver)
	}
	if err := os.MkdirAll(g.dir, 0o700); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	src := &source{in: a.in}
	defer src.close()
	bars := newBars(a.err)
	defer bars.stop()
	if bars != nil {
		resolver.Progress = bars.progress
	}
	p := &printer{app: &app{out: bars.over(a.out), err: bars.over(a.err)}, getting: g}
	work := func(t *task) {
		t.dropped = ctx.Err() != nil
		if t.ref != nil && !t.dropped {
			t.save(ctx, resolver)
			bars.done(t.ref)
		}
	}
	done := func(t *task) {
		if !t.dropped {
			p.print(t)
		}
		if p.err != nil {
			cancel() // nobody reads what else would be said
		}
		if t.last {
			t.message.Close()
		}
	}
	inOrder(g.jobs, g.tasks(ctx, src.messages(paths)), work, done)
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
func (g *getting) tasks(ctx context.Context, messages iter.Seq2[*mailbox.Message, error]) iter.Seq[*task] {
	names := &names{dir: g.dir, given: make(map[string]int)}
	return func(yield func(*task) bool) {
		for m, err := range messages {
			var refs []*externalbody.Reference
			if err == nil {
				refs, err = references(m, g.policy.strict)
			}
			var list []*task
			for _, ref := range refs {
				list = append(list, &task{message: m, ref: ref, target: names.next(m.Index, ref)})
			}
			if err != nil {
				list = append(list, &task{message: m, err: err})
			}
			if len(list) == 0 {
				m.Close()
				continue
			}
			list[len(list)-1].last = true
			for _, t := range list {
				if ctx.Err() != nil || !yield(t) {
					return
				}
			}
		}
	}
}

// save resolves the reference and saves its body. Nothing is left of a body
// that failed.
func (t *task) save(ctx context.Context, resolver *externalbody.Resolver) {
	defer t.target.discard()
	t.report, t.err = resolver.Save(ctx, []*externalbody.Reference{t.ref}, t.target)
	if t.err != nil {
		return
	}
	file, err := t.target.publish()
	if err != nil {
		t.err = &fetch.Error{Op: "save", Kind: fetch.Local, Err: err}
		return
	}
	t.file = file
}

// A printer says what came of each task.
type printer struct {
	*app
	*getting
	failed bool  // something did
	err    error // of writing
}

func (p *printer) print(t *task) {
	if p.err != nil {
		return
	}
	if t.ref == nil {
		p.failed = true
		p.err = p.unreadable(p.out, t.message, t.err, p.json)
		return
	}
	r := newRecord(t.message, t.ref, p.exact)
	r.resolved(t.report, t.err, t.file, p.exact)
	p.failed = p.failed || r.bad()
	switch {
	case p.json:
		p.err = r.writeJSON(p.out)
	case t.err != nil:
		_, p.err = fmt.Fprintf(p.app.err, "extbody: %s part %s: %s\n", oneLine(title(t.message)), oneLine(t.ref.ID), oneLine(t.err.Error()))
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
	if from := cmp.Or(r.FinalURL, r.URL); from != "" {
		s += " from " + from
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
	for t := range g.tasks(ctx, src.messages(paths)) {
		var err error
		if t.ref == nil {
			failed = true
			err = a.unreadable(a.out, t.message, t.err, g.json)
		} else {
			plan := resolver.Plan(t.ref)
			failed = failed || plan.Kind != 0
			err = g.writePlan(a.out, t, plan)
		}
		if t.last {
			t.message.Close()
		}
		if err != nil {
			return err
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

func (g *getting) writePlan(w io.Writer, t *task, plan *externalbody.Plan) error {
	if g.json {
		r := newRecord(t.message, t.ref, g.exact)
		r.Plan = plan
		if plan.Kind != 0 {
			r.Status = statusFailure
			r.outcome = &outcome{Kind: plan.Kind.String(), Error: escaped(plan.Reason)}
		}
		return r.writeJSON(w)
	}
	if _, err := fmt.Fprintln(w, oneLine(title(t.message))); err != nil {
		return err
	}
	for line := range strings.Lines(plan.String()) {
		if _, err := fmt.Fprintln(w, " ", oneLine(strings.TrimSuffix(line, "\n"))); err != nil {
			return err
		}
	}
	return nil
}
