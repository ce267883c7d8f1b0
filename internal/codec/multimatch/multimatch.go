// Package multimatch finds which of many short strings, the needles, occur in a long
// text. It ignores the case of ASCII letters. Its speed hardly depends on the number
// of needles. Callers use it to decide whether a text is worth parsing.
package multimatch

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
)

// A Set is a set of needles. Its methods do not change it. Several goroutines may use it
// at once.
type Set struct {
	needles []string // with ASCII letters in lower case
	longest int
	short   []int // needles of one octet or none
	pivots  []*pivot
	tabled  bool // there are needles in table

	// The search looks at one unit of the text every stride octets. unit is its
	// length. Wherever a needle of the table occurs, one of these units lies in its window.
	unit, stride int
	table        table

	parts func() *parts // of the needles; most texts in plain lines need none
}

const (
	// maxWindow bounds the window of a needle: the octets that are searched for. The
	// other octets are compared where the window is found.
	maxWindow = 8

	// wideUnit and wideStride are the unit and the stride of a Set whose window is
	// maxWindow.
	wideUnit   = 4
	wideStride = maxWindow - wideUnit + 1
)

// A table finds needles by a unit of up to four octets in them.
type table struct {
	factor  uint32    // of the unit
	marks   []uint8   // by the first bits of the hash of a unit: a bit for its last bits
	entries [][]entry // by the first bits of the hash
}

// A hash has the bits for marks and 3 bits for a bit of a mark. Most units of a text are looked for in the table of a
// Set, which has more marks so that few of them are found there by chance. The table of a pivot has fewer, which stay
// in the first cache of a processor.
const (
	hashBits  = markBits + 3
	markBits  = 15
	pivotBits = 11
	entryBits = 10
)

func newTable(unit, bits int) table {
	return table{factor: factorOf(unit), marks: make([]uint8, 1<<bits), entries: make([][]entry, 1<<entryBits)}
}

// An entry has needles that have the same octets around a unit.
type entry struct {
	before      int    // the octets of value before the unit
	value, mask uint64 // the octets, and those of them that count
	needles     []occurrence
}

// An occurrence is a needle that has the unit of an entry at that index.
type occurrence struct{ needle, at int }

// word is the length of the octets that are compared at once.
const word = 8

// add adds the unit at text[at] of a needle. The octets from text[from] up to text[to] distinguish the needle from
// others with the same unit. They are at most a word, and start at most at the unit.
func (t *table) add(needle int, text string, from, at, to int) {
	h := hashAt([]byte(text), at, t.factor)
	*t.mark(h) |= 1 << (h & 7)
	e := entry{before: at - from}
	for i, c := range []byte(text[from:to]) {
		e.value |= uint64(c|foldBit) << (8 * i)
		e.mask |= 0xFF << (8 * i)
	}
	list := &t.entries[h>>(hashBits-entryBits)]
	i := slices.IndexFunc(*list, func(o entry) bool {
		return o.before == e.before && o.value == e.value && o.mask == e.mask
	})
	if i < 0 {
		i = len(*list)
		*list = append(*list, e)
	}
	(*list)[i].needles = append((*list)[i].needles, occurrence{needle, at})
}

// has reports whether a unit with that hash may be in needles.
func (t *table) has(h uint32) bool { return *t.mark(h)>>(h&7)&1 != 0 }

func (t *table) mark(h uint32) *uint8 { return &t.marks[uint64(h)*uint64(len(t.marks))>>hashBits] }

// A pivot is an octet that is rare in texts and common in needles, such as the dot in
// host names. Its needles are searched for by a unit around the pivot: the two octets
// before it, the pivot itself, and the octet after it. If a needle ends with the
// pivot, the unit is without the octet after it.
type pivot struct {
	octet   byte
	needles [][2]int // each needle, and the index of the pivot in it
	table   table
}

const (
	// maxPivots bounds the pivots of a Set.
	maxPivots = 2

	// pivotOctets are the octets that may be pivots. At least beforePivot octets
	// precede the pivot of a needle.
	pivotOctets = ")]}|."
	beforePivot = 2
)

// addPivot adds a needle to its pivot. It reports false if the needle has no pivot.
func (s *Set) addPivot(needle int, text string) bool {
	at := -1
	for i := beforePivot; i < len(text); i++ {
		if strings.IndexByte(pivotOctets, text[i]) < 0 {
			continue
		}
		if at < 0 || rarity(text[i-beforePivot:i]) > rarity(text[at-beforePivot:at]) {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	i := slices.IndexFunc(s.pivots, func(p *pivot) bool { return p.octet == text[at] })
	if i < 0 {
		i = len(s.pivots)
		if i == maxPivots {
			return false
		}
		s.pivots = append(s.pivots, &pivot{octet: text[at]})
	}
	p := s.pivots[i]
	p.needles = append(p.needles, [2]int{needle, at})
	return true
}

// makeTable makes the table. It must be called after all needles were added.
func (s *Set) makeTable(p *pivot) {
	unit := beforePivot + 2
	for _, n := range p.needles {
		if n[1] == len(s.needles[n[0]])-1 {
			unit = beforePivot + 1
		}
	}
	p.table = newTable(unit, pivotBits)
	for _, n := range p.needles {
		text := s.needles[n[0]]
		at := n[1]
		to := min(len(text), at+2)
		p.table.add(n[0], text, max(0, to-word), at-beforePivot, to)
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
			if h := hashAt(text, i-beforePivot, p.table.factor); p.table.has(h) {
				marked += s.compare(text, i-beforePivot, &p.table, h, found, places)
			}
		}
	}
	return marked
}

// New returns the Set of needles. Its size and the time to make it are linear in the
// total length of the needles.
func New(needles []string) *Set {
	s := &Set{needles: make([]string, 0, len(needles))}
	window := maxWindow
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
		window = min(window, len(text))
	}
	for _, p := range s.pivots {
		s.makeTable(p)
	}
	switch {
	case window >= maxWindow:
		s.unit = wideUnit
	case window >= 5:
		s.unit = 3
	default:
		s.unit = 2
	}
	s.stride = window - s.unit + 1
	s.table = newTable(s.unit, markBits)
	for _, i := range table {
		s.add(i, s.needles[i], window)
	}
	s.tabled = len(table) > 0
	s.parts = sync.OnceValue(func() *parts { return newParts(s.needles) })
	return s
}

// add puts a needle of at least two octets into the table. Its window is the stretch
// whose octets are rarest in texts.
func (s *Set) add(needle int, text string, window int) {
	start := 0
	for i := 1; i+window <= len(text); i++ {
		if rarity(text[i:i+window]) > rarity(text[start:start+window]) {
			start = i
		}
	}
	for at := start; at < start+s.stride; at++ {
		s.table.add(needle, text, start, at, at+s.unit)
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

// hash returns the hash of the unit in v, without regard to the case of letters. v may have more octets than the
// unit; factor drops them.
func hash(v, factor uint32) uint32 { return (v | folds) * factor >> (32 - hashBits) }

const (
	foldBit = 0x20 // a letter with it is in lower case
	folds   = foldBit * 0x01010101
)

// factorOf returns the factor of hash for units of unit octets.
func factorOf(unit int) uint32 { return wideFactor << (32 - 8*unit) & (1<<32 - 1) }

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

// hasLetter reports whether text has c or its upper case.
func hasLetter(text []byte, c byte) bool {
	return bytes.IndexByte(text, c) >= 0 || bytes.IndexByte(text, upper(c)) >= 0
}

// search marks in found the needles that occur in text, and returns the number of
// needles that were not marked before. It adds the places of needles to places.
func (s *Set) search(text []byte, found []bool, places *places) int {
	marked := 0
	for _, i := range s.short {
		if n := s.needles[i]; !found[i] && (n == "" || hasLetter(text, n[0])) {
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
		if h := hashAt(text, i, s.table.factor); s.table.has(h) {
			marked += s.compare(text, i, &s.table, h, found, places)
		}
	}
	return marked
}

// searchWide is search for units of four octets. It looks at eight units at once. It
// returns the start of the rest of text, which is too short for that, and marked plus
// the number of needles that it marked.
func (s *Set) searchWide(text []byte, found []bool, places *places, marked int) (int, int) {
	const looks = 8
	marks := (*[1 << markBits]uint8)(s.table.marks)
	i := 0
	for ; i+looks*wideStride <= len(text); i += looks * wideStride {
		p := (*[looks * wideStride]byte)(text[i:])
		if marks[wideMark(p[0*wideStride:])]|marks[wideMark(p[1*wideStride:])]|
			marks[wideMark(p[2*wideStride:])]|marks[wideMark(p[3*wideStride:])]|
			marks[wideMark(p[4*wideStride:])]|marks[wideMark(p[5*wideStride:])]|
			marks[wideMark(p[6*wideStride:])]|marks[wideMark(p[7*wideStride:])] == 0 {
			continue
		}
		for k := 0; k < len(p); k += wideStride {
			if h := hash(binary.LittleEndian.Uint32(p[k:]), wideFactor); s.table.has(h) {
				marked += s.compare(text, i+k, &s.table, h, found, places)
			}
		}
	}
	return i, marked
}

// wideMark returns the index in table.marks for a unit of four octets at the start of b.
func wideMark(b []byte) uint32 {
	return (binary.LittleEndian.Uint32(b) | folds) * wideFactor >> (32 - markBits)
}

// compare marks the needles that are in text with the unit at text[i], whose hash is h. It
// returns the number of needles that it marked.
func (s *Set) compare(text []byte, i int, t *table, h uint32, found []bool, places *places) (marked int) {
	list := t.entries[h>>(hashBits-entryBits)]
	for k := range list {
		e := &list[k]
		if start := i - e.before; start >= 0 && start+word <= len(text) {
			if (binary.LittleEndian.Uint64(text[start:])|(folds<<32|folds))&e.mask != e.value {
				continue
			}
		}
		for _, o := range e.needles {
			start := i - o.at
			end := start + len(s.needles[o.needle])
			if start < 0 || end > len(text) || found[o.needle] && !places.wanted() {
				continue
			}
			if !equal(text[start:end], s.needles[o.needle]) {
				continue
			}
			places.add(start, end)
			if !found[o.needle] {
				found[o.needle] = true
				marked++
			}
		}
	}
	return marked
}
