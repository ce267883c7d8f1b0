package message

import (
	"cmp"
	"iter"
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
	c.Parent, c.Depth, c.number = p, p.Depth+1, 1
	if IsMultipart(p.Type) {
		c.message = p.Message()
	}
	if p.last == nil {
		p.first, p.last = c, c
		return
	}
	c.number = p.last.number + 1
	p.last.next, p.last = c, c
}
