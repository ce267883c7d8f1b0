package form

import "github.com/go-extbody/extbody/internal/codec/percent"

// Encode returns the text of a data set, with ";" between the pairs, or with "&" if
// AmpersandOnly is set. Everything except letters, digits, "-", ".", "_" and "~" is
// percent-encoded. That is more than the draft demands: the text can then be in a URL
// and means the same to every reader.
//
// Parse(Encode(fields)) returns equal fields, with three exceptions:
//
//   - A single pair of an empty name and no value is written as the empty string, and
//     so is a data set without pairs. EmptyIsPair decides which of them is read.
//   - Text that is not UTF-8 is not a data set. It is written octet by octet, and
//     [Parse] refuses it.
//   - The value of a pair without HasValue is not written.
func (o Options) Encode(fields []Field) string {
	separator := byte(';')
	if o.AmpersandOnly {
		separator = '&'
	}
	size := 2 * len(fields) // separators and equals signs
	for _, f := range fields {
		size += percent.EncodedLen(f.Name, &mustEscape)
		if f.HasValue {
			size += percent.EncodedLen(f.Value, &mustEscape)
		}
	}
	text := make([]byte, 0, size)
	for i, f := range fields {
		if i > 0 {
			text = append(text, separator)
		}
		text = percent.AppendEncode(text, f.Name, &mustEscape)
		if f.HasValue {
			text = append(text, '=')
			text = percent.AppendEncode(text, f.Value, &mustEscape)
		}
	}
	return string(text)
}

// mustEscape is the set of octets whose meaning raw and escaped can differ in some
// context: all except the unreserved ones (RFC 3986 section 2.3).
var mustEscape = percent.Reserved
