package get

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
)

// lineWidth is how many columns lines about files have at a terminal.
const lineWidth = 76

// askAbout lists the bodies of a message on the terminal, and asks about the way to each that
// is tried first. It returns the ones that were agreed to. Another way is asked about when it
// is tried.
func askAbout(ctx context.Context, ask *terminal.Asker, resolver *externalbody.Resolver, choices [][][]*externalbody.Reference) ([]bool, error) {
	var lines []*record.Line
	var plans []*externalbody.Plan
	for _, bodies := range choices {
		plan := FirstPlan(resolver, bodies[0])
		i := slices.IndexFunc(bodies[0], func(ref *externalbody.Reference) bool { return ref.ID == plan.Ref.ID })
		lines = append(lines, record.NewLine(bodies[0][i]))
		plans = append(plans, plan)
	}
	return ask.Agree(ctx, record.Number(record.Table(lines, lineWidth)), plans)
}

// FirstPlan returns the Plan of the alternative that is tried first.
func FirstPlan(resolver *externalbody.Resolver, alts []*externalbody.Reference) *externalbody.Plan {
	var plans []*externalbody.Plan
	for _, ref := range alts {
		plans = append(plans, resolver.Plan(ref))
	}
	rank := func(p *externalbody.Plan) int {
		switch {
		case p.Kind != 0:
			return 3
		case p.Local():
			return 0
		case p.Secure:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(plans, func(p, q *externalbody.Plan) int { return cmp.Compare(rank(p), rank(q)) })
	return plans[0]
}
