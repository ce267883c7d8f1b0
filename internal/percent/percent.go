// Package percent encodes and decodes the percent-encoding of RFC 3986 section
// 2.1, where "%" and two hexadecimal digits stand for one octet.
//
// It works on octets: what an octet means, and which octets are to be escaped
// in which part of which URL, is for the caller to say. A "+" is never a space
// here.
//
// All functions are safe for concurrent use.
package percent

// A Set tells for each octet whether it is to be escaped: Set[b] is true if the
// octet b is written as "%" and two hexadecimal digits. The zero Set escapes
// nothing, not even "%" itself.
type Set [256]bool

// notHex is what the table hex holds for an octet that is no hexadecimal digit.
// It and no digit's value has bits above the lowest four.
const notHex = 0xF0

// hex maps the hexadecimal digits of both cases to their values and all other
// octets to notHex.
var hex = hexTable()

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

// Unhex returns the value of the hexadecimal digit c, of either case, and
// whether c is one.
func Unhex(c byte) (v byte, ok bool) {
	v = hex[c]
	return v & 0x0F, v != notHex
}

// Valid reports whether every "%" of s is followed by two hexadecimal digits.
func Valid(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			continue
		}
		if len(s)-i < 3 || (hex[s[i+1]]|hex[s[i+2]]) >= notHex {
			return false
		}
		i += 2
	}
	return true
}
