package param

import (
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/percent"
)

// AppendParam appends a parameter to dst, without ";" and without folding, and
// returns the extended buffer. It appends only printable US-ASCII and HT. [Parse]
// returns the same value, octet for octet and without a Diag.
//
// A value that is a token is written as a token, and other values as a quoted-string.
// A value is written in RFC 2231 form if it has octets that are neither printable
// US-ASCII nor HT, or if it looks like an encoded-word. Readers might decode an
// encoded-word, although RFC 2047 section 5 does not allow it here. The charset is
// then utf-8, or blank for a value that is not valid UTF-8.
//
// The name is written unchanged. If it is not an attribute of RFC 2231 section 7 (a
// token without "*", "'" and "%"), AppendParam returns dst unchanged.
func AppendParam(dst []byte, name, value string) []byte {
	if !isAttribute(name) {
		return dst
	}
	dst = append(dst, name...)
	if needsEncoding(value) {
		// RFC 2231 section 4.
		dst = append(dst, "*="...)
		if utf8.ValidString(value) {
			dst = append(dst, "utf-8"...)
		}
		dst = append(dst, "''"...)
		return percent.AppendEncode(dst, value, &noAttributeChar)
	}
	dst = append(dst, '=')
	if value != "" && skipToken(value, 0) == len(value) {
		return append(dst, value...)
	}
	dst = append(dst, '"')
	start := 0
	for i := range len(value) {
		if c := value[i]; c == '"' || c == '\\' {
			dst = append(dst, value[start:i]...)
			dst = append(dst, '\\')
			start = i
		}
	}
	dst = append(dst, value[start:]...)
	return append(dst, '"')
}

// needsEncoding reports whether a quoted-string cannot hold the value safely.
func needsEncoding(value string) bool {
	for i := range len(value) {
		if c := value[i]; class[c]&(isControl|isHigh) != 0 || c >= '\n' && c <= '\r' {
			return true
		}
	}
	_, rest, ok := strings.Cut(value, "=?")
	return ok && strings.Contains(rest, "?=")
}

func isAttribute(name string) bool {
	for i := range len(name) {
		if noAttributeChar[name[i]] {
			return false
		}
	}
	return name != ""
}

// noAttributeChar has the octets that are not an attribute-char of RFC 2231 section 7.
var noAttributeChar = percent.NewSet(func(c byte) bool { return class[c]&isToken == 0 || c == '*' || c == '\'' || c == '%' })
