package multimatch

import "slices"

// maxPlaces bounds the places that are recorded in a text. More places would be of no
// use.
const maxPlaces = 256

// A Span is the octets of a text from Start up to, but not including, End.
type Span struct{ Start, End int }

// places are the places of needles in a text.
type places struct {
	spans []Span
	on    bool // places are recorded
	lost  bool // not all places are known
}

// begin makes p ready for a new text. If on is false, nothing is recorded.
func (p *places) begin(on bool) {
	p.spans = p.spans[:0]
	p.on = on
	p.lost = false
}

// wanted reports whether places are still recorded.
func (p *places) wanted() bool { return p.on && !p.lost }

func (p *places) lose() { p.lost = true }

func (p *places) add(start, end int) {
	switch {
	case !p.wanted():
	case len(p.spans) == maxPlaces:
		p.lose()
	default:
		p.spans = append(p.spans, Span{start, end})
	}
}

// across reports whether a place starts before seam and ends after it. It reports
// true if not all places are known.
func (p *places) across(seam int) bool {
	return p.lost || slices.ContainsFunc(p.spans, func(s Span) bool { return s.Start < seam && seam < s.End })
}
