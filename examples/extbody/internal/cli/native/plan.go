package native

import (
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
)

// plan returns the contacts that getting files would make, one for the files about which one question is
// enough. It contacts nobody.
func (s *session) plan(q *Request) (*Answer, error) {
	numbers, err := s.numbers(q)
	if err != nil {
		return nil, err
	}
	var plans []*externalbody.Plan
	for _, n := range numbers {
		plans = append(plans, s.first[n-1])
	}
	a := new(Answer)
	left := newRoom()
	for _, group := range terminal.Alike(plans) {
		o := new(offer)
		var files []int
		for _, i := range group {
			o.plans = append(o.plans, plans[i])
			files = append(files, numbers[i])
		}
		o.contact = s.contact(o.plans)
		o.contact.Files = files
		o.contact.Plan = noPlan
		if !left.takes(o.contact) {
			a.More = true
			break
		}
		a.Contacts = append(a.Contacts, s.offer(o))
	}
	return a, nil
}

// noPlan has the length of the id of a plan.
const noPlan = "--------------------------"

// contact returns the contact of plans that are alike, without its files.
func (s *session) contact(plans []*externalbody.Plan) Contact {
	p := plans[0]
	c := Contact{
		Host:    show.Fence(p.Host, maxText),
		Summary: show.Fence(p.Summary(plans[1:]...)+".", 4*maxText),
		Secure:  p.Secure,
		Local:   p.Local(),
		Keeps:   s.keeps(p),
	}
	if p.Kind != 0 {
		c.Refused = show.Fence(p.Reason, 2*maxText)
		return c
	}
	if by, ok := s.agreed(p); ok && !c.Local {
		c.Agreed = show.Fence(by, maxText)
	}
	return c
}
