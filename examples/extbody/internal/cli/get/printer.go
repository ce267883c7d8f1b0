package get

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
)

// A printer reports tasks.
type printer struct {
	out  *bufio.Writer
	errw io.Writer
	*Run
	counts  record.Counts
	program string // its version
	width   int    // of the terminal that shows the lines, or 0
	tracer  *record.Tracer
	err     error // of writing
}

// print reports a task. If lines are ordered, they wait for earlier lines of the same
// message.
func (p *printer) print(t *task) {
	m := t.message
	maps.Copy(m.results, t.results)
	m.tasks--
	if p.ordered {
		for ; m.printed < len(m.Refs) && m.results[m.Refs[m.printed]] != nil; m.printed++ {
			p.result(m, m.Refs[m.printed])
		}
	} else {
		for _, alts := range slices.Backward(t.bodies) {
			for _, ref := range alts {
				if m.results[ref] != nil {
					p.result(m, ref)
				}
			}
		}
	}
	if m.tasks > 0 {
		return
	}
	if p.JSON && !t.dropped && p.Choice.All() {
		id := cmp.Or(m.id, record.Identify(m.Whole()))
		for _, r := range record.NewUnread(m.Place(), &id, m.Whole()) {
			if p.err == nil {
				p.err = r.WriteJSON(p.out)
			}
		}
	}
	if p.err == nil {
		p.err = p.fail(p.errw, m.Found, &m.failures)
	}
	if m.err != nil && !t.dropped && p.err == nil {
		p.err = m.Unreadable(p.out, p.errw, m.err, p.JSON)
		p.counts.Unread(m.err)
	}
	if m.err == nil || len(m.Refs) > 0 {
		p.counts.Message(m.Whole(), len(m.results))
	}
	m.Close()
}

func (p *printer) result(m *message, ref *externalbody.Reference) {
	if p.err != nil {
		return
	}
	result := m.results[ref]
	r := record.Brief(ref)
	if p.JSON {
		r = record.New(m.Place(), ref, p.Exact)
		r.Identity = &m.id
		r.Program = p.program
		r.Exchanges = p.tracer.Take(ref)
	}
	r.Resolved(result, p.Exact)
	p.counts.Add(r)
	switch {
	case p.JSON:
		p.err = r.WriteJSON(p.out)
	case result.Skipped, result.Previous != nil:
	case p.Saved != nil && result.Err == nil:
		p.Saved(Saved{m.numbers[ref], result.File, result.Report})
	case result.Err != nil:
		m.failures.Add(m.numbers[ref], ref, result.Err, p.Policy.WayOut(ref, result.Err))
	default:
		_, p.err = fmt.Fprintln(p.out, r.Sentence(p.width))
	}
}

// fail writes the lines about the references of a message whose bodies cannot be had. A line has the message
// unless there is only one.
func (run *Run) fail(w io.Writer, m *source.Found, failures *record.Failures) error {
	where := m.Title() + ": "
	if run.Saved != nil {
		where = ""
	}
	for _, line := range failures.Lines() {
		line = show.Wrap("extbody: "+show.Line(where+line), terminal.Width(run.Err))
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// flush writes the lines out, and returns the first error of writing.
func (p *printer) flush() error {
	if err := p.out.Flush(); p.err == nil {
		p.err = err
	}
	return p.err
}

// Plan shows the plans of the references, and contacts no host.
func (run *Run) Plan(ctx context.Context, paths []record.Path, resolver *externalbody.Resolver) error {
	src := &source.Files{In: run.In}
	defer src.Close()
	var counts record.Counts
	servers := &source.Servers{
		Flags: &run.Imap, Ask: terminal.NewAsker(run.In, run.Err, nil), Err: run.Err, Reading: run.Policy.Reading,
		Guard: run.Policy.Guard(), Resolve: true,
	}
	for m, err := range source.Messages(ctx, paths, src, servers) {
		if ctx.Err() != nil {
			m.Close()
			break
		}
		if err == nil {
			err = m.Read(&run.Policy.Reading)
		}
		refs, cerr := run.Choice.References(m)
		err = errors.Join(err, cerr)
		werr := run.plans(m, refs, resolver, &counts)
		counts.Message(m.Whole(), len(refs))
		if chosen, cerr := run.Choice.Message(m); chosen && cerr == nil && run.Planned != nil {
			run.Planned(m)
		}
		if err != nil && werr == nil {
			counts.Unread(err)
			werr = m.Unreadable(run.Out, run.Err, err, run.JSON)
		}
		m.Close()
		if werr != nil {
			return werr
		}
	}
	counts.NoMail(src.NoMail)
	counts.Print(run.Err)
	if ctx.Err() != nil {
		return exit.ErrInterrupted
	}
	return cmp.Or(run.Choice.Missed(), counts.Status())
}

// plans writes the Plans of references of a message: as records, each with all facts, or in a
// sentence for the ones that are alike.
func (run *Run) plans(m *source.Found, refs []*externalbody.Reference, resolver *externalbody.Resolver, counts *record.Counts) error {
	var text strings.Builder
	say := func(words string) {
		for line := range strings.Lines(words) {
			fmt.Fprintln(&text, " ", show.Line(strings.TrimSuffix(line, "\n")))
		}
	}
	var plans []*externalbody.Plan
	for _, ref := range refs {
		r := record.New(m.Place(), ref, run.Exact)
		plan := resolver.Plan(ref)
		r.Planned(plan)
		counts.Add(r)
		switch {
		case run.JSON:
			if err := r.WriteJSON(run.Out); err != nil {
				return err
			}
		case run.verbose:
			say(plan.String() + run.Policy.PlannedWayOut(plan))
		default:
			plans = append(plans, plan)
		}
	}
	for _, group := range terminal.Alike(plans) {
		var others []*externalbody.Plan
		for _, i := range group[1:] {
			others = append(others, plans[i])
		}
		first := plans[group[0]]
		sentence := show.Line(first.Summary(others...) + run.Policy.PlannedWayOut(first))
		say(show.Wrap(sentence, terminal.Columns(run.Out)-len("  ")))
	}
	if text.Len() == 0 {
		return nil
	}
	_, err := fmt.Fprintf(run.Out, "%s\n%s", show.Line(m.Title()), &text)
	return err
}
