package multimatch

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"
)

// A Search looks for the needles of a Set in a text that is written to it piece by
// piece. It must not be used by several goroutines concurrently.
type Search struct {
	set   *Set
	found []bool
	left  int // needles that are not found yet

	html      bool
	reference bool
	joined    []byte // the octets around a break, without it

	seam []byte // the end of the text so far

	places places // in the text of Look
	within places // in joined
}

// NewSearch returns a Search for the needles of the set. If html is true, the text is
// HTML. A needle is then found even if it contains up to 16 line ends and tabs,
// because these have no meaning in a URL (URL Standard section 4.4). See also
// [Search.Reference].
func (s *Set) NewSearch(html bool) *Search {
	x := &Search{set: s, found: make([]bool, len(s.needles)), html: html}
	x.Reset()
	return x
}

// Reset makes the Search ready for a new text.
func (x *Search) Reset() {
	clear(x.found)
	x.left = len(x.found)
	x.reference = false
	x.seam = x.seam[:0]
	x.places.begin(false)
}

// Look searches a whole text. It is Reset and Write, but also records the places of
// needles for [Search.Places].
func (x *Search) Look(text []byte) {
	x.Reset()
	x.places.begin(true)
	x.Write(text)
}

// Write searches the next piece of the text. It returns len(p) and no error.
func (x *Search) Write(p []byte) (int, error) {
	if x.left == 0 && (x.reference || !x.html) {
		x.places.lose()
		return len(p), nil
	}
	overlap := x.overlap()
	if len(x.seam) > 0 {
		x.places.lose()
		kept := len(x.seam)
		x.seam = append(x.seam, p[:min(len(p), overlap)]...)
		x.look(x.seam)
		if len(p) < overlap {
			x.seam = append(x.seam[:0], x.seam[max(0, len(x.seam)-overlap):]...)
			return len(p), nil
		}
		x.seam = x.seam[:kept]
	}
	x.look(p)
	x.seam = append(x.seam[:0], p[max(0, len(p)-overlap):]...)
	return len(p), nil
}

func (x *Search) look(text []byte) {
	wanted := x.places.wanted()
	if x.left > 0 || wanted {
		x.left -= x.set.search(text, x.found, &x.places)
	}
	if !x.html {
		return
	}
	if !x.reference {
		x.reference = x.hasReference(text, false)
	}
	if x.left > 0 || wanted {
		returns := x.lookAround(text, '\n')
		x.lookAround(text, '\t')
		if bytes.Count(text, []byte{'\r'}) > returns {
			x.lookAround(text, '\r')
		}
	}
}

// maxBreaks is the number of breaks in a needle with which it is certainly found.
const maxBreaks = 16

// overlap returns the number of octets at the end of a piece of the text that are
// searched again with the next piece.
func (x *Search) overlap() int {
	if !x.html {
		return max(x.set.longest-1, 0)
	}
	return x.set.longest + max(maxBreaks, maxReference+len("&#"))
}

// lookAround looks for needles around each octet c, which is a break. It returns the
// number of these octets that follow a carriage return. The caller need not look
// around such carriage returns again.
func (x *Search) lookAround(text []byte, c byte) (returns int) {
	around := x.overlap()
	var parts *parts
	for i := 0; ; i++ {
		n := bytes.IndexByte(text[i:], c)
		if n < 0 {
			return returns
		}
		if parts == nil {
			parts = x.set.parts()
		}
		i += n
		before := i
		after := i + 1
		if before > 0 && text[before-1] == '\r' {
			returns++
		}
		for before > 0 && isBreak(text[before-1]) {
			before--
		}
		for after < len(text) && isBreak(text[after]) {
			after++
		}
		if before > 0 && after < len(text) && parts.mayCross(text, before, after) {
			x.joined = x.joined[:0]
			begin := max(0, before-around)
			end := min(len(text), after+around)
			for _, o := range text[begin:before] {
				if !isBreak(o) {
					x.joined = append(x.joined, o)
				}
			}
			seam := len(x.joined)
			for _, o := range text[after:end] {
				if !isBreak(o) {
					x.joined = append(x.joined, o)
				}
			}
			x.within.begin(x.places.wanted())
			x.left -= x.set.search(x.joined, x.found, &x.within)
			if x.within.across(seam) {
				x.places.add(begin, end)
			}
		}
		i = after - 1
	}
}

// MayCross reports whether a needle may start in text[:at] and end in text[at:].
func (x *Search) MayCross(text []byte, at int) bool {
	return at > 0 && at < len(text) && x.set.parts().mayCross(text, at, at)
}

// Found reports whether a needle occurs in the text so far. needle is its index in
// the argument of [New].
func (x *Search) Found(needle int) bool { return x.found[needle] }

// Any reports whether any needle was found.
func (x *Search) Any() bool { return x.left < len(x.found) }

// Reference reports whether the text so far has a character reference to a line end, to
// a tab, or to a character of a needle that may be around it. If so, the decoded text may
// contain a needle that Found does not report. Reference returns false if the text is
// not HTML.
func (x *Search) Reference() bool { return x.reference || x.html && x.hasReference(x.seam, true) }

// Places returns the places of needles in the text of [Search.Look], in order and
// without overlaps. A place around a break may be longer than the needle. The result is
// valid until the next text.
//
// Places reports false if
//
//   - the text was not searched by Look, or more was written after Look,
//   - there are more than 256 places,
//   - a needle of at most one octet was found.
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

// hasReference reports whether text has a character reference to a line end or to a tab,
// or to a character of a needle that may be around it. If last is false, more text follows,
// and a number at the end of text does not count yet.
func (x *Search) hasReference(text []byte, last bool) bool {
	var parts *parts
	for i := 0; ; i++ {
		n := bytes.IndexByte(text[i:], '&')
		if n < 0 {
			return false
		}
		if parts == nil {
			parts = x.set.parts()
		}
		i += n
		if c, rest, ok := parts.decode(text[i+1:], last); ok && parts.relevant(c, text[:i], rest, last) {
			return true
		}
	}
}

// HidesText reports whether text, which is HTML, has a character reference to an
// ASCII letter or digit, to an octet of "-_.:/", to a line end or to a tab. A search
// for words in the undecoded text misses these.
func HidesText(text []byte) bool { return plainWords().hasReference(text, true) }

// plainWords has the octets to which HidesText looks for references. It is only read.
var plainWords = sync.OnceValue(func() *Search {
	return New(strings.Split("abcdefghijklmnopqrstuvwxyz0123456789-_.:/", "")).NewSearch(true)
})
