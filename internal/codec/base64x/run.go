package base64x

import (
	"encoding/binary"
	"math/bits"
)

// lowest is the lowest character of the alphabet. White space, "#" and "%" are below
// it. They have a meaning of their own in texts that contain base64.
const lowest = '+'

// Run copies octets from src to dst up to the first one below "+", and returns their
// number. White space, controls, "#" and "%" are below "+". Run also stops at the end
// of src or of dst. The octets that it copies need not be of the alphabet. src and
// dst must not overlap.
//
// It may write to any part of dst.
func Run[T string | []byte](dst []byte, src T) int {
	const ones = 0x0101010101010101
	n := 0
	for n+8 <= len(dst) && n+8 <= len(src) {
		w := load64(src[n:])
		binary.LittleEndian.PutUint64(dst[n:], w)
		// The lowest bit of low is bit 7 of the first octet below lowest.
		if low := (w - lowest*ones) &^ w & (0x80 * ones); low != 0 {
			return n + bits.TrailingZeros64(low)/8
		}
		n += 8
	}
	for n < len(dst) && n < len(src) && src[n] >= lowest {
		dst[n] = src[n]
		n++
	}
	return n
}

func load64[T string | []byte](s T) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
