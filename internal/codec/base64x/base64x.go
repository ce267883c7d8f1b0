// Package base64x is a fast base64 codec for the standard alphabet of RFC 4648
// section 4. Mail uses the same alphabet (RFC 2045 section 6.8).
//
// It has the building blocks of the decoders for data: URLs and for mail bodies,
// which skip and forgive different characters. [Run] copies characters that may be
// base64, [Decode] decodes text that is base64 throughout, and [AppendTail] decodes
// an incomplete group at the end. A [MailReader] decodes mail bodies, and a
// [LineWriter] encodes them.
//
// On amd64 processors with AVX2, the assembly of github.com/segmentio/asm does the
// bulk of the work. The tests of this package run it on all octets in all positions.
// Other processors use tables. All functions are safe for concurrent use.
package base64x

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

// pairs holds the two characters that stand for each twelve bits, the first in the
// lower octet.
var pairs = pairTable()

func pairTable() (t [1 << 12]uint16) {
	for i := range t {
		t[i] = uint16(alphabet[i>>6]) | uint16(alphabet[i&0x3F])<<8
	}
	return t
}

// IsAlphabet reports whether c is one of the 64 characters of the alphabet. The
// padding character is not one of them.
func IsAlphabet(c byte) bool { return sextets[3][c] < invalid }
