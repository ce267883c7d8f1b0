package percent

import (
	"encoding/binary"
	"slices"
)

// escapes maps each octet to its escape, with "%" in the lowest eight bits and the
// digits above it.
var escapes = escapeTable()

func escapeTable() (t [256]uint32) {
	const digits = "0123456789ABCDEF"
	for i := range t {
		t[i] = '%' | uint32(digits[i>>4])<<8 | uint32(digits[i&0x0F])<<16
	}
	return t
}

// EncodedLen returns the number of octets that [AppendEncode] appends.
func EncodedLen(s string, escape *Set) int {
	n := 0
	for i := range len(s) {
		n += int(flag(escape[s[i]]))
	}
	return len(s) + 2*n
}

// AppendEncode appends s to dst, with each octet that is in escape replaced by "%"
// and two upper-case hexadecimal digits, and returns the extended buffer. If dst has
// no room for the result, it grows once.
func AppendEncode(dst []byte, s string, escape *Set) []byte {
	if cap(dst)-len(dst) < 3*len(s) {
		dst = slices.Grow(dst, EncodedLen(s, escape))
	}
	out := dst[len(dst):cap(dst)]
	i, n := 0, 0
	// Each iteration stores four octets, escaped or not, and n advances by the octets
	// that count. This avoids a branch that would often be mispredicted.
	for ; i < len(s) && n+4 <= len(out); i++ {
		c := s[i]
		f := flag(escape[c])
		e := escapes[c]
		e ^= (e ^ uint32(c)) & (f - 1)
		binary.LittleEndian.PutUint32(out[n:], e)
		n += 1 + 2*int(f)
	}
	dst = dst[:len(dst)+n]
	for ; i < len(s); i++ {
		c := s[i]
		if !escape[c] {
			dst = append(dst, c)
			continue
		}
		e := escapes[c]
		dst = append(dst, byte(e), byte(e>>8), byte(e>>16))
	}
	return dst
}

// flag returns 1 for true and 0 for false.
func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
