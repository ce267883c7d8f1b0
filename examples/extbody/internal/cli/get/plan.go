package get

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
)

// Plan shows the plans of the references, and contacts no host.
func (run *Run) Plan(ctx context.Context, paths []record.Path, resolver *externalbody.Resolver) error {
	g := run.Flags
	src := &source.Files{In: run.In}
	defer src.Close()
	var counts record.Counts
	servers := &source.Servers{Flags: &g.imap, Ask: terminal.NewAsker(run.In, run.Err, nil), Err: run.Err, Reading: g.Policy.Reading, Resolve: true}
	for m, err := range source.Messages(ctx, paths, src, servers) {
		if ctx.Err() != nil {
			m.Close()
			break
		}
		if err == nil {
			err = m.Read(&g.Policy.Reading)
		}
		var werr error
		for _, ref := range m.Refs {
			r := record.New(m.Place(), ref, g.Exact)
			r.Planned(resolver.Plan(ref))
			counts.Add(r)
			if werr == nil {
				werr = g.writePlan(run.Out, m, r)
			}
		}
		counts.Message(m.Whole(), len(m.Refs))
		if err != nil && werr == nil {
			counts.Unread(err)
			werr = m.Unreadable(run.Out, run.Err, err, g.JSON)
		}
		m.Close()
		if werr != nil {
			return werr
		}
	}
	counts.Print(run.Err)
	if ctx.Err() != nil {
		return exit.ErrInterrupted
	}
	return counts.Status()
}

func (g *Flags) writePlan(w io.Writer, m *source.Found, r *record.Record) error {
	if g.JSON {
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
