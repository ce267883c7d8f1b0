// Package needle tells which of many short strings of octets occur in a long text,
// letters of ASCII compared without regard to case, at a speed that hardly depends on
// how many there are. It is what decides whether a text is worth reading.
package needle

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
)

const (
	tableBits = 13

	// maxWindow bounds how many octets of a needle are searched for; the others
	// are compared where these are found. Longer ones are rarely a gain, since
	// most texts have some octets of some needle in the next few.
	maxWindow = 10
)

// A Set is a set of needles. It is not changed by its methods and may be used by
// several goroutines.
type Set struct {
	needles []string // letters of ASCII in lower case
	window  int      // how many octets of each needle are searched for
	longest int
	short   []int // needles of one octet or none
	pivots  []*pivot

	// unit is how many octets are looked at together: three, or two if the window
	// is too short for that to be a gain.
	unit   int
	factor uint32

	// shift holds, for each unit, how far the search may go on when it has seen
	// it. If that is 0, group says which needles to compare.
	shift [1 << tableBits]uint8
	group [1 << tableBits]uint8

	groups [][]entry // by what group holds
}

// An entry is a needle and where in it the octets that are searched for end.
type entry struct {
	needle, end int
}

// A pivot is an octet that texts have rarely and many needles have, as all names of
// hosts have a dot. They are searched for by it and the two octets before it.
type pivot struct {
	octet byte

	// group holds, for two octets, which of groups has the needles that have these
	// before the octet.
	group  [1 << pivotBits]uint8
	groups [][]pivoted
}

// A pivoted is a needle, where its pivot is, and its first octet.
type pivoted struct {
	needle, at int
	first      byte
}

const (
	// maxPivots bounds the pivots of a Set.
	maxPivots = 2

	// pivotOctets are those that may be pivots, with beforePivot octets before them.
	pivotOctets = ")]}|."
	beforePivot = 2

	pivotBits = 10
)

// pair returns the place in a pivot of the two octets before it. It does not depend on
// the case of letters.
func pair(a, b byte) uint32 {
	return (uint32(a|0x20) | uint32(b|0x20)<<8) * 0x9E3779B1 >> (32 - pivotBits)
}

// addPivot reports whether a needle is searched for by a pivot.
func (s *Set) addPivot(needle int, text string) bool {
	at := -1
	for i := beforePivot; i < len(text); i++ {
		if strings.IndexByte(pivotOctets, text[i]) >= 0 && (at < 0 || rarity(text[i-beforePivot:i]) > rarity(text[at-beforePivot:at])) {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	i := slices.IndexFunc(s.pivots, func(p *pivot) bool { return p.octet == text[at] })
	if i < 0 {
		if i = len(s.pivots); i == maxPivots {
			return false
		}
		s.pivots = append(s.pivots, &pivot{octet: text[at], groups: make([][]pivoted, 1)})
	}
	s.pivots[i].add(pivoted{needle, at, text[0]}, text)
	return true
}

// add adds a needle.
func (p *pivot) add(n pivoted, text string) {
	h := pair(text[n.at-2], text[n.at-1])
	if p.group[h] == 0 {
		if len(p.groups) < 1<<8 {
			p.groups = append(p.groups, nil)
		}
		p.group[h] = uint8(len(p.groups) - 1)
	}
	g := p.group[h]
	p.groups[g] = append(p.groups[g], n)
}

// searchPivots is the part of search for what is searched for by pivots.
func (s *Set) searchPivots(text []byte, found []bool, places *places) (marked int) {
	for _, p := range s.pivots {
		for next := beforePivot; next < len(text); {
			i := bytes.IndexByte(text[next:], p.octet)
			if i < 0 {
				break
			}
			i += next
			next = i + 1
			g := p.group[pair(text[i-2], text[i-1])]
			if g == 0 {
				continue
			}
			for _, n := range p.groups[g] {
				if start := i - n.at; start >= 0 && lower(text[start]) == n.first {
					marked += s.compareAt(text, start, n.needle, found, places)
				}
			}
		}
	}
	return marked
}

// New returns the Set of needles. Its size and the time to make
// it are linear in theirs.
func New(needles []string) *Set {
	s := &Set{window: maxWindow, groups: make([][]entry, 1, 2+len(needles))}
	var table []int
	for i, text := range needles {
		text = lowered(text)
		s.needles = append(s.needles, text)
		s.longest = max(s.longest, len(text))
		if len(text) < 2 {
			s.short = append(s.short, i)
			continue
		}
		if s.addPivot(i, text) {
			continue
		}
		table = append(table, i)
		s.window = min(s.window, len(text))
	}
	s.unit = 3
	if s.window < 5 {
		s.unit = 2
	}
	s.factor = factorOf(s.unit)
	for i := range s.shift {
		s.shift[i] = uint8(s.window - s.unit + 1)
	}
	for _, i := range table {
		s.add(i, s.needles[i])
	}
	return s
}

// add makes the tables find a needle of at least two octets.
func (s *Set) add(needle int, text string) {
	end := s.window
	for e := end; e <= len(text); e++ {
		if rarity(text[e-s.unit:e]) > rarity(text[end-s.unit:end]) {
			end = e
		}
	}
	for i := end - s.window + s.unit; i <= end; i++ {
		h := s.hashAt([]byte(text), i-s.unit)
		s.shift[h] = min(s.shift[h], uint8(end-i))
	}
	h := s.hashAt([]byte(text), end-s.unit)
	if s.group[h] == 0 {
		if len(s.groups) < 1<<8 {
			s.groups = append(s.groups, nil)
		}
		s.group[h] = uint8(len(s.groups) - 1)
	}
	g := s.group[h]
	s.groups[g] = append(s.groups[g], entry{needle, end})
}

// rarity ranks octets by how seldom text of people and of HTML has them.
func rarity(unit string) (sum int) {
	for _, c := range []byte(unit) {
		sum += int(rarities[c&0x7F])
	}
	return sum
}

var rarities = rarityTable()

func rarityTable() (t [0x80]uint8) {
	for i := range t {
		t[i] = 2
	}
	for _, c := range []byte("umpfgwyb-.:") {
		t[c] = 1
	}
	for _, c := range []byte("etaoinsrhdlc =\"<>/") {
		t[c] = 0
	}
	return t
}

// hash returns the place of a unit in the tables, of which v has the octets and factor
// drops the others. It does not depend on the case of letters.
func hash(v, factor uint32) uint32 {
	return (v | 0x20202020) * factor >> (32 - tableBits)
}

// factorOf returns the factor for units of that many octets, see hash.
func factorOf(unit int) uint32 { return 0x9E3779B1 << (32 - 8*unit) & (1<<32 - 1) }

// hashAt is hash for the unit at i of text.
func (s *Set) hashAt(text []byte, i int) uint32 {
	if i+4 <= len(text) {
		return hash(binary.LittleEndian.Uint32(text[i:]), s.factor)
	}
	v := uint32(0)
	for k, c := range text[i:] {
		v |= uint32(c) << (8 * k)
	}
	return hash(v, s.factor)
}

// search marks in found the needles that occur in text and of which it is not
// marked that they do; it returns how many it marked. It adds to places where
// needles are, unless that is nil.
func (s *Set) search(text []byte, found []bool, places *places) int {
	marked := 0
	for _, i := range s.short {
		n := s.needles[i]
		if !found[i] && (n == "" || bytes.IndexByte(text, n[0]) >= 0 || bytes.IndexByte(text, upper(n[0])) >= 0) {
			found[i] = true
			marked++
			places.lose()
		}
	}
	marked += s.searchPivots(text, found, places)
	if len(s.groups) == 1 {
		return marked
	}
	// Each step has to wait for the one before, so that four searches side by side
	// take the time of one. i, j, k and l are where the unit is that each has come to.
	n := len(text) - s.unit + 1
	i := s.window - s.unit
	quarter := max(0, n-i) / 4
	j, k, l := i+quarter, i+2*quarter, i+3*quarter
	endI, endJ, endK, endL := j, k, l, len(text)-3
	factor := s.factor
	for {
		steps := min(endI-i, endJ-j, endK-k, endL-l) / maxWindow // none goes on by more
		if steps <= 0 {
			break
		}
		for ; steps > 0; steps-- {
			skipI := s.shift[hash(binary.LittleEndian.Uint32(text[i:]), factor)]
			skipJ := s.shift[hash(binary.LittleEndian.Uint32(text[j:]), factor)]
			skipK := s.shift[hash(binary.LittleEndian.Uint32(text[k:]), factor)]
			skipL := s.shift[hash(binary.LittleEndian.Uint32(text[l:]), factor)]
			if skipI == 0 {
				marked += s.compare(text, i, found, places)
				skipI = 1
			}
			if skipJ == 0 {
				marked += s.compare(text, j, found, places)
				skipJ = 1
			}
			if skipK == 0 {
				marked += s.compare(text, k, found, places)
				skipK = 1
			}
			if skipL == 0 {
				marked += s.compare(text, l, found, places)
				skipL = 1
			}
			i, j, k, l = i+int(skipI), j+int(skipJ), k+int(skipK), l+int(skipL)
		}
	}
	return marked + s.searchFrom(text, i, endI, found, places) + s.searchFrom(text, j, endJ, found, places) +
		s.searchFrom(text, k, endK, found, places) + s.searchFrom(text, l, n, found, places)
}

// searchFrom is the part of search for the units from i to end.
func (s *Set) searchFrom(text []byte, i, end int, found []bool, places *places) int {
	marked := 0
	for i < end {
		skip := s.shift[s.hashAt(text, i)]
		if skip == 0 {
			marked += s.compare(text, i, found, places)
			skip = 1
		}
		i += int(skip)
	}
	return marked
}

// compare marks the needles of which the part that is searched for ends with the
// unit at i.
func (s *Set) compare(text []byte, i int, found []bool, places *places) int {
	marked := 0
	for _, e := range s.groups[s.group[s.hashAt(text, i)]] {
		marked += s.compareAt(text, i+s.unit-e.end, e.needle, found, places)
	}
	return marked
}

// compareAt marks a needle if it begins at start, which may be no place in text. It
// returns how many needles it marked.
func (s *Set) compareAt(text []byte, start, needle int, found []bool, places *places) int {
	n := s.needles[needle]
	if start < 0 || start+len(n) > len(text) || lower(text[start]) != n[0] {
		return 0
	}
	if found[needle] && !places.wanted() || !equal(text[start:start+len(n)], n) {
		return 0
	}
	places.add(start, start+len(n))
	if found[needle] {
		return 0
	}
	found[needle] = true
	return 1
}

// equal reports whether text is needle, which is in lower case and as long, but
// for the case of letters.
func equal(text []byte, needle string) bool {
	for i, c := range text {
		if lower(c) != needle[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

func lowered(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}

// A Search looks for the needles of a Set in a text that is given piece by piece.
type Search struct {
	set   *Set
	found []bool
	left  int // needles that were not found

	html      bool
	alphabet  [0x80]bool                 // the octets of the needles, letters in both cases
	named     ['z' - 'A' + 1][]reference // those to these octets and to breaks, by their first letter
	reference bool
	joined    []byte // what is around a break, without it

	seam []byte // the end of what was written

	places places // those in the text of Look
	within places // those in joined
}

// NewSearch returns a Search for the needles of the set. If html is true, the text is
// HTML: a needle is found as well where line ends or tabs are within it, which are
// nothing in a URL (URL Standard section 4.4), and see [Search.Reference].
func (s *Set) NewSearch(html bool) *Search {
	x := &Search{set: s, found: make([]bool, len(s.needles)), html: html}
	for _, n := range s.needles {
		for _, c := range []byte(n) {
			if c < 0x80 {
				x.alphabet[c], x.alphabet[upper(c)] = true, true
			}
		}
	}
	for _, r := range named {
		if x.alphabet[r.char] || isBreak(r.char) {
			i := r.name[0] - 'A'
			x.named[i] = append(x.named[i], r)
		}
	}
	x.Reset()
	return x
}

// Reset makes the Search begin with a new text.
func (x *Search) Reset() {
	clear(x.found)
	x.left, x.reference, x.seam = len(x.found), false, x.seam[:0]
	x.places.begin(false)
}

// Look looks into all of a text, as Reset and Write do, and notes where needles are
// in it, see [Search.Places].
func (x *Search) Look(text []byte) {
	x.Reset()
	x.places.begin(true)
	x.Write(text)
}

// Write looks into the next piece of the text. It returns len(p) and no error.
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

// maxBreaks is how many octets of breaks may be within a needle.
const maxBreaks = 16

// overlap is how many octets of one piece of the text are looked at together with
// the next.
func (x *Search) overlap() int {
	if !x.html {
		return max(x.set.longest-1, 0)
	}
	return max(x.set.longest-1+maxBreaks, maxReference-1)
}

// lookAround looks for needles around the octets that are the break c. It returns
// before how many of them a carriage return is, so that those of lines that end with
// CRLF need no look of their own.
func (x *Search) lookAround(text []byte, c byte) (returns int) {
	around := x.overlap()
	for i := 0; ; i++ {
		n := bytes.IndexByte(text[i:], c)
		if n < 0 {
			return returns
		}
		i += n
		before, after := i, i+1
		if before > 0 && text[before-1] == '\r' {
			returns++
		}
		for before > 0 && isBreak(text[before-1]) {
			before--
		}
		for after < len(text) && isBreak(text[after]) {
			after++
		}
		if before > 0 && after < len(text) && x.has(text[before-1]) && x.has(text[after]) {
			x.joined = x.joined[:0]
			begin, end := max(0, before-around), min(len(text), after+around)
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

// has reports whether c is in a needle. Octets outside of ASCII may be.
func (x *Search) has(c byte) bool { return c >= 0x80 || x.alphabet[c] }

// isBreak reports whether c is nothing in a URL.
func isBreak(c byte) bool { return c == '\n' || c == '\r' || c == '\t' }

// Found reports whether the needle of that index occurs in what was written.
func (x *Search) Found(needle int) bool { return x.found[needle] }

// Any reports whether any needle was found.
func (x *Search) Any() bool { return x.left < len(x.found) }

// Reference reports whether what was written has a character reference that
// stands for an octet of a needle, a line end or a tab, so that a needle may be in the text that it
// means and not be found in the text as it is written. References that HTML
// cannot do without, those of < > & and the quotes, do not count unless a needle
// has these.
func (x *Search) Reference() bool {
	return x.reference || x.html && x.hasReference(x.seam, true)
}
