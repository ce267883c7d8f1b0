// Package multimatch finds which of many short strings, the needles, occur in a long
// text. It ignores the case of ASCII letters. Its speed hardly depends on the number
// of needles. Callers use it to decide whether a text is worth parsing.
package multimatch

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
)

const (
	tableBits = 14

	// maxWindow bounds the window of a needle: the octets that are searched for. The
	// other octets are compared where the window is found.
	maxWindow = 8

	// wideUnit and wideStride are the unit and the stride of a Set whose window is
	// maxWindow.
	wideUnit   = 4
	wideStride = maxWindow - wideUnit + 1
)

// A Set is a set of needles. Its methods do not change it. Several goroutines may use it
// at once.
type Set struct {
	needles []string // with ASCII letters in lower case
	window  int      // the number of octets of each needle that are searched for
	longest int
	short   []int // needles of one octet or none
	pivots  []*pivot

	// The search looks at one unit of the text every stride octets. unit is its
	// length. Wherever a needle occurs, one of these units lies in its window.
	unit, stride int
	factor       uint32

	// table maps the hash of a unit to the group of the needles that have the unit in
	// their window, or to 0. Different units may have the same group.
	table  [1 << tableBits]uint8
	groups [1 << 8][]entry
	tabled bool // there are needles in groups
}

// An entry has needles that begin with the same octet and have a unit at the same index.
type entry struct {
	needles []int
	at      int
	first   byte
}

// addEntry adds a needle to the entries of a unit that is at needles[needle][at].
func (s *Set) addEntry(entries []entry, needle, at int) []entry {
	first := s.needles[needle][0]
	i := slices.IndexFunc(entries, func(e entry) bool { return e.at == at && e.first == first })
	if i < 0 {
		i, entries = len(entries), append(entries, entry{at: at, first: first})
	}
	entries[i].needles = append(entries[i].needles, needle)
	return entries
}

// A pivot is an octet that is rare in texts and common in needles, such as the dot in
// host names. Its needles are searched for by a unit around the pivot: the two octets
// before it, the pivot itself, and the octet after it. If a needle ends with the
// pivot, the unit is without the octet after it.
type pivot struct {
	octet   byte
	needles [][2]int // each needle, and the index of the pivot in it
	factor  uint32   // of the unit

	// table maps the hash of a unit to the group of the needles with that unit, or to
	// 0.
	table  [1 << pivotBits]uint8
	groups [][]entry
}

const (
	// maxPivots bounds the pivots of a Set.
	maxPivots = 2

	// pivotOctets are the octets that may be pivots. At least beforePivot octets
	// precede the pivot of a needle.
	pivotOctets = ")]}|."
	beforePivot = 2

	pivotBits = 11
)

// addPivot adds a needle to its pivot. It reports false if the needle has no pivot.
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
		s.pivots = append(s.pivots, &pivot{octet: text[at]})
	}
	p := s.pivots[i]
	p.needles = append(p.needles, [2]int{needle, at})
	return true
}

// hash returns the index in the table for the unit around the pivot at text[i].
func (p *pivot) hash(text []byte, i int) uint32 {
	return hashAt(text, i-beforePivot, p.factor) >> (tableBits - pivotBits)
}

// makeGroups makes the table. It must be called after all needles were added.
func (s *Set) makeGroups(p *pivot) {
	unit := beforePivot + 2
	for _, n := range p.needles {
		if n[1] == len(s.needles[n[0]])-1 {
			unit = beforePivot + 1
		}
	}
	p.factor = factorOf(unit)
	p.groups = make([][]entry, 1)
	for _, n := range p.needles {
		h := p.hash([]byte(s.needles[n[0]]), n[1])
		if p.table[h] == 0 {
			if len(p.groups) < 1<<8 {
				p.groups = append(p.groups, nil)
			}
			p.table[h] = uint8(len(p.groups) - 1)
		}
		g := p.table[h]
		p.groups[g] = s.addEntry(p.groups[g], n[0], n[1])
	}
}

// searchPivots is search for the needles with pivots.
func (s *Set) searchPivots(text []byte, found []bool, places *places) (marked int) {
	for _, p := range s.pivots {
		for next := beforePivot; next < len(text); {
			i := bytes.IndexByte(text[next:], p.octet)
			if i < 0 {
				break
			}
			i += next
			next = i + 1
			marked += s.compare(text, i, p.groups[p.table[p.hash(text, i)]], found, places)
		}
	}
	return marked
}

// New returns the Set of needles. Its size and the time to make it are linear in the
// total length of the needles.
func New(needles []string) *Set {
	s := &Set{window: maxWindow}
	var table []int
	for i, text := range needles {
		text = Lower(text)
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
	for _, p := range s.pivots {
		s.makeGroups(p)
	}
	switch {
	case s.window >= maxWindow:
		s.unit = wideUnit
	case s.window >= 5:
		s.unit = 3
	default:
		s.unit = 2
	}
	s.stride = s.window - s.unit + 1
	s.factor = factorOf(s.unit)
	for _, i := range table {
		s.add(i, s.needles[i])
	}
	s.tabled = len(table) > 0
	return s
}

// add puts a needle of at least two octets into the table. Its window is the stretch
// whose octets are rarest in texts.
func (s *Set) add(needle int, text string) {
	start := 0
	for i := 1; i+s.window <= len(text); i++ {
		if rarity(text[i:i+s.window]) > rarity(text[start:start+s.window]) {
			start = i
		}
	}
	for at := start; at < start+s.stride; at++ {
		h := hashAt([]byte(text), at, s.factor)
		g := 1 + uint8(h%(1<<8-1))
		s.table[h] = g
		s.groups[g] = s.addEntry(s.groups[g], needle, at)
	}
}

// rarity is greater if the octets of unit are rarer in human text and in HTML.
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

// hash returns the index in Set.table of the unit in v, without regard to the case of
// letters. v may have more octets than the unit; factor drops them.
func hash(v, factor uint32) uint32 { return (v | 0x20202020) * factor >> (32 - tableBits) }

// factorOf returns the factor of hash for units of unit octets.
func factorOf(unit int) uint32 { return wideFactor << (32 - 8*unit) & (1<<32 - 1) }

// wideFactor is the factor for units of four octets.
const wideFactor = 0x9E3779B1

// hashAt is hash for the unit at text[i]. If text ends within the unit, the result is
// arbitrary, and no needle is there.
func hashAt(text []byte, i int, factor uint32) uint32 {
	if i+4 <= len(text) {
		return hash(binary.LittleEndian.Uint32(text[i:]), factor)
	}
	v := uint32(0)
	for k, c := range text[i:] {
		v |= uint32(c) << (8 * k)
	}
	return hash(v, factor)
}

// search marks in found the needles that occur in text, and returns the number of
// needles that were not marked before. It adds the places of needles to places.
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
	if !s.tabled {
		return marked
	}
	i := 0
	if s.unit == wideUnit {
		i, marked = s.searchWide(text, found, places, marked)
	}
	for ; i+s.unit <= len(text); i += s.stride {
		marked += s.compare(text, i, s.groups[s.table[hashAt(text, i, s.factor)]], found, places)
	}
	return marked
}

// searchWide is search for units of four octets. It looks at eight units at once. It
// returns the start of the rest of text, which is too short for that, and marked plus
// the number of needles that it marked.
func (s *Set) searchWide(text []byte, found []bool, places *places, marked int) (int, int) {
	const looks = 8
	i := 0
	for ; i+looks*wideStride <= len(text); i += looks * wideStride {
		p := (*[looks * wideStride]byte)(text[i:])
		g0, g1 := s.table[wideHash(p[0*wideStride:])], s.table[wideHash(p[1*wideStride:])]
		g2, g3 := s.table[wideHash(p[2*wideStride:])], s.table[wideHash(p[3*wideStride:])]
		g4, g5 := s.table[wideHash(p[4*wideStride:])], s.table[wideHash(p[5*wideStride:])]
		g6, g7 := s.table[wideHash(p[6*wideStride:])], s.table[wideHash(p[7*wideStride:])]
		if g0|g1|g2|g3|g4|g5|g6|g7 == 0 {
			continue
		}
		for k, g := range [looks]uint8{g0, g1, g2, g3, g4, g5, g6, g7} {
			if g != 0 {
				marked += s.compare(text, i+k*wideStride, s.groups[g], found, places)
			}
		}
	}
	return i, marked
}

// wideHash is hash for a unit of four octets at the beginning of b.
func wideHash(b []byte) uint32 { return hash(binary.LittleEndian.Uint32(b), wideFactor) }

// compare marks the needles of entries that are in text, if their unit is at text[i]. It
// returns the number of needles that it marked.
func (s *Set) compare(text []byte, i int, entries []entry, found []bool, places *places) (marked int) {
	for _, e := range entries {
		start := i - e.at
		if start < 0 || lower(text[start]) != e.first {
			continue
		}
		for _, needle := range e.needles {
			end := start + len(s.needles[needle])
			if end > len(text) || found[needle] && !places.wanted() || !equal(text[start:end], s.needles[needle]) {
				continue
			}
			places.add(start, end)
			if !found[needle] {
				found[needle] = true
				marked++
			}
		}
	}
	return marked
}

// equal reports whether text and needle are equal, ignoring the case of letters.
// needle must be in lower case and as long as text.
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

// Lower returns s with the letters of ASCII in lower case.
func Lower(s string) string {
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
