package message

import "strings"

// An Encoding is the value of a Content-Transfer-Encoding field. The zero Encoding is
// Identity.
type Encoding uint8

const (
	// Identity is 7bit, 8bit, binary or no field (RFC 2045 section 6.1).
	Identity Encoding = iota
	// Base64 is base64 (RFC 2045 section 6.8).
	Base64
	// QuotedPrintable is quoted-printable (RFC 2045 section 6.7).
	QuotedPrintable
	// UUEncode is x-uuencode, which is not a standard.
	UUEncode
	// OtherEncoding is any other token. The data is opaque (RFC 2045 section 6.4).
	OtherEncoding
)

// String returns the name of the mechanism. "identity" and "other" are each the name
// for several mechanisms.
func (e Encoding) String() string {
	switch e {
	case Identity:
		return "identity"
	case Base64:
		return "base64"
	case QuotedPrintable:
		return "quoted-printable"
	case UUEncode:
		return "x-uuencode"
	}
	return "other"
}

// Hides reports whether the encoding hides delimiter lines and headers.
func (e Encoding) Hides() bool { return e == Base64 || e == QuotedPrintable || e == UUEncode }

// ParseEncoding parses the value of a Content-Transfer-Encoding field. It accepts
// comments, folding and quotes around the token.
func ParseEncoding(value string) Encoding {
	switch token := encodingToken(value); {
	case token == "", strings.EqualFold(token, "7bit"),
		strings.EqualFold(token, "8bit"), strings.EqualFold(token, "binary"):
		return Identity
	case strings.EqualFold(token, "base64"):
		return Base64
	case strings.EqualFold(token, "quoted-printable"):
		return QuotedPrintable
	case strings.EqualFold(token, "x-uuencode"), strings.EqualFold(token, "uuencode"), strings.EqualFold(token, "x-uue"):
		return UUEncode
	}
	return OtherEncoding
}

// encodingToken returns the first token of value outside comments.
func encodingToken(value string) string {
	depth := 0
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '\\':
			i++
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case depth > 0, c <= ' ', c == '"':
		default:
			end := i
			for end < len(value) && !endsToken(value[end]) {
				end++
			}
			return value[i:end]
		}
	}
	return ""
}

func endsToken(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ';', ',', '(', '"':
		return true
	}
	return false
}
