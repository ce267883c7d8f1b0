// Package percent encodes and decodes percent-encoding (RFC 3986 section 2.1), in
// which "%" and two hexadecimal digits are one octet.
//
// It works on octets. The caller chooses the octets to escape and interprets the
// decoded octets. A "+" is never a space here.
//
// All functions are safe for concurrent use.
package percent

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
)

// A Set is the set of octets to escape: if Set[b] is true, the octet b is written as
// "%" and two hexadecimal digits. The zero Set escapes nothing, not even "%" itself.
type Set [256]bool

// NewSet returns the Set of the octets for which in reports true.
func NewSet(in func(c byte) bool) (s Set) {
	for c := range s {
		s[c] = in(byte(c))
	}
	return s
}

// Except returns the Set of all octets but ASCII letters, digits and those in chars.
func Except(chars string) Set {
	chars += "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	return NewSet(func(c byte) bool { return strings.IndexByte(chars, c) < 0 })
}

// Reserved has all octets except the unreserved characters of RFC 3986 section 2.3. It
// must not be changed.
var Reserved = Except("-._~")

// notHex is the value in the table Hex of an octet that is not a hexadecimal digit. It
// has bits above the lowest four, which the value of a digit never has.
const notHex = 0xF0

// Hex maps the hexadecimal digits of both cases to their values and all other
// octets to 0xF0. It must not be changed.
var Hex = hexTable()

func hexTable() (t [256]uint8) {
	for i := range t {
		t[i] = notHex
	}
	for i := range uint8(10) {
		t['0'+i] = i
	}
	for i := range uint8(6) {
		t['a'+i], t['A'+i] = 10+i, 10+i
	}
	return t
}

// Unhex returns the value of the hexadecimal digit c, in either case. It reports
// false if c is not a hexadecimal digit.
func Unhex(c byte) (v byte, ok bool) {
	v = Hex[c]
	return v & 0x0F, v != notHex
}

// Valid reports whether every "%" of s is followed by two hexadecimal digits.
func Valid(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			continue
		}
		if len(s)-i < 3 || (Hex[s[i+1]]|Hex[s[i+2]]) >= notHex {
			return false
		}
		i += 2
	}
	return true
}

// AppendDecode appends the decoded s to dst and returns the extended buffer. Each "%"
// with two hexadecimal digits becomes the octet that the digits encode. Any other "%"
// is copied. Decoded octets are not decoded again: "%2541" becomes "%41".
//
// Nothing is allocated if every "%" of s is followed by two hexadecimal digits and dst
// has room for the result. If dst has no room, it grows once.
func AppendDecode(dst []byte, s string) []byte {
	if room := cap(dst) - len(dst); room < len(s) {
		dst = slices.Grow(dst, len(s)-2*min(strings.Count(s, "%"), len(s)/3))
	}
	for {
		nd, ns := Decode(dst[len(dst):cap(dst)], s)
		dst, s = dst[:len(dst)+nd], s[ns:]
		if len(s) == 0 {
			return dst
		}
		if len(dst) < cap(dst) {
			// The rest begins an escape that is not completed.
			return append(dst, s...)
		}
		// Some "%" was literal, and the estimate too small.
		dst = slices.Grow(dst, len(s))
	}
}

// Decode decodes s into dst as [AppendDecode] does, for callers that have their text
// in pieces. It returns the number of octets written to dst and the number of octets
// of s used. It stops when dst is full, when s is used up, or before an incomplete
// escape at the end of s: a "%", or a "%" and one hexadecimal digit.
//
// It may write to any part of dst. It does not keep or change s.
func Decode(dst []byte, s string) (nd, ns int) {
	for {
		n := min(len(dst)-nd, len(s)-ns)
		i := strings.IndexByte(s[ns:ns+n], '%')
		if i < 0 {
			copy(dst[nd:], s[ns:ns+n])
			return nd + n, ns + n
		}
		copy(dst[nd:], s[ns:ns+i])
		nd, ns = nd+i, ns+i

		i, n = dense(dst[nd:], s[ns:])
		nd, ns = nd+i, ns+n
		if nd == len(dst) || ns == len(s) {
			return nd, ns
		}
		if s[ns] != '%' {
			continue
		}
		v, n := escape(s[ns:])
		if n == 0 {
			return nd, ns
		}
		dst[nd] = v
		nd, ns = nd+1, ns+n
	}
}

// escape decodes the escape at the beginning of s, which is a "%". It returns the
// resulting octet and the number of octets of s that it takes. The number is 0 if the
// escape may be incomplete.
func escape(s string) (v byte, n int) {
	if len(s) >= 3 {
		if h, l := Hex[s[1]], Hex[s[2]]; h|l < notHex {
			return h<<4 | l, 3
		}
		return '%', 1
	}
	if len(s) == 2 && Hex[s[1]] == notHex {
		return '%', 1
	}
	return 0, 0
}

// The limits at which dense changes its method. After plainWords words without a "%",
// a search for the next one is faster than testing words. After a run of adjacent
// escapes, as in a text of a non-Latin script, testing single octets is faster.
const (
	plainWords = 4
	adjacent   = 4
)

// dense decodes a stretch of s with many escapes, eight octets at a time. It stops
// where escapes become rare, and before the last few octets of s or of dst.
func dense(dst []byte, s string) (nd, ns int) {
	const (
		ones     = 0x0101010101010101
		percents = '%' * ones
	)
	plain, run := 0, 0
	for plain < plainWords && nd+8 <= len(dst) && ns+8+2 <= len(s) {
		w := load64(s[ns : ns+8])
		binary.LittleEndian.PutUint64(dst[nd:nd+8], w)
		// The lowest bit of hit is bit 7 of the first octet that is a "%".
		x := w ^ percents
		hit := (x - ones) &^ x & (0x80 * ones)
		if hit == 0 {
			nd, ns = nd+8, ns+8
			plain++
			continue
		}
		plain = 0
		i := bits.TrailingZeros64(hit) / 8
		nd, ns = nd+i, ns+i
		e := s[ns : ns+3]
		h, l := Hex[e[1]], Hex[e[2]]
		if h|l >= notHex {
			nd, ns = nd+1, ns+1 // the "%" was stored with its word
			continue
		}
		dst[nd] = h<<4 | l
		nd, ns = nd+1, ns+3
		run++
		if i > 0 {
			run = 0
		}
		if run >= adjacent {
			i = escapeRun(dst[nd:], s[ns:])
			nd, ns = nd+i, ns+3*i
			run = 0
		}
	}
	return nd, ns
}

// escapeRun decodes the valid escapes at the beginning of s that dst has room for,
// and returns their number.
func escapeRun(dst []byte, s string) int {
	for i := range dst {
		if len(s) < 3 || s[0] != '%' {
			return i
		}
		h, l := Hex[s[1]], Hex[s[2]]
		if h|l >= notHex {
			return i
		}
		dst[i] = h<<4 | l
		s = s[3:]
	}
	return len(dst)
}

func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

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
