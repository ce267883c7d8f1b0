// Package mimescan indexes a message by byte offsets. It reads a message once,
// through an io.ReaderAt, and says where each header, body, preamble, delimiter
// line and epilogue starts and ends. The spans that it finds, put one after the
// other, are the message octet for octet: what a caller does not replace, it can
// copy as it is.
//
// The scanner is for mail from strangers. It never fails on what a message says:
// faults are recorded as a [Diag] of the part that has them, and a malformed part
// does not hide the next one. Time is linear in the size of the message whatever
// the nesting, and memory is proportional to the number of parts, which is
// limited. Only errors of the io.ReaderAt are errors.
//
// # What ends a line
//
// A line ends with LF or with CRLF, mixed as they come. A CR elsewhere is data.
// QUIRK: further CRs directly before a CRLF, which careless conversions leave
// behind ("\r\r\n"), do not keep an empty line from being empty nor a delimiter
// line from being one; they are not part of the line end that belongs to a
// delimiter.
//
// # What is a delimiter line
//
// A delimiter line is "--", the boundary, and then only blanks and tabs up to the
// line end; a closing one has "--" after the boundary (RFC 2046 section 5.1.1).
// The note in that section which lets any line that begins with the boundary pass
// is not followed: boundaries that are prefixes of each other are common, and the
// whole line tells them apart. GMime and Python's email compare whole lines, too;
// Dovecot takes the longest boundary that the line begins with. A delimiter line is at most 1024 octets long with its line end, and a
// boundary at most 994, so that its closing line fits the 998 of RFC 5322
// section 2.1.1.
//
// Delimiter lines of all enclosing multiparts are recognized at any depth, also
// within a header, and end everything inside (RFC 2046 section 5.1.2). Where one
// line could be the delimiter of several open multiparts, because they share a
// boundary or because one boundary is another with "--" appended, the innermost
// takes it. Once a multipart is closed its boundary means nothing any more: what
// follows is its epilogue, up to a delimiter of an enclosing multipart.
//
// The line end before a delimiter line belongs to the delimiter (RFC 2046 section
// 5.1.1), so an entity ends before it. Where an entity is empty, and the line end
// is also that of the preceding delimiter line, the later delimiter has none; but
// a delimiter of an outer multipart takes the line end of the inner delimiter line
// directly before it.
//
// # What ends a header
//
// A header ends with an empty line, with a delimiter line, with the end of the
// source, or before the first line that neither is a header field nor has a colon,
// which then is the first line of the body. A header field is a name of one or more octets other
// than controls, blanks and the colon, then blanks if any (RFC 5322 section 4.5),
// then a colon, all within 1024 octets; octets above 127 and, in values, NUL are
// let pass. Lines that start with a blank or tab continue a field. QUIRK: a line
// that has a colon within 1024 octets, but no name in front of it (": x", "Bad
// Name: x"), is a malformed field, which stands for none and does not hide those
// after it; GMime and nmh go on as well. A first colon that "//" follows is that of
// a URL in a text. QUIRK: lines
// "From " and ">From " before the first field of a message, which mailbox files
// leave behind, belong to its header.
package mimescan

import (
	"errors"
	"fmt"
	"io"
	"iter"
)

// An Index says where the parts of a message are. It keeps offsets, media types
// and boundaries, and no octets of bodies. It may be read by several goroutines;
// it does not change once it is returned, except that [Index.ScanDecoded] and
// [Index.ScanContent] count against its limits.
type Index struct {
	// Parts has all parts in message order: a part comes before its children.
	// The first is the whole message; there always is one.
	Parts []*Part

	// Size is the number of octets of the source.
	Size int64

	// Limit is the first limit that was reached; nil if the index is complete.
	// Everything before that place is indexed as usual, and what was not looked
	// into is an opaque body or epilogue, so that the pieces are still the whole
	// message. The Diag of a part says so where it happened.
	Limit *LimitError

	budget *budget
}

var errSize = errors.New("mimescan: negative size")

// Scan indexes the message of size octets that r holds. The zero Limits are the
// defaults.
//
// It reads each octet about once, in windows of 64 KiB, and not those that cannot
// hold a delimiter line, such as the body of a message that is no multipart. An
// error of r, or a source that ends before what is to be read, is returned wrapped
// and without an index.
func Scan(r io.ReaderAt, size int64, limits Limits) (*Index, error) {
	if size < 0 {
		return nil, errSize
	}
	s := newScanner(r, Span{0, size}, &budget{limits: limits.withDefaults()}, windowSize)
	defer s.release()
	return s.scan()
}

// ScanDecoded indexes the decoded body of p, an encoded part of x, as a source of
// its own: r holds size octets that the caller has decoded. The first part of the
// result stands for p: it has the type, the Parent and the Section of p, an empty
// header and the decoded octets as its body, and below it is what p contains.
// Spans are offsets in r, but those of enclosing parts are offsets in the source
// of x.
//
// Parts, headers and depth count against the limits of x, across all calls. The
// calls for one message may not run concurrently.
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

// ScanContent indexes an entity that p contains, in a form that only the caller knows,
// as a source of its own: r holds size octets, a header and a body. The result is as
// that of [Index.ScanDecoded] for a message/rfc822, and the same holds for it.
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

// Root returns the part that is the whole message.
func (x *Index) Root() *Part { return x.Parts[0] }

// Pieces yields the pieces of the message in order. Each begins where the one
// before ends, the first at 0 and the last ending at Size; none is empty.
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
