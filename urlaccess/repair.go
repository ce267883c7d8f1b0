package urlaccess

// A Repair is a correction of [DecodeReport] in a value that RFC 2017 does not allow, as
// a short name.
type Repair string

const (
	// WrapperRemoved means that the URL stood in "<...>", after "URL:" or both.
	// RFC 1738 (appendix) has them for running text only.
	WrapperRemoved Repair = "wrapper-removed"
	// QuoteEncoded means that a double quote was percent-encoded.
	QuoteEncoded Repair = "quote-encoded"
	// BackslashEncoded means that a backslash was percent-encoded.
	BackslashEncoded Repair = "backslash-encoded"
	// EightBitEncoded means that octets above 127 were percent-encoded, as they
	// were and in whatever charset that was.
	EightBitEncoded Repair = "eight-bit-encoded"
)
