// Package base64x is a fast base64 codec for the standard alphabet of RFC 4648
// section 4. Mail uses the same alphabet (RFC 2045 section 6.8).
//
// It has the building blocks of the decoders for data: URLs and for mail bodies,
// which skip and forgive different characters. [Lines] copies lines without their
// ends, [Run] copies characters that may be base64, [Decode] decodes text that is
// base64 throughout, and [AppendTail] decodes an incomplete group at the end. A
// [MailReader] decodes mail bodies, and a [LineWriter] encodes them.
//
// On amd64 processors with AVX2, the assembly of github.com/segmentio/asm does the
// bulk of the work. The tests of this package run it on all octets in all positions.
// Other processors decode by tables, and encode by encoding/base64. With the assembly,
// data: URLs are decoded 10 times as fast as by encoding/base64, and 3.2 times with an
// LF every 76 characters; by tables it is 1.8 and 1.5 times (BenchmarkAppendDecode of
// package dataurl). All functions are safe for concurrent use.
package base64x

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"
)

// alphabet is Table 1 of RFC 4648 section 4.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// invalid is the entry of octets outside the alphabet in the decode tables. No
// combination of valid entries has its bits.
const invalid = 0xFF << 24

// sextets holds the value of each character, for each of the four positions in a group,
// shifted to its place in the 24 bits of the group.
var sextets = sextetTable()

func sextetTable() (t [4][256]uint32) {
	for pos := range t {
		for c := range t[pos] {
			t[pos][c] = invalid
		}
		for v := range len(alphabet) {
			t[pos][alphabet[v]] = uint32(v) << (18 - 6*pos)
		}
	}
	return t
}

// IsAlphabet reports whether c is one of the 64 characters of the alphabet. The
// padding character is not one of them.
func IsAlphabet(c byte) bool { return sextets[3][c] < invalid }

// Decode decodes src, whole groups of four characters of the alphabet without padding,
// into dst. It returns the number of octets written, which is three for each group. If
// src has any other character or an incomplete group, Decode reports false and leaves
// dst undefined.
//
// dst must have at least three quarters of the length of src, or Decode panics. The two
// may start at the same octet, so that src is decoded in place, but must not overlap
// otherwise. Decode writes to no more of dst than the length of src.
func Decode(dst, src []byte) (n int, ok bool) {
	if len(src) >= minBulk && hasBulk {
		return bulkDecode(dst, src)
	}
	return decodeTable(dst, src)
}

// DecodeString is [Decode] of a string.
func DecodeString(dst []byte, src string) (n int, ok bool) { return Decode(dst, octets(src)) }

// decodeTable is Decode with tables, eight characters at a time.
func decodeTable(dst, src []byte) (n int, ok bool) {
	dst = dst[:min(len(dst), len(src))]
	i := 0
	for i+8 <= len(src) && n+8 <= len(dst) {
		s := src[i : i+8]
		hi := sextets[0][s[0]] | sextets[1][s[1]] | sextets[2][s[2]] | sextets[3][s[3]]
		lo := sextets[0][s[4]] | sextets[1][s[5]] | sextets[2][s[6]] | sextets[3][s[7]]
		if hi|lo >= invalid {
			return n, false
		}
		binary.BigEndian.PutUint64(dst[n:n+8], uint64(hi)<<40|uint64(lo)<<16)
		i += 8
		n += 6
	}
	for i+4 <= len(src) {
		octets, ok := DecodeGroup([4]byte(src[i : i+4]))
		if !ok {
			return n, false
		}
		dst[n], dst[n+1], dst[n+2] = octets[0], octets[1], octets[2]
		i += 4
		n += 3
	}
	return n, i == len(src)
}

// DecodeGroup decodes a group of four characters to three octets. It reports false if
// one of the characters is not of the alphabet.
func DecodeGroup(group [4]byte) (octets [3]byte, ok bool) {
	v := sextets[0][group[0]] | sextets[1][group[1]] | sextets[2][group[2]] | sextets[3][group[3]]
	return [3]byte{byte(v >> 16), byte(v >> 8), byte(v)}, v < invalid
}

// AppendTail decodes an incomplete last group and appends the result to dst: one
// octet for two characters, two octets for three, nothing for none. The bits that are
// left over are ignored, as RFC 4648 section 3.5 allows. It reports false if tail has
// another length or a character that is not of the alphabet. A single character has
// too few bits for an octet.
func AppendTail[T string | []byte](dst []byte, tail T) ([]byte, bool) {
	switch len(tail) {
	case 0:
		return dst, true
	case 2:
		if v := sextets[0][tail[0]] | sextets[1][tail[1]]; v < invalid {
			return append(dst, byte(v>>16)), true
		}
	case 3:
		if v := sextets[0][tail[0]] | sextets[1][tail[1]] | sextets[2][tail[2]]; v < invalid {
			return append(dst, byte(v>>16), byte(v>>8)), true
		}
	}
	return dst, false
}

// ZeroTail reports whether the bits that [AppendTail] ignores are zero. Encoders set
// them to zero.
func ZeroTail(tail []byte) bool {
	switch len(tail) {
	case 2:
		return sextets[1][tail[1]]&0xFFFF == 0
	case 3:
		return sextets[2][tail[2]]&0xFF == 0
	}
	return true
}

// EncodedLen returns the length of the encoding of n octets, padding included.
func EncodedLen(n int) int { return (n + 2) / 3 * 4 }

// AppendEncode appends the encoding of src to dst, with padding and without line
// breaks, and returns the extended buffer. It panics if the length of the buffer
// would overflow an int.
func AppendEncode(dst, src []byte) []byte {
	n := EncodedLen(len(src))
	dst = slices.Grow(dst, n)
	encode(dst[len(dst):len(dst)+n], src)
	return dst[:len(dst)+n]
}

// encode writes the encoding of src to dst, which must have the length of the
// encoding.
func encode(dst, src []byte) {
	if whole := len(src) / 3 * 3; hasBulk && whole >= minBulk {
		bulkEncode(dst[:whole/3*4], src[:whole])
		dst = dst[whole/3*4:]
		src = src[whole:]
	}
	base64.StdEncoding.Encode(dst, src)
}

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

// Lines copies lines from src to dst without the LF or CR LF after each, and returns the octets written and used. It
// stops after a text without a line break, which may be cut, and where dst has no room for a line. It copies all other
// octets as they are. Usually all lines are equally long. Of a line break within the length of the line before, Lines
// may therefore copy octets too, which [Decode] refuses. src and dst must not overlap.
func Lines(dst, src []byte) (nd, ns int) {
	length := 0 // of the line before, without its end
	for ns < len(src) {
		n := min(len(src)-ns, len(dst)-nd)
		if length >= n || src[ns+length] != '\n' {
			length = bytes.IndexByte(src[ns:ns+n], '\n')
			if length < 0 {
				copy(dst[nd:], src[ns:ns+n])
				return nd + n, ns + n
			}
		}
		copy(dst[nd:], src[ns:ns+length])
		nd += length
		ns += length + 1
		if length > 0 && src[ns-2] == '\r' {
			nd--
		}
	}
	return nd, ns
}

// LinesString is [Lines] of a string.
func LinesString(dst []byte, src string) (nd, ns int) { return Lines(dst, octets(src)) }

// octets returns s as octets, which are only read.
func octets(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

func load64[T string | []byte](s T) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
