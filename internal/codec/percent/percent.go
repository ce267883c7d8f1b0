// Package percent encodes and decodes percent-encoding (RFC 3986 section 2.1), in
// which "%" and two hexadecimal digits are one octet.
//
// It works on octets. The caller chooses the octets to escape and interprets the
// decoded octets. A "+" is never a space here.
//
// All functions are safe for concurrent use.
package percent

import "strings"

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
