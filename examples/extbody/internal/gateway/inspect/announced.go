package inspect

import (
	"slices"

	"github.com/go-extbody/extbody/externalbody"
)

// DecideAnnounced returns the Decision about a reference before its body is fetched. If the
// reference has a type and a size with which the body will be compared, the rules take them
// for those of the body; a Resolver with RefuseSize holds the body to both. Otherwise type,
// size and extension are not known.
func (p *Policy) DecideAnnounced(ref *externalbody.Reference, plan *externalbody.Plan) Decision {
	r := listed(ref, plan)
	if slices.Contains(plan.Checks, "media-type") && slices.Contains(plan.Checks, "size") {
		r.State, r.Served, r.Octets = Known, essence(r.Said), r.Size
	}
	return p.Decide(&Report{Refs: []Ref{r}}, new(Envelope), "", nil)
}
