package multimatch

import (
	"bytes"
	"slices"
	"sync"
	"unicode/utf8"
)

// The parts of needles tell where a needle may be that is not in one piece: broken by line ends, or with character
// references in it.
type parts struct {
	pairs    [1 << 8][4]uint64             // for each octet, the octets that follow it in needles
	triples  [1 << (tripleBits - 6)]uint64 // hashes of three octets that follow one another in needles
	tails    [1 << (tripleBits - 6)]uint64 // hashes of the last three octets of needles
	hasShort bool                          // a needle has two octets

	needles []string
	chars   [charBits / 64]uint64      // a bit for the last bits of each character of needles
	named   ['z' - 'A' + 1][]reference // references to these characters and to breaks, by the first letter of their name
	places  func() *charPlaces         // which few texts need
}

// The charPlaces are where each character is in needles.
type charPlaces struct {
	ascii [utf8.RuneSelf][]charPlace
	other map[rune][]charPlace
}

// A charPlace is a needle, and the index of a character in it.
type charPlace struct{ needle, at int32 }

func newCharPlaces(needles []string) *charPlaces {
	p := &charPlaces{other: make(map[rune][]charPlace)}
	var counts [utf8.RuneSelf]int
	total := 0
	for _, n := range needles {
		for _, c := range []byte(n) {
			if c < utf8.RuneSelf {
				counts[c]++
				total++
			}
		}
	}
	// The lists share an array: one allocation, and not one for each character.
	all := make([]charPlace, total)
	for c, n := range counts {
		p.ascii[c] = all[:0:n]
		all = all[n:]
	}
	for i, n := range needles {
		for k, c := range n {
			place := charPlace{int32(i), int32(k)}
			switch {
			case c < utf8.RuneSelf:
				p.ascii[c] = append(p.ascii[c], place)
			case c != utf8.RuneError:
				p.other[c] = append(p.other[c], place)
			}
		}
	}
	return p
}

func (p *charPlaces) of(c rune) []charPlace {
	if c < utf8.RuneSelf {
		return p.ascii[c]
	}
	return p.other[c]
}

const (
	tripleBits = 16
	charBits   = 1 << 10
)

func newParts(needles []string) *parts {
	p := &parts{needles: needles, places: sync.OnceValue(func() *charPlaces { return newCharPlaces(needles) })}
	for _, n := range needles {
		for _, c := range n {
			p.chars[c%charBits/64] |= 1 << (c % 64)
		}
		for k := 1; k < len(n); k++ {
			p.pairs[n[k-1]][n[k]/64] |= 1 << (n[k] % 64)
			switch {
			case k+1 < len(n):
				h := tripleHash(n[k-1], n[k], n[k+1])
				p.triples[h/64] |= 1 << (h % 64)
			case k > 1:
				h := tripleHash(n[k-2], n[k-1], n[k])
				p.tails[h/64] |= 1 << (h % 64)
			default:
				p.hasShort = true
			}
		}
	}
	for _, r := range named {
		if p.mayHave(r.char) || isAny(r.char) {
			i := r.name[0] - 'A'
			p.named[i] = append(p.named[i], r)
		}
	}
	return p
}

// mayHave reports whether a needle may have the character c.
func (p *parts) mayHave(c rune) bool { return p.chars[c%charBits/64]>>(c%64)&1 != 0 }

func tripleHash(a, b, c byte) uint32 {
	return (uint32(a)<<16 | uint32(b)<<8 | uint32(c)) * wideFactor >> (32 - tripleBits)
}

// mayCross reports whether a needle may start in text[:before] and end in text[after:], without regard to breaks. Both
// have an octet that is not a break, next to each other.
func (p *parts) mayCross(text []byte, before, after int) bool {
	left := lower(text[before-1])
	right := lower(text[after])
	if p.pairs[left][right/64]>>(right%64)&1 == 0 {
		return false
	}
	before -= 2
	after++
	for before >= 0 && isBreak(text[before]) {
		before--
	}
	for after < len(text) && isBreak(text[after]) {
		after++
	}
	if before < 0 || after == len(text) || p.hasShort {
		return true
	}
	next := tripleHash(left, right, lower(text[after]))
	last := tripleHash(lower(text[before]), left, right)
	return (p.triples[next/64]>>(next%64)|p.tails[last/64]>>(last%64))&1 != 0
}

// decode returns the character of the reference whose "&" is before text, and the text after
// it. It reports false for most names of characters that are not in needles.
func (p *parts) decode(text []byte, last bool) (c rune, rest []byte, ok bool) {
	switch {
	case len(text) == 0:
	case text[0] == '#':
		digits := text[1:min(len(text), maxReference)]
		v, used := number(digits)
		isWhole := used < len(digits) || len(digits) == maxReference-1 || last
		return rune(v), bytes.TrimPrefix(text[1+used:], []byte(";")), used > 0 && isWhole
	case text[0]-'A' < 'z'-'A'+1:
		for i := range p.named[text[0]-'A'] {
			r := &p.named[text[0]-'A'][i]
			if n := len(r.name); len(text) >= n && text[1] == r.name[1] && string(text[:n]) == r.name {
				return r.char, bytes.TrimPrefix(text[n:], []byte(";")), true
			}
		}
	}
	return 0, nil, false
}

// relevant reports whether a reference to c between before and after may be within a needle.
// A number that is too long to be read may be any character, and a break may be within any
// needle.
func (p *parts) relevant(c rune, before, after []byte, last bool) bool {
	if isAny(c) {
		return true
	}
	c = lowerRune(c)
	if !p.mayHave(c) {
		return false
	}
	return slices.ContainsFunc(p.places().of(c), func(place charPlace) bool {
		needle := p.needles[place.needle]
		left := needle[:place.at]
		right := needle[int(place.at)+utf8.RuneLen(c):]
		for i := range len(left) {
			if i == len(before) {
				return false
			}
			c := before[len(before)-1-i]
			if c == ';' || isBreak(c) {
				break
			}
			if lower(c) != left[len(left)-1-i] {
				return false
			}
		}
		for i, want := range []byte(right) {
			if i == len(after) {
				return false
			}
			c := after[i]
			if isBreak(c) {
				break
			}
			if c == '&' {
				next, _, ok := p.decode(after[i+1:], last)
				want, _ := utf8.DecodeRuneInString(right[i:])
				return ok && (isAny(next) || lowerRune(next) == want)
			}
			if lower(c) != want {
				return false
			}
		}
		return true
	})
}
