package urlaccess

// A Repair is a correction of [DecodeReport] in a value that RFC 2017 does not allow.
type Repair uint8

const (
	// WrapperRemoved means that the URL stood in "<...>", after "URL:" or both.
	// RFC 1738 (appendix) has them for running text only.
	WrapperRemoved Repair = iota + 1
	// QuoteEncoded means that a double quote was percent-encoded.
	QuoteEncoded
	// BackslashEncoded means that a backslash was percent-encoded.
	BackslashEncoded
	// EightBitEncoded means that octets above 127 were percent-encoded, as they
	// were and in whatever charset that was.
	EightBitEncoded
)

// String returns a short name in lower case, such as "quote-encoded".
func (r Repair) String() string {
	switch r {
	case WrapperRemoved:
		return "wrapper-removed"
	case QuoteEncoded:
		return "quote-encoded"
	case BackslashEncoded:
		return "backslash-encoded"
	case EightBitEncoded:
		return "eight-bit-encoded"
	}
	return "unknown"
}
