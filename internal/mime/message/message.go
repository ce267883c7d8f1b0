// Package message indexes a message by byte offsets. It reads a message once, through
// an io.ReaderAt, and says where each header, body, preamble, delimiter line and
// epilogue starts and ends. The spans that it finds, put one after the other, are the
// message octet for octet. So a caller can copy what it does not replace.
//
// The scanner is for mail from strangers. No message makes it fail. Faults are recorded
// as a [Diag] of the part that has them, and a malformed part does not hide the next
// one. Time is linear in the size of the message for any nesting. Memory is
// proportional to the number of parts, which is limited. Only errors of the io.ReaderAt
// are errors.
//
// # What ends a line
//
// A line ends with LF or with CRLF; a message may mix them. A CR elsewhere is data.
// QUIRK: careless conversions leave further CRs directly before a CRLF ("\r\r\n"). An
// empty line with them is still empty, and a delimiter line is still one. They are not
// part of the line end that belongs to a delimiter.
//
// # What is a delimiter line
//
// A delimiter line is "--", the boundary, and then only blanks and tabs up to the line
// end. A closing one has "--" after the boundary (RFC 2046 section 5.1.1). A note in
// that section accepts any line that begins with the boundary. It is not followed:
// boundaries that are prefixes of each other are common, and the whole line tells them
// apart. GMime and Python's email compare whole lines too; Dovecot takes the longest
// boundary with which the line begins. A delimiter line has at most 1024 octets with
// its line end. A boundary has at most 994, so that its closing line fits the 998 of
// RFC 5322 section 2.1.1.
//
// Delimiter lines of all enclosing multiparts are recognized at any depth, also within
// a header, and end everything inside (RFC 2046 section 5.1.2). Several open multiparts
// can claim one line, because they share a boundary or because one boundary is another
// with "--" appended. Then the line belongs to the innermost. After a multipart is
// closed its boundary has no meaning: what follows is its epilogue, up to a delimiter
// of an enclosing multipart.
//
// The line end before a delimiter line belongs to the delimiter (RFC 2046 section
// 5.1.1), so an entity ends before it. If an entity is empty and that line end is also
// the one of the preceding delimiter line, the later delimiter has none. But a
// delimiter of an outer multipart takes the line end of an inner delimiter line
// directly before it.
//
// # What ends a header
//
// A header ends with an empty line, with a delimiter line or with the end of the
// source. It also ends before the first line that is not a header field and has no
// colon; that is then the first line of the body. A header field is a name, then blanks
// if any (RFC 5322 section 4.5), then a colon, all within 1024 octets. The name has one
// or more octets other than controls, blanks and the colon. Octets above 127 and, in
// values, NUL are accepted. Lines that start with a blank or tab continue a field.
//
// QUIRK: a line that has a colon within 1024 octets but no name before it (": x", "Bad
// Name: x") is a malformed field. It counts as no field and does not hide those after
// it; GMime and nmh go on as well. If "//" follows the first colon, it is that of a URL
// in a text.
//
// QUIRK: lines "From " and ">From " before the first field of a message, which mailbox
// files leave behind, belong to its header.
package message

import (
	"errors"
	"fmt"
	"io"
	"iter"
)

// An Index says where the parts of a message are. It keeps offsets, media types and
// boundaries, and no octets of bodies. Several goroutines may read it. It does not
// change, except that [Index.ScanDecoded] and [Index.ScanContent] count against its
// limits.
type Index struct {
	// Parts has all parts in message order: a part comes before its children. The first
	// is the whole message, and is always there.
	Parts []*Part

	// Size is the number of octets of the source.
	Size int64

	// Limit is the first limit that was reached; nil if the index is complete.
	// Everything before that place is indexed as usual. What was not entered is an
	// opaque body or epilogue, so that the pieces are still the whole message. The Diag
	// of the part where it happened says so.
	Limit *LimitError

	budget *budget
}

var errSize = errors.New("mimescan: negative size")

// Scan indexes the message of size octets in r. The zero Limits are the defaults.
//
// It reads each octet about once, in windows of 64 KiB. It does not read octets that
// cannot contain a delimiter line, such as the body of a message that is not a
// multipart. An error of r, or a source that ends too early, is returned wrapped and
// without an index.
func Scan(r io.ReaderAt, size int64, limits Limits) (*Index, error) {
	if size < 0 {
		return nil, errSize
	}
	s := newScanner(r, Span{0, size}, &budget{limits: limits.withDefaults()}, windowSize)
	defer s.release()
	return s.scan()
}

// ScanDecoded indexes the decoded body of p, an encoded part of x, as a separate
// source: r holds size octets that the caller has decoded. The first part of the result
// stands for p. It has the type, the Parent and the Section of p, an empty header, and
// the decoded octets as its body. Below it is what p contains. Spans are offsets in r,
// except that those of enclosing parts are offsets in the source of x.
//
// Parts, headers and depth count against the limits of x, across all calls. Calls for
// one message must not run concurrently.
func (x *Index) ScanDecoded(p *Part, r io.ReaderAt, size int64) (*Index, error) {
	if !p.Encoded {
		return nil, fmt.Errorf("mimescan: part %q is not an encoded container", p.Section())
	}
	if size < 0 {
		return nil, errSize
	}
	s := newScanner(r, Span{0, size}, x.budget, windowSize)
	defer s.release()
	return s.scanBody(p)
}

// ScanContent indexes an entity that p contains in a form that only the caller knows,
// as a separate source: r holds size octets, a header and a body. The result is like
// that of [Index.ScanDecoded] for a message/rfc822, under the same rules.
func (x *Index) ScanContent(p *Part, r io.ReaderAt, size int64) (*Index, error) {
	if size < 0 {
		return nil, errSize
	}
	s := newScanner(r, Span{0, size}, x.budget, windowSize)
	around := *p
	around.Type, around.Boundary = "message/rfc822", ""
	defer s.release()
	return s.scanBody(&around)
}

// ScanParts indexes parts that p contains in a form that only the caller knows, as a
// separate source: r holds size octets, the body of a multipart/mixed with that boundary.
// The result is like that of [Index.ScanDecoded] for a multipart, under the same rules.
func (x *Index) ScanParts(p *Part, boundary string, r io.ReaderAt, size int64) (*Index, error) {
	if size < 0 {
		return nil, errSize
	}
	s := newScanner(r, Span{0, size}, x.budget, windowSize)
	around := *p
	around.Type, around.Boundary = "multipart/mixed", boundary
	defer s.release()
	return s.scanBody(&around)
}

// Root returns the part that is the whole message.
func (x *Index) Root() *Part { return x.Parts[0] }

// Pieces yields the pieces of the message in order. Each begins where the one before
// ends; the first begins at 0, and the last ends at Size. None is empty.
func (x *Index) Pieces() iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		emit := func(kind PieceKind, p *Part, s Span) bool {
			return s.Len() == 0 || yield(Piece{Kind: kind, Part: p, Span: s})
		}
		p := x.Root()
		for {
			if !p.opening(emit) {
				return
			}
			if p.first != nil {
				p = p.first
				continue
			}
			for {
				if !p.closing(emit) {
					return
				}
				if p == x.Root() {
					return
				}
				if p.next != nil {
					p = p.next
					break
				}
				p = p.Parent
			}
		}
	}
}
