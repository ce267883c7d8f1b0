// Package needle tells which of many short ASCII strings occur in a long text,
// letters compared without regard to case, at a speed that hardly depends on
// how many there are. It is what decides whether a text is worth reading.
package needle

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
)

const (
	tableBits = 12

	// maxWindow bounds how many octets of a needle are searched for; the others
	// are compared where these are found. Longer ones are rarely a gain, since
	// most texts have some pair of octets of some needle in the next few.
	maxWindow = 8
)

// A Set is a set of needles. It is not changed by its methods and may be used by
// several goroutines.
type Set struct {
	needles []string // in lower case
	window  int      // how many octets of each needle are searched for
	longest int
	short   []int // needles of one octet or none
	tails   []tail

	// shift holds, for each pair of octets, how far the search may go on when it
	// has seen them. If that is 0, group says which needles to compare.
	shift [1 << tableBits]uint8
	group [1 << tableBits]uint8

	groups [][]entry // by what group holds
}

// An entry is a needle and where in it the octets that are searched for end.
type entry struct {
	needle, end int
}

// A tail is an octet that short needles end with. They are searched for by it, so
// that there is no need for the others to be searched for by as few octets.
type tail struct {
	octet   byte
	needles []int
}

const (
	// shortNeedle is the length up to which a needle may be searched for by its
	// tail, and maxTails bounds how many tails there are.
	shortNeedle = 4
	maxTails    = 2
)

// addTail reports whether a needle is searched for by its tail: it is short, and ends
// with an octet that texts have rarely.
func (s *Set) addTail(needle int, text string) bool {
	c := text[len(text)-1]
	if len(text) > shortNeedle || !strings.ContainsRune(")]}|", rune(c)) {
		return false
	}
	i := slices.IndexFunc(s.tails, func(t tail) bool { return t.octet == c })
	if i < 0 {
		if i = len(s.tails); i == maxTails {
			return false
		}
		s.tails = append(s.tails, tail{octet: c})
	}
	s.tails[i].needles = append(s.tails[i].needles, needle)
	return true
}

// searchTails is the part of search for what is searched for by tails.
func (s *Set) searchTails(text []byte, found []bool, places *places) (marked int) {
	for _, t := range s.tails {
		for end := 0; ; {
			i := bytes.IndexByte(text[end:], t.octet)
			if i < 0 {
				break
			}
			end += i + 1
			for _, n := range t.needles {
				start := end - len(s.needles[n])
				if start < 0 || found[n] && !places.wanted() || !equal(text[start:end], s.needles[n]) {
					continue
				}
				places.add(start, end)
				if !found[n] {
					found[n] = true
					marked++
				}
			}
		}
	}
	return marked
}

// New returns the Set of needles, which are ASCII. Its size and the time to make
// it are linear in theirs.
func New(needles []string) *Set {
	s := &Set{window: maxWindow, groups: make([][]entry, 1, 2+len(needles))}
	var table []int
	for i, text := range needles {
		text = strings.ToLower(text)
		s.needles = append(s.needles, text)
		s.longest = max(s.longest, len(text))
		if len(text) < 2 {
			s.short = append(s.short, i)
			continue
		}
		if s.addTail(i, text) {
			continue
		}
		table = append(table, i)
		s.window = min(s.window, len(text))
	}
	for i := range s.shift {
		s.shift[i] = uint8(s.window - 1)
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
		if rarity(text[e-2:e]) > rarity(text[end-2:end]) {
			end = e
		}
	}
	for i := end - s.window + 2; i <= end; i++ {
		h := hash([]byte(text[i-2 : i]))
		s.shift[h] = min(s.shift[h], uint8(end-i))
	}
	h := hash([]byte(text[end-2 : end]))
	if s.group[h] == 0 {
		if len(s.groups) < 1<<8 {
			s.groups = append(s.groups, nil)
		}
		s.group[h] = uint8(len(s.groups) - 1)
	}
	g := s.group[h]
	s.groups[g] = append(s.groups[g], entry{needle, end})
}

// rarity ranks a pair of octets by how seldom text of people and of HTML has it.
func rarity(pair string) int { return int(rarities[pair[0]&0x7F]) + int(rarities[pair[1]&0x7F]) }

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

// hash returns the place of the pair of octets at the beginning of b in the tables.
// It does not depend on the case of letters.
func hash(b []byte) uint16 {
	v := binary.LittleEndian.Uint16(b) | 0x2020
	return (v ^ v>>3) & (1<<tableBits - 1)
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
	marked += s.searchTails(text, found, places)
	if len(s.groups) == 1 {
		return marked
	}
	// Each step has to wait for the one before, so that four searches side by side
	// take the time of one. i, j, k and l are where the pair of octets is that each
	// has come to.
	n := len(text) - 1
	i := s.window - 2
	quarter := max(0, n-i) / 4
	j, k, l := i+quarter, i+2*quarter, i+3*quarter
	endI, endJ, endK := j, k, l
	for i < endI && j < endJ && k < endK && l < n {
		skipI, skipJ := s.shift[hash(text[i:])], s.shift[hash(text[j:])]
		skipK, skipL := s.shift[hash(text[k:])], s.shift[hash(text[l:])]
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
	return marked + s.searchFrom(text, i, endI, found, places) + s.searchFrom(text, j, endJ, found, places) +
		s.searchFrom(text, k, endK, found, places) + s.searchFrom(text, l, n, found, places)
}

// searchFrom is the part of search for the pairs of octets from i to end.
func (s *Set) searchFrom(text []byte, i, end int, found []bool, places *places) int {
	marked := 0
	for i < end {
		skip := s.shift[hash(text[i:])]
		if skip == 0 {
			marked += s.compare(text, i, found, places)
			skip = 1
		}
		i += int(skip)
	}
	return marked
}

// compare marks the needles of which the part that is searched for ends with the
// pair of octets at i.
func (s *Set) compare(text []byte, i int, found []bool, places *places) int {
	marked := 0
	for _, e := range s.groups[s.group[hash(text[i:])]] {
		n := s.needles[e.needle]
		start := i + 2 - e.end
		if found[e.needle] && !places.wanted() || start < 0 || start+len(n) > len(text) || !equal(text[start:start+len(n)], n) {
			continue
		}
		places.add(start, start+len(n))
		if !found[e.needle] {
			found[e.needle] = true
			marked++
		}
	}
	return marked
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
			x.alphabet[c&0x7F], x.alphabet[upper(c)&0x7F] = true, true
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
		x.lookAround(text, '\n')
		x.lookAround(text, '\t')
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

// lookAround looks for needles around the octets that are the break c.
func (x *Search) lookAround(text []byte, c byte) {
	around := x.overlap()
	for i := 0; ; i++ {
		n := bytes.IndexByte(text[i:], c)
		if n < 0 {
			return
		}
		i += n
		before, after := i, i+1
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

// has reports whether c is in a needle.
func (x *Search) has(c byte) bool { return c < 0x80 && x.alphabet[c] }

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
