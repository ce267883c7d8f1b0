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
	"unsafe"

	"github.com/go-extbody/extbody/internal/codec/ascii"
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
	return NewSet(func(c byte) bool { return !ascii.IsAlphanumeric(c) && strings.IndexByte(chars, c) < 0 })
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
		t['a'+i] = 10 + i
		t['A'+i] = 10 + i
	}
	return t
}

// Unhex returns the value of the hexadecimal digit c, in either case. It reports
// false if c is not a hexadecimal digit.
func Unhex(c byte) (v byte, ok bool) {
	v = Hex[c]
	return v & 0x0F, v != notHex
}

// Octet returns the octet that the escape at the start of s encodes. It reports false
// if s starts with no "%" and two hexadecimal digits.
func Octet(s string) (c byte, ok bool) {
	if len(s) < len("%HH") || s[0] != '%' {
		return 0, false
	}
	high, ok1 := Unhex(s[1])
	low, ok2 := Unhex(s[2])
	return high<<4 | low, ok1 && ok2
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
		dst = dst[:len(dst)+nd]
		s = s[ns:]
		if len(s) == 0 {
			return dst
		}
		if len(dst) < cap(dst) {
			// The rest starts an escape that is not completed.
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
		nd += i
		ns += i

		for nd < len(dst) && len(s)-ns >= len("%41") && s[ns] == '%' && Hex[s[ns+1]]|Hex[s[ns+2]] < notHex {
			dst[nd] = Hex[s[ns+1]]<<4 | Hex[s[ns+2]]
			nd++
			ns += len("%41")
		}
		switch rest := s[ns:]; {
		case nd == len(dst), rest == "", rest == "%", len(rest) == 2 && rest[0] == '%' && Hex[rest[1]] < notHex:
			return nd, ns
		case rest[0] == '%':
			dst[nd] = '%'
			nd++
			ns++
		}
		md, ms := decodeBlocks(dst[nd:], s[ns:])
		nd += md
		ns += ms
	}
}

const (
	word = 8                  // the octets that are looked at together
	ones = 0x0101010101010101 // a word of ones
	tops = 0x80 * ones        // the top bits of a word
)

// decodeBlocks is Decode for text with many escapes. It leaves the text after a block with few, and the end of s.
//
// It finds all "%" of a block before it decodes, as a processor that waits for one place cannot look for the next.
func decodeBlocks(dst []byte, s string) (nd, ns int) {
	const (
		block = 256
		many  = block / 32
		gap   = 2 * word             // octets between escapes that are copied at once
		more  = gap + len("%41") - 1 // octets after a block that are read, and perhaps written
	)
	var places [block + word]uint8
	src := unsafe.Slice(unsafe.StringData(s), len(s)) // only read
	for n := many; n >= many && len(dst)-nd >= block+more && len(s)-ns >= block+more; {
		in := (*[block + more]byte)(src[ns:])
		out := (*[block + more]byte)(dst[nd:])
		n = 0
		for i := 0; i < block; i += word {
			x := binary.LittleEndian.Uint64(in[i:]) ^ '%'*ones
			marks := (^(x&^tops + ^uint64(tops) | x) & tops) >> 7 * 0x0102040810204080 >> 56
			binary.LittleEndian.PutUint64(places[n:n+word], bitPlaces[marks]+uint64(i)*ones)
			n += bits.OnesCount8(uint8(marks))
		}
		read := 0
		written := 0
		for _, place := range places[:n] {
			at := int(place)
			high := Hex[in[at+1]]
			low := Hex[in[at+2]]
			if high|low >= notHex {
				continue
			}
			n := at - read
			from := in[read : read+gap]
			to := out[written : written+gap]
			binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(from))
			binary.LittleEndian.PutUint64(to[word:], binary.LittleEndian.Uint64(from[word:]))
			if n > gap {
				copy(out[written:], in[read:at])
			}
			out[written+n] = high<<4 | low
			read = at + len("%41")
			written += n + 1
		}
		if read < block {
			written += copy(out[written:], in[read:block])
			read = block
		}
		nd += written
		ns += read
	}
	return nd, ns
}

// bitPlaces has the places of the ones of each octet, beginning with the lowest, as octets of a word.
var bitPlaces = func() (t [1 << 8]uint64) {
	for b := range t {
		n := 0
		for i := range word {
			if b>>i&1 != 0 {
				t[b] |= uint64(i) << n
				n += 8
			}
		}
	}
	return t
}()

// Printable returns the length of the start of s without octets below " ".
func Printable(s string) int {
	const words = 4
	n := 0
	for ; n+words*word <= len(s); n += words * word {
		w := s[n : n+words*word]
		a := load(w)
		b := load(w[word:])
		c := load(w[2*word:])
		d := load(w[3*word:])
		if ((a-' '*ones)&^a|(b-' '*ones)&^b|(c-' '*ones)&^c|(d-' '*ones)&^d)&tops != 0 {
			break
		}
	}
	for n < len(s) && s[n] >= ' ' {
		n++
	}
	return n
}

// load returns the first octets of s as a word.
func load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// EncodedLen returns the number of octets that [AppendEncode] appends.
func EncodedLen(s string, escape *Set) int {
	n := len(s)
	for i := range len(s) {
		if escape[s[i]] {
			n += len("%41") - 1
		}
	}
	return n
}

// AppendEncode appends s to dst, with each octet that is in escape replaced by "%"
// and two upper-case hexadecimal digits, and returns the extended buffer. If dst has
// no room for the result, it grows once.
func AppendEncode(dst []byte, s string, escape *Set) []byte {
	const digits = "0123456789ABCDEF"
	dst = slices.Grow(dst, EncodedLen(s, escape))
	for i := range len(s) {
		if c := s[i]; escape[c] {
			dst = append(dst, '%', digits[c>>4], digits[c&0xF])
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}
