package discover

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

const (
	// If at most near octets are before the next dash, a search for each dash costs more
	// than a look at each octet.
	near = 7

	// stretch is how many octets after two such dashes are searched eight at a time.
	stretch = 64
)

// indexDash returns the index of the first dash in b[from:to] that may belong to what is
// looked for: the dash in "l-b", "t-t" or "7-m", in any case of letters, or the first one
// in "\n--". It may return other indexes too. It returns to if there is no such dash. from
// must not be 0.
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

// dashes looks at the second to the ninth of 10 octets for dashes as indexDash does. The
// lowest bit of the result is in the octet of the first such dash. If there is none, the
// result is zero.
func dashes(b []byte) uint64 {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	before, dash, behind := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[1:])^ones*'-', binary.LittleEndian.Uint64(b[2:])
	// The letters "l" and "t" have the same bits of 0xC7, in both cases. In "l-b" and
	// "t-t", the octets before and after the dash have the same bits of 0xD1.
	letter := before&(ones*0xC7) ^ ones*('t'&0xC7) | (before^behind)&(ones*0xD1) | dash
	smime := (before ^ ones*'7') | (behind&(ones*0xDF) ^ ones*'M') | dash
	line := before ^ ones*'\n' | dash | behind ^ ones*'-'
	// An octet is zero where everything matches. When 1 is subtracted from each octet,
	// the lowest one that borrows is the first of these.
	return ((letter-ones)&^letter | (smime-ones)&^smime | (line-ones)&^line) & highs
}
