package message

import (
	"math/bits"
	"strings"
)

// A Diag is a set of faults of one part that the scan forgave. The zero Diag is
// a part without faults.
type Diag uint16

const (
	// MissingBlank is a header that ends neither with an empty line nor with a
	// delimiter line nor with the end of the source.
	MissingBlank Diag = 1 << iota
	// MailboxLine is a header that begins with a "From " line of a mailbox file.
	MailboxLine
	// DuplicateField is a second Content-Type or Content-Transfer-Encoding. The
	// first one counts.
	DuplicateField
	// BadContentType is a Content-Type field without a media type. The part counts as
	// text/plain (RFC 2045 section 5.2).
	BadContentType
	// BadBoundary is a multipart without a usable boundary parameter. It counts as one
	// opaque body.
	BadBoundary
	// NoParts is a multipart without a delimiter line that begins a part.
	NoParts
	// MissingClose is a multipart without a closing delimiter line.
	MissingClose
	// UnknownEncoding is a Content-Transfer-Encoding other than those of RFC 2045
	// section 6.1.
	UnknownEncoding
	// EncodedContainer is a multipart or a message under base64 or quoted-printable.
	// RFC 2045 section 6.4 forbids that, and RFC 6532 section 3.5 allows it only for
	// message/global.
	EncodedContainer
	// EncodingIgnored is a multipart or a message that declares base64 or
	// quoted-printable but is not encoded. It is indexed without decoding.
	EncodingIgnored
	// HeaderTooLong is a header longer than [Limits].HeaderBytes, or such a
	// Content-Type unless it is message/external-body. Fields that begin after that
	// many octets, not counting the Content-Type, were not read.
	HeaderTooLong
	// TooDeep is a multipart or message that was not entered because of [Limits].Depth.
	TooDeep
	// TooMany is a multipart or message that was not entered, or not read to its end,
	// because of [Limits].Parts or [Limits].TotalHeaderBytes.
	TooMany
	// MalformedField is a line in a header that has a colon but no field name before
	// it. It does not count as a field, and the header continues after it.
	MalformedField
	// BareCR is a header with a CR that does not belong to a line end. [ReadCR] takes it
	// for one.
	BareCR
)

var diagNames = [...]string{
	"missing-blank", "mailbox-line", "duplicate-field", "bad-content-type",
	"bad-boundary", "no-parts", "missing-close", "unknown-encoding",
	"encoded-container", "encoding-ignored", "header-too-long", "too-deep", "too-many",
	"malformed-field", "bare-cr",
}

// Has reports whether all faults of f are in d.
func (d Diag) Has(f Diag) bool { return d&f == f }

// String returns the names of the faults, joined by commas.
func (d Diag) String() string {
	var names []string
	for d != 0 {
		i := bits.TrailingZeros16(uint16(d))
		if i < len(diagNames) {
			names = append(names, diagNames[i])
		}
		d &= d - 1
	}
	return strings.Join(names, ",")
}
