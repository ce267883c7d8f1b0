package needle

import (
	"cmp"
	"slices"
)

// maxPlaces bounds the places that are noted in one text. If there are more, knowing
// them is of no use.
const maxPlaces = 256

// A Span is a piece of a text, in octets.
type Span struct{ Start, End int }

// places are the places of needles in a text.
type places struct {
	spans []Span
	on    bool // places are noted
	lost  bool // not all places are known
}

// begin makes p ready for a new text. on says whether to note anything.
func (p *places) begin(on bool) { p.spans, p.on, p.lost = p.spans[:0], on, false }

// wanted reports whether p takes more places.
func (p *places) wanted() bool { return p.on && !p.lost }

// lose notes that not all places are known.
func (p *places) lose() { p.lost = true }

// add notes a place.
func (p *places) add(start, end int) {
	switch {
	case !p.wanted():
	case len(p.spans) == maxPlaces:
		p.lose()
	default:
		p.spans = append(p.spans, Span{start, end})
	}
}

// across reports whether a place begins before seam and ends after it, or whether there
// may be such a place.
func (p *places) across(seam int) bool {
	return p.lost || slices.ContainsFunc(p.spans, func(s Span) bool { return s.Start < seam && seam < s.End })
}

// Places returns the places of needles in the text of [Search.Look], in order and
// without overlaps. A place around a break may be longer than the needle. It reports
// false if the places are not known: if there was no Look or more than one Write, if
// there are more than 256 places, or if a needle of at most one octet was found. The
// result is valid until the next text.
func (x *Search) Places() ([]Span, bool) {
	p := &x.places
	if !p.wanted() {
		return nil, false
	}
	slices.SortFunc(p.spans, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	kept := p.spans[:0]
	for _, s := range p.spans {
		if n := len(kept); n > 0 && s.Start <= kept[n-1].End {
			kept[n-1].End = max(kept[n-1].End, s.End)
			continue
		}
		kept = append(kept, s)
	}
	p.spans = kept
	return kept, true
}
