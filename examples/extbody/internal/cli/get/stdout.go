package get

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// toStdout writes the one body that is chosen to standard output after all of it was
// verified. It is a mistake if there are several, or none. A reader that goes away is no
// error.
func (run *Run) toStdout(ctx context.Context, paths []record.Path, engine *policy.Engine, ask *terminal.Asker, bars *terminal.Bars) error {
	defer exit.BrokenPipes()()
	files := &source.Files{In: run.In}
	defer files.Close()
	servers := &source.Servers{
		Flags: &run.Imap, Ask: ask, Err: run.Err, Reading: run.Policy.Reading, Guard: run.Policy.Guard(), Resolve: true,
	}
	var found *source.Found
	var bodies [][]*externalbody.Reference
	var number int // of the line of the body in the list that a person was shown, or 0
	var counts record.Counts
	n := 0
	defer func() {
		if found != nil {
			found.Close()
		}
	}()
	for m, err := range source.Messages(ctx, paths, files, servers) {
		if ctx.Err() != nil {
			m.Close()
			break
		}
		if err == nil {
			err = m.Read(&run.Policy.Reading)
		}
		choices, numbers, cerr := run.chosen(m, false)
		err = errors.Join(err, cerr)
		if err != nil {
			counts.Unread(err)
			if err := m.Unreadable(run.Out, run.Err, err, false); err != nil {
				m.Close()
				return err
			}
		}
		if run.Ask && len(choices) > 0 {
			answer, err := run.askAbout(ctx, ask, engine.Resolver, choices, numbers)
			if err != nil {
				m.Close()
				return exit.ErrInterrupted
			}
			choices, numbers = agreedTo(choices, numbers, answer.agreed)
		}
		n += len(choices)
		if n == 1 && len(choices) == 1 {
			found = m
			bodies = choices[0]
			if run.Ask {
				number = numbers[0]
			}
			continue
		}
		m.Close()
		if n > 1 {
			return exit.Mistake(errors.New("--stdout writes one body, and there are several: choose one with --ref, --name or --message"))
		}
	}
	switch {
	case ctx.Err() != nil:
		return exit.ErrInterrupted
	case n == 0:
		err := cmp.Or(counts.Status(), run.Choice.Missed())
		if err == nil && !run.Ask {
			err = exit.Mistake(errors.New("there is no body to write"))
		}
		return err
	}
	return run.writeBody(ctx, found, cmp.Or(number, slices.Index(found.Refs, bodies[0][0])+1), bodies, engine.Resolver, bars, &counts)
}

// agreedTo returns the choices that were agreed to, and their numbers.
func agreedTo(choices [][][]*externalbody.Reference, numbers []int, agreed []bool) (kept [][][]*externalbody.Reference, keptNumbers []int) {
	for i, bodies := range choices {
		if agreed[i] {
			kept = append(kept, bodies)
			keptNumbers = append(keptNumbers, numbers[i])
		}
	}
	return kept, keptNumbers
}

// writeBody writes the first of the formats of a body that can be had. An error has its number.
func (run *Run) writeBody(
	ctx context.Context, m *source.Found, number int, bodies [][]*externalbody.Reference,
	resolver *externalbody.Resolver, bars *terminal.Bars, counts *record.Counts,
) error {
	if bars != nil {
		r := *resolver
		r.Progress = bars.Progress
		resolver = &r
	}
	for i, alts := range bodies {
		spool, err := resolver.SaveSpool(ctx, alts, "")
		for _, ref := range alts {
			bars.Done(ref)
		}
		if err == nil {
			bars.Stop()
			defer spool.Close()
			err := exit.OrInterrupted(ctx, func() error { return output.CopyTo(run.Out, spool.NewReader()) })
			if output.IsBrokenPipe(err) {
				return nil
			}
			return err
		}
		if i == len(bodies)-1 || fetch.KindOf(err) == fetch.Local || ctx.Err() != nil {
			bars.Stop()
			r := record.Brief(alts[0])
			r.Resolved(&record.Result{Err: err}, run.Exact)
			counts.Add(r)
			if ctx.Err() != nil {
				return exit.ErrInterrupted
			}
			var failures record.Failures
			failures.Add(number, alts[0], err, run.Policy.WayOut(alts[0], err))
			if err := run.fail(run.Err, m, &failures); err != nil {
				return err
			}
			return counts.Status()
		}
	}
	return nil
}
