package base64x

import (
	"encoding/binary"
	"slices"
)

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
	whole := len(src) / 3 * 3
	if whole >= minBulk && hasBulk {
		bulkEncode(dst[:whole/3*4], src[:whole])
	} else {
		encodeTable(dst, src[:whole])
	}
	dst, src = dst[whole/3*4:], src[whole:]
	switch len(src) {
	case 1:
		v := pairs[uint(src[0])<<4]
		dst[0], dst[1], dst[2], dst[3] = byte(v), byte(v>>8), '=', '='
	case 2:
		v := pairs[uint(src[0])<<4|uint(src[1])>>4]
		dst[0], dst[1], dst[2], dst[3] = byte(v), byte(v>>8), alphabet[src[1]&0x0F<<2], '='
	}
}

// encodeTable encodes src, whole groups of three octets, into dst, six octets
// at a time.
func encodeTable(dst, src []byte) {
	for len(src) >= 8 {
		v := binary.BigEndian.Uint64(src)
		binary.LittleEndian.PutUint64(dst, uint64(pairs[v>>52])|uint64(pairs[v>>40&0xFFF])<<16|
			uint64(pairs[v>>28&0xFFF])<<32|uint64(pairs[v>>16&0xFFF])<<48)
		dst, src = dst[8:], src[6:]
	}
	for len(src) >= 3 {
		v := uint(src[0])<<16 | uint(src[1])<<8 | uint(src[2])
		binary.LittleEndian.PutUint32(dst, uint32(pairs[v>>12])|uint32(pairs[v&0xFFF])<<16)
		dst, src = dst[4:], src[3:]
	}
}
