package mimeparam

import (
	"strings"
	"unicode/utf8"
)

// toUTF8 converts a value to UTF-8. If it cannot, it returns the value as it is
// and a code of the reason. A blank charset says nothing of the octets, which
// stay.
func toUTF8(charset, s string) (value, fault string) {
	var high *[32]rune
	switch strings.ToLower(charset) {
	case "":
		return s, ""
	case "us-ascii", "ascii":
		if !isASCII(s) {
			return s, BadCharset
		}
		return s, ""
	case "utf-8", "utf8":
		if !utf8.ValidString(s) {
			return s, BadCharset
		}
		return s, ""
	case "iso-8859-1", "iso_8859-1", "iso8859-1", "latin1":
	case "windows-1252", "cp1252":
		high = &windows1252
	default:
		return s, UnknownCharset
	}
	if isASCII(s) {
		return s, ""
	}
	dst := make([]byte, 0, len(s)+len(s)/2)
	for i := range len(s) {
		r := rune(s[i])
		if high != nil && r >= 0x80 && r < 0xA0 {
			r = high[r-0x80]
		}
		dst = utf8.AppendRune(dst, r)
	}
	return string(dst), ""
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// windows1252 has the characters of the octets 0x80 to 0x9F, where
// windows-1252 differs from ISO-8859-1. The five that it leaves open are the
// control characters of ISO-8859-1, as in the WHATWG Encoding Standard.
var windows1252 = [32]rune{
	0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
	0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
	0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
	0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
}
