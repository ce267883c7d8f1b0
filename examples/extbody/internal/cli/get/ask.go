package get

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// An agreement is the outcome of the questions about the bodies of a message.
type agreement struct {
	agreed  []bool               // by body, those that are refused beforehand too
	plans   []*externalbody.Plan // of the way to each that is tried first
	browser []int                // bodies that are to be opened in the browser
}

// askAbout lists the bodies of a message on the terminal, with those that are refused beforehand and the
// way out, and asks about the way to each other one that is tried first. Another way is asked about when
// it is tried. The bodies have numbers in the list.
func (run *Run) askAbout(
	ctx context.Context, ask *terminal.Asker, resolver *externalbody.Resolver, choices [][][]*externalbody.Reference, numbers []int,
) (*agreement, error) {
	a := new(agreement)
	var lines []*record.Line
	for _, bodies := range choices {
		plan := planOf(resolver, bodies)
		lines = append(lines, lineOf(plan))
		a.plans = append(a.plans, plan)
	}
	text := record.Numbered(lines, numbers, ask.Columns())
	text = append(text, run.refusals(a.plans, numbers, ask.Columns())...)
	var err error
	a.agreed, err = ask.Agree(ctx, text, a.plans, numbers)
	if err != nil || run.Browse == nil {
		return a, err
	}
	var pages []int
	for i, p := range a.plans {
		if isForBrowser(p) {
			pages = append(pages, i)
		}
	}
	a.browser, err = ask.Browse(ctx, a.plans, pages, numbers)
	return a, err
}

// noContentID is a note that matters to programs alone.
const noContentID = "no-content-id"

// lineOf returns the line of the list about the file of a Plan.
func lineOf(plan *externalbody.Plan) *record.Line {
	line := record.NewLine(plan.Ref)
	line.Notes = slices.DeleteFunc(line.Notes, func(note string) bool { return note == noContentID })
	switch {
	case isForBrowser(plan):
		line.Notes = slices.Insert(line.Notes, 0, "browser")
	case plan.Kind != 0 && len(line.Notes) == 0:
		line.Notes = append(line.Notes, plan.Kind.String())
	}
	return line
}

// planOf returns the Plan of the first of some formats that is not refused beforehand, else of the first.
func planOf(resolver *externalbody.Resolver, bodies [][]*externalbody.Reference) *externalbody.Plan {
	var first *externalbody.Plan
	for _, alts := range bodies {
		plan := FirstPlan(resolver, alts)
		if plan.Kind == 0 {
			return plan
		}
		first = cmp.Or(first, plan)
	}
	return first
}

// isForBrowser reports whether a Plan is refused because no program can get the file of a known provider,
// whose page a browser can open.
func isForBrowser(p *externalbody.Plan) bool {
	isWeb := p.Scheme == "https" || p.Scheme == "http"
	return isWeb && p.Ref.Provider != "" && (p.Kind == fetch.Unsupported || p.Kind == fetch.Credentials)
}

// maxRefusals bounds the sentences about files that are not to be had.
const maxRefusals = 5

// refusals returns sentences about the Plans that are refused beforehand, with their numbers in the list
// and the way out.
func (run *Run) refusals(plans []*externalbody.Plan, numbers []int, width int) []string {
	var sentences []string
	refused := make(map[string][]int) // numbers
	for i, p := range plans {
		if p.Kind == 0 {
			continue
		}
		_, why, ok := strings.Cut(p.Reason, p.Kind.Error()+": ")
		if !ok {
			why = p.Reason
		}
		text := why + run.Policy.PlannedWayOut(p)
		if isForBrowser(p) {
			text += "; a browser opens it"
			if run.Browse != nil {
				text += " (b below)"
			}
		}
		if refused[text] == nil {
			sentences = append(sentences, text)
		}
		refused[text] = append(refused[text], numbers[i])
	}
	if len(sentences) > maxRefusals {
		var rest []int
		for _, text := range sentences[maxRefusals-1:] {
			rest = append(rest, refused[text]...)
		}
		slices.Sort(rest)
		const others = "for other reasons, which list names"
		sentences = append(sentences[:maxRefusals-1], others)
		refused[others] = rest
	}
	var lines []string
	for _, text := range sentences {
		line := show.Line(record.Ranges(refused[text]) + ": not to be had: " + text)
		lines = append(lines, strings.Split(show.Wrap(line, width), "\n")...)
	}
	return lines
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
