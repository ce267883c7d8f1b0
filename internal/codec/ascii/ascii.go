// Package ascii has the letters and digits of ASCII, for the rules of formats that know no others.
package ascii

// The classes, as the characters in them.
const (
	Lower  = "abcdefghijklmnopqrstuvwxyz"
	Upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	Digits = "0123456789"
)

// A char is an octet of a text, or a character of it.
type char interface{ byte | rune }

// IsLetter reports whether c is a letter of either case.
func IsLetter[C char](c C) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsDigit reports whether c is a decimal digit.
func IsDigit[C char](c C) bool { return '0' <= c && c <= '9' }

// IsAlphanumeric reports whether c is a letter or a digit.
func IsAlphanumeric[C char](c C) bool { return IsLetter(c) || IsDigit(c) }
