package base64x

import (
	"encoding/binary"
	"unsafe"
)

// Decode decodes src, whole groups of four characters of the alphabet without padding,
// into dst. It returns the number of octets written, which is three for each group. If
// src has any other character or an incomplete group, Decode reports false and leaves
// dst undefined.
//
// dst must have at least three quarters of the length of src, or Decode panics. The two
// may begin at the same octet, so that src is decoded in place, but must not overlap
// otherwise. Decode writes to no more of dst than the length of src.
func Decode(dst, src []byte) (n int, ok bool) {
	if len(src) >= minBulk && hasBulk {
		return bulkDecode(dst, src)
	}
	return decodeTable(dst, src)
}

// DecodeString is [Decode] of a string.
func DecodeString(dst []byte, src string) (n int, ok bool) {
	// Decode only reads its src.
	return Decode(dst, unsafe.Slice(unsafe.StringData(src), len(src)))
}

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
		i, n = i+8, n+6
	}
	for i+4 <= len(src) {
		octets, ok := DecodeGroup([4]byte(src[i : i+4]))
		if !ok {
			return n, false
		}
		dst[n], dst[n+1], dst[n+2] = octets[0], octets[1], octets[2]
		i, n = i+4, n+3
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
func AppendTail(dst, tail []byte) ([]byte, bool) {
	switch len(tail) {
	case 0:
		return dst, true
	case 2:
		v := sextets[0][tail[0]] | sextets[1][tail[1]]
		if v >= invalid {
			return dst, false
		}
		return append(dst, byte(v>>16)), true
	case 3:
		v := sextets[0][tail[0]] | sextets[1][tail[1]] | sextets[2][tail[2]]
		if v >= invalid {
			return dst, false
		}
		return append(dst, byte(v>>16), byte(v>>8)), true
	default:
		return dst, false
	}
}

// ZeroTail reports whether the bits that [AppendTail] ignores are zero. Encoders set
// them to zero.
func ZeroTail(tail []byte) bool {
	switch len(tail) {
	case 2:
		return sextets[3][tail[1]]&0x0F == 0
	case 3:
		return sextets[3][tail[2]]&0x03 == 0
	default:
		return true
	}
}
