package urlaccess

// A Repair is a correction of [DecodeReport] in a value that RFC 2017 does not allow, as
// a short name:
//
//	wrapper-removed    the URL stood in "<...>", after "URL:" or both, which RFC 1738 (appendix)
//	                   has for running text only
//	quote-encoded      a double quote was percent-encoded
//	backslash-encoded  a backslash was percent-encoded
//	eight-bit-encoded  octets above 127 were percent-encoded, as they were, whatever their charset
type Repair string

const (
	wrapperRemoved   Repair = "wrapper-removed"
	quoteEncoded     Repair = "quote-encoded"
	BackslashEncoded Repair = "backslash-encoded"
	eightBitEncoded  Repair = "eight-bit-encoded"
)
