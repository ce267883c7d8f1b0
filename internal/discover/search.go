package discover

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

const (
	// near is the distance of two dashes, in octets, up to which a search for the next
	// dash costs more than to look at each octet.
	near = 7

	// stretch is how many octets after two such dashes are searched word by word.
	stretch = 64
)

// indexDash returns the index of a dash in b, at from or after and before to, that may
// belong to what is looked for: the one in "l-b", "t-t" or "7-m", in any case, or the
// first in "\n--". It may also return other dashes. It returns to if there is none.
// from must not be 0.
func indexDash(b []byte, from, to int) int {
	for from < to {
		n := bytes.IndexByte(b[from:to], '-')
		if n < 0 {
			return to
		}
		from += n
		if isWanted(b, from) {
			return from
		}
		from++
		if n > near {
			continue
		}
		for end := min(from+stretch, to, len(b)-8); from < end; from += 8 {
			if m := dashes(b[from-1 : from+9 : from+9]); m != 0 {
				return min(from+bits.TrailingZeros64(m)/8, to)
			}
		}
	}
	return to
}

// isWanted reports whether the dash at i of b may belong to what is looked for. i must
// not be 0.
func isWanted(b []byte, i int) bool {
	if i+1 == len(b) {
		return false
	}
	switch after := b[i+1]; b[i-1] {
	case 'l', 'L':
		return after|0x20 == 'b'
	case 't', 'T':
		return after|0x20 == 't'
	case '7':
		return after|0x20 == 'm'
	case '\n':
		return after == '-'
	}
	return false
}

// dashes looks for dashes at the second to the ninth of 10 octets. The lowest bit of
// the result is in the octet of the first dash; a result of zero means no dash.
func dashes(b []byte) uint64 {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	before, dash, behind := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[1:])^ones*'-', binary.LittleEndian.Uint64(b[2:])
	// The letters "l" and "t" of both cases agree in the bits of 0xC7. In "l-b" and in
	// "t-t" the octet after the dash differs from the letter before it in no bit of
	// 0xD1.
	letter := before&(ones*0xC7) ^ ones*('t'&0xC7) | (before^behind)&(ones*0xD1) | dash
	smime := (before ^ ones*'7') | (behind&(ones*0xDF) ^ ones*'M') | dash
	line := before ^ ones*'\n' | dash | behind ^ ones*'-'
	// An octet is zero where all match. When 1 is taken from each, the lowest octet
	// that borrows is the first such one.
	return ((letter-ones)&^letter | (smime-ones)&^smime | (line-ones)&^line) & highs
}
