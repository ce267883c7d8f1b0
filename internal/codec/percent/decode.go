package percent

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
)

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
