package message

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// A Part is one entity of a message: the message itself, a body part of a
// multipart, or the message within a message/rfc822. All offsets count from the
// start of the source, and every span lies within the body of the parent.
type Part struct {
	// Parent is the enclosing multipart or message part; nil for the message itself.
	Parent *Part

	// Type is the media type in lower case. Without a Content-Type field it is
	// message/rfc822 within a multipart/digest (RFC 2046 section 5.1.5), otherwise
	// text/plain. It is also text/plain if the field has no type.
	Type string

	// Boundary is the boundary of a multipart, without white space at its end. It is
	// "" if the multipart has no usable boundary.
	Boundary string

	// Encoding is the Content-Transfer-Encoding.
	Encoding Encoding

	// Encoded is true if the part is a multipart, a message or a
	// message/external-body under base64 or quoted-printable. Its body is opaque
	// here: decode it and call [Index.ScanDecoded]. A multipart counts as encoded
	// only if no delimiter line is visible, and a message under base64 only if no
	// header field is visible. Mislabeled parts are more common than encoded ones.
	Encoded bool

	// Diag has the faults that the scan forgave.
	Diag Diag

	// Depth is the number of parts that enclose this one.
	Depth int

	// Delimiter is the delimiter line before a body part of a multipart, with the
	// line end after it, and with the line end before it if that belongs to the
	// delimiter. It is the only span outside the entity.
	Delimiter Span

	// Header is the header with its last line end, without the empty line
	// after it.
	Header Span

	// Blank is the empty line between header and body. It is empty if the empty line
	// is missing, or if its line end belongs to the next delimiter line.
	Blank Span

	// Body is everything after Blank, up to the end of the entity. For a
	// message/external-body it holds the phantom header: see [Split].
	Body Span

	// ContentType is the whole Content-Type field with its line end; empty if
	// there is none.
	ContentType Span

	// Preamble, Close and Epilogue are spans of a multipart. Close is the closing
	// delimiter line, with the line end before it if that belongs to the delimiter,
	// and with the line end after it unless that belongs to an enclosing delimiter.
	// It is empty if the closing delimiter line is missing. In a multipart without
	// any delimiter line, Preamble is the body.
	Preamble, Close, Epilogue Span

	message *Part // see Message

	kind   partKind
	first  *Part
	last   *Part
	next   *Part
	number int // among the parts of a multipart, from 1
}

// A partKind is the kind of content of a part, which may differ from its type.
type partKind uint8

const (
	kindLeaf      partKind = iota
	kindMultipart          // a multipart with a usable boundary that was entered
	kindUnseen             // a multipart with a usable boundary that was not entered
	kindMessage            // with one child, the message within
)

// Entity returns the header and the body: everything that belongs only to the part,
// and that a rewriter may replace. It does not contain the delimiter line after the
// part, or the line end before that delimiter (RFC 2046 section 5.1.1).
//
// An empty entity may have no line end between it and the next delimiter line. A
// replacement that is not empty must then end with a line end.
func (p *Part) Entity() Span { return Span{p.Header.Start, p.Body.End} }

// Disputed reports whether mail programs differ about the octets that p stands for, by its header: they differ about
// where the header ends and encoded data begin, or about the name of the encoding. [Damaged] reports it by the body.
func (p *Part) Disputed() bool {
	return p.Diag.Has(NearEncoding) || p.Encoding.Hides() && p.Diag.Has(MissingBlank)
}

// Message returns the part that is the message of p: p itself if it is not a part of a
// multipart, and otherwise the same of its Parent.
func (p *Part) Message() *Part { return cmp.Or(p.message, p) }

// Children yields the parts of a multipart in order, or the one message within a
// message part.
func (p *Part) Children() iter.Seq[*Part] {
	return func(yield func(*Part) bool) {
		for c := p.first; c != nil; c = c.next {
			if !yield(c) {
				return
			}
		}
	}
}

// Last returns the last part of a multipart, or the message within a message part. It
// returns nil if p has no parts.
func (p *Part) Last() *Part { return p.last }

// Next returns the part after p in the same multipart, or nil.
func (p *Part) Next() *Part { return p.next }

// Section returns the part specifier of the part in IMAP (RFC 9051 section 6.4.5.1). It
// is unique within a message:
//
//   - the parts of a multipart are counted from 1, after the section of the
//     multipart and a period;
//   - the message itself is "1", but "" if it is a multipart, whose parts are
//     "1", "2" and so on;
//   - the message within part n is n.1, but n.TEXT if it is a multipart, whose
//     parts are n.1, n.2 and so on.
//
// A multipart without a usable boundary is counted as if it were not a multipart.
func (p *Part) Section() string {
	var numbers []int
	for q := p; q != nil; q = q.Parent {
		switch {
		case q.Parent.isMultipart():
			numbers = append(numbers, q.number)
		case !q.isMultipart():
			numbers = append(numbers, 1)
		}
	}
	var b strings.Builder
	for _, n := range slices.Backward(numbers) {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(strconv.Itoa(n))
	}
	if p.Parent != nil && p.isMultipart() && !p.Parent.isMultipart() {
		b.WriteString(".TEXT")
	}
	return b.String()
}

// isMultipart reports whether p is counted as a multipart; p may be nil.
func (p *Part) isMultipart() bool {
	return p != nil && (p.kind == kindMultipart || p.kind == kindUnseen)
}

// addChild appends c to the children of p.
func (p *Part) addChild(c *Part) {
	c.Parent = p
	c.Depth = p.Depth + 1
	c.number = 1
	if IsMultipart(p.Type) {
		c.message = p.Message()
	}
	if p.last == nil {
		p.first = c
		p.last = c
		return
	}
	c.number = p.last.number + 1
	p.last.next = c
	p.last = c
}

// A Diag is a set of faults of one part that the scan forgave. The zero Diag is
// a part without faults.
type Diag uint16

const (
	// MissingBlank is a header that ends neither with an empty line nor with a
	// delimiter line nor with the end of the source.
	MissingBlank Diag = 1 << iota
	// MailboxLine is a header that starts with a "From " line of a mailbox file.
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
	// NoParts is a multipart without a delimiter line that starts a part.
	NoParts
	// MissingClose is a multipart without a closing delimiter line.
	MissingClose
	// UnknownEncoding is a Content-Transfer-Encoding that RFC 2045 section 6.1 does
	// not have.
	UnknownEncoding
	// EncodedContainer is a multipart or a message under base64 or quoted-printable.
	// RFC 2045 section 6.4 forbids that, and RFC 6532 section 3.5 allows it only for
	// message/global.
	EncodedContainer
	// EncodingIgnored is a multipart or a message that declares base64 or
	// quoted-printable but is not encoded. It is indexed without decoding.
	EncodingIgnored
	// HeaderTooLong is a header longer than [Limits].HeaderBytes, or such a
	// Content-Type unless it is message/external-body. Fields that start after that
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
	// NearEncoding is a Content-Transfer-Encoding that is nearly base64 or quoted-printable, or a line of the header
	// that is nearly such a field. [ReadNear] takes it for one.
	NearEncoding
)

var diagNames = [...]string{
	"missing-blank", "mailbox-line", "duplicate-field", "bad-content-type",
	"bad-boundary", "no-parts", "missing-close", "unknown-encoding",
	"encoded-container", "encoding-ignored", "header-too-long", "too-deep", "too-many",
	"malformed-field", "bare-cr", "near-encoding",
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

// IsMultipart reports whether a media type is a multipart. QUIRK: some senders omit
// the subtype. RFC 2046 section 5.1.3 treats any unknown subtype as multipart/mixed.
func IsMultipart(mediaType string) bool {
	return mediaType == "multipart" || strings.HasPrefix(mediaType, "multipart/")
}

// IsMessage reports whether a part of a media type contains a message (RFC 2046
// section 5.2.1, RFC 6532 section 3.7).
func IsMessage(mediaType string) bool {
	switch mediaType {
	case "message/rfc822", "message/global", "message/news":
		return true
	}
	return false
}
