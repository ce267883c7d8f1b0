package get

import (
	"fmt"
	"io"
	"slices"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
)

// A printer reports the outcome of each task.
type printer struct {
	out, errw io.Writer
	*Flags
	tally   record.Tally
	program string // its version
	tracer  *record.Tracer
	err     error // of writing
}

// print takes the outcome of a task and reports it. If lines are written in order, it
// waits for those of the same message before it.
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
		p.err = l.Unreadable(p.out, p.errw, l.err, p.JSON)
		p.tally.Unread(l.err)
	}
	p.tally.Hidden(l.Whole())
	l.Close()
	p.tally.Letter(len(l.results))
}

func (p *printer) result(l *letter, ref *externalbody.Reference) {
	if p.err != nil {
		return
	}
	result := l.results[ref]
	r := record.Brief(ref)
	if p.JSON {
		r = record.New(l.Place(), ref, p.Exact)
		r.Identity, r.Program, r.Exchanges = &l.id, p.program, p.tracer.Take(ref)
	}
	r.Resolved(result, p.Exact)
	p.tally.Add(r)
	switch {
	case p.JSON:
		p.err = r.WriteJSON(p.out)
	case result.Skipped, result.Former != nil:
	case result.Err != nil:
		_, p.err = fmt.Fprintf(p.errw, "extbody: %s part %s: %s\n", show.Line(l.Title()), show.Line(ref.ID), show.Line(result.Err.Error()))
	default:
		_, p.err = fmt.Fprintln(p.out, r.Sentence())
	}
}
