package message

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// stretch is the number of octets after a dash that are searched word by word. If
// dashes are rarer, the search for a dash does almost all of the work; if they are
// more frequent, it does almost none.
const stretch = 512

// indexDashes returns the offset of the first line of w, after its first octet, that
// begins with "--" or, at the end of w, may begin with it. A CR ends a line here. It
// returns len(w) if there is no such line.
//
// It looks for dashes and not for line ends, because base64 has no dashes and text
// has few, so that the search runs at the speed of memory. The search of the octets
// after a dash has the same speed for all octets.
func indexDashes(w []byte) int {
	for i := 1; i < len(w); {
		n := bytes.IndexByte(w[i:], '-')
		if n < 0 {
			return len(w)
		}
		i += n
		end := min(i+stretch, len(w))
		if n = indexLineDashes(w[i-1 : end]); n >= 0 {
			return i + n
		}
		if end == len(w) {
			break
		}
		i = end - 1
	}
	if n := len(w); n > 1 && w[n-1] == '-' && (w[n-2] == '\n' || w[n-2] == '\r') {
		return n - 1
	}
	return len(w)
}

// indexLineDashes returns the index of the first "\n--" or "\r--" in b, or -1.
func indexLineDashes(b []byte) int {
	const highs = 0x8080808080808080
	i := 0
	for ; i+18 <= len(b); i += 16 {
		p := b[i : i+18 : i+18]
		first := matches(p[:10])
		if (first|matches(p[8:]))&highs == 0 {
			continue
		}
		for n := bits.TrailingZeros64(first&highs) / 8; n < 16; n++ {
			if isLineDashes(p[n:]) {
				return i + n
			}
		}
	}
	for ; i+3 <= len(b); i++ {
		if isLineDashes(b[i:]) {
			return i
		}
	}
	return -1
}

// isLineDashes reports whether b begins with "\n--" or "\r--".
func isLineDashes(b []byte) bool {
	return b[1] == '-' && b[2] == '-' && (b[0] == '\n' || b[0] == '\r')
}

// matches looks for two dashes after an octet below 16 at the first 8 of 10 octets. The
// result has the highest bit of the octet of each match, and other bits.
func matches(b []byte) uint64 {
	const ones = 0x0101010101010101
	// An octet of m is zero where all three octets match. It borrows when 1 is
	// subtracted from each octet.
	m := (binary.LittleEndian.Uint64(b) & (ones * 0xF0)) |
		(binary.LittleEndian.Uint64(b[1:]) ^ ones*'-') |
		(binary.LittleEndian.Uint64(b[2:]) ^ ones*'-')
	return (m - ones) &^ m
}
