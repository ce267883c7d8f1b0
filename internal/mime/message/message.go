// Package message indexes a message by byte offsets. It reads a message once, through
// an io.ReaderAt, and finds the start and end of each header, body, preamble,
// delimiter line and epilogue. The concatenated spans are the message, octet for
// octet. So a caller can replace some spans and copy the others.
//
// The scanner accepts any mail. No message makes it fail. Faults are recorded as a
// [Diag] of the part that has them, and a malformed part does not hide the next one.
// Time is linear in the size of the message for any nesting. Memory is proportional
// to the number of parts, which is limited. The only errors are those from the
// io.ReaderAt.
//
// # Line ends
//
// A line ends with LF or with CRLF; a message may mix them. A CR elsewhere is data.
// QUIRK: careless conversions leave further CRs directly before a CRLF ("\r\r\n"). An
// empty line with such CRs is still empty, and a delimiter line with them is still a
// delimiter line. They are not part of the line end that belongs to a delimiter.
//
// # Delimiter lines
//
// A delimiter line is "--", the boundary, and then only blanks and tabs up to the
// line end. A closing one has "--" after the boundary (RFC 2046 section 5.1.1). A
// note in that section accepts any line that starts with the boundary. This package
// does not follow it: boundaries that are prefixes of each other are common, and only
// the whole line distinguishes them. GMime and Python's email compare whole lines
// too; Dovecot takes the longest boundary with which the line starts. A delimiter
// line has at most 1024 octets with its line end. A boundary has at most 994 octets,
// so that its closing line fits the 998 octets of RFC 5322 section 2.1.1.
//
// Delimiter lines of all enclosing multiparts are recognized at any depth, also
// within a header, and end everything inside (RFC 2046 section 5.1.2). Several open
// multiparts can claim one line, because they share a boundary or because one
// boundary is another with "--" appended. Then the line belongs to the innermost.
// After a multipart is closed, its boundary has no meaning: the epilogue follows, up
// to a delimiter of an enclosing multipart.
//
// The line end before a delimiter line belongs to the delimiter (RFC 2046 section
// 5.1.1), so an entity ends before it. If an entity is empty and that line end also
// ends the preceding delimiter line, the later delimiter has no line end before it.
// But a delimiter of an outer multipart takes the line end of an inner delimiter line
// directly before it.
//
// # The end of a header
//
// A header ends with an empty line, with a delimiter line or with the end of the
// source. It also ends before the first line that is not a header field and has no
// colon; that line is the first line of the body. A header field is a name, then
// blanks if any (RFC 5322 section 4.5), then a colon, all within 1024 octets. The
// name has one or more octets other than controls, blanks and the colon. Octets above
// 127 and, in values, NUL are accepted. Lines that start with a blank or tab continue
// a field.
//
// QUIRK: a line that has a colon within 1024 octets but no name before it (": x",
// "Bad Name: x") is a malformed field. It does not count as a field and does not end
// the header; GMime and nmh do the same. If "//" follows the first colon, the line is
// not a field but text with a URL.
//
// QUIRK: lines "From " and ">From " before the first field of a message, which mailbox
// files leave behind, belong to its header.
package message

import (
	"errors"
	"fmt"
	"io"
)

var errSize = errors.New("message: negative size")

// Scan indexes the message of size octets in r. The zero Limits are the defaults.
//
// It reads each octet about once, in windows of 64 KiB. It does not read octets that
// cannot contain a delimiter line, such as the body of a message that is not a
// multipart. If r returns an error or ends too early, Scan returns the wrapped error
// and no index.
func Scan(r io.ReaderAt, size int64, limits Limits) (*Index, error) {
	if size < 0 {
		return nil, errSize
	}
	s := newScanner(r, Span{0, size}, &budget{limits: limits.withDefaults()}, windowSize)
	defer s.release()
	return s.scan()
}

// ScanDecoded indexes the decoded body of p, an encoded part of x, as a separate
// source: r holds size octets that the caller has decoded. The first part of the
// result represents p. It has the type, the Parent and the Section of p, an empty
// header, and the decoded octets as its body. Its children are the parts within p.
// Spans are offsets in r, except that the spans of enclosing parts are offsets in the
// source of x.
//
// Parts, headers and depth count against the limits of x, across all calls. Calls for
// one message must not run concurrently.
func (x *Index) ScanDecoded(p *Part, r io.ReaderAt, size int64) (*Index, error) {
	if !p.Encoded {
		return nil, fmt.Errorf("message: part %q is not an encoded container", p.Section())
	}
	return x.scanBody(p, r, size)
}

// ScanContent indexes an entity that p contains in a format that only the caller
// knows, as a separate source: r holds size octets, a header and a body. It follows
// the rules of [Index.ScanDecoded] for a message/rfc822.
func (x *Index) ScanContent(p *Part, r io.ReaderAt, size int64) (*Index, error) {
	around := *p
	around.Type = "message/rfc822"
	around.Boundary = ""
	return x.scanBody(&around, r, size)
}

// ScanParts indexes parts that p contains in a format that only the caller knows, as
// a separate source: r holds size octets, the body of a multipart/mixed with the
// boundary. It follows the rules of [Index.ScanDecoded] for a multipart.
func (x *Index) ScanParts(p *Part, boundary string, r io.ReaderAt, size int64) (*Index, error) {
	around := *p
	around.Type = "multipart/mixed"
	around.Boundary = boundary
	return x.scanBody(&around, r, size)
}

// scanBody indexes the size octets of r as the body of p.
func (x *Index) scanBody(p *Part, r io.ReaderAt, size int64) (*Index, error) {
	if size < 0 {
		return nil, errSize
	}
	s := newScanner(r, Span{0, size}, x.budget, windowSize)
	defer s.release()
	return s.scanBody(p)
}

// An IndexedReader reads the octets of a scanned message and has its index. It passes an
// index from the package that scanned a message to a package that rewrites it,
// through interfaces without these types: see [IndexOf]. externalbody.Open does not
// scan an IndexedReader again.
type IndexedReader struct {
	io.ReaderAt
	Index *Index
}

// IndexOf returns the index of the message that r reads, and the source from which the
// message was scanned. The reader of r must be an IndexedReader.
func IndexOf(r *io.SectionReader) (*Index, io.ReaderAt) {
	outer, _, _ := r.Outer()
	x := outer.(IndexedReader)
	return x.Index, x.ReaderAt
}

// Sections returns the parts of x by their sections.
func (x *Index) Sections() map[string]*Part {
	sections := make(map[string]*Part, len(x.Parts))
	for _, p := range x.Parts {
		sections[p.Section()] = p
	}
	return sections
}

// Differs returns the first part of x whose depth, type or encoding differs in y, or
// nil. If y only has further parts, it returns the root of x. The encoding of a part that is [Part.Disputed] and has no
// parts is not compared.
func (x *Index) Differs(y *Index) *Part {
	for i, p := range x.Parts {
		if i == len(y.Parts) {
			return p
		}
		q := y.Parts[i]
		if p.Depth != q.Depth || p.Type != q.Type {
			return p
		}
		isLeaf := p.kind == kindLeaf && q.kind == kindLeaf && !IsMessage(p.Type)
		if isLeaf && p.Disputed() {
			continue
		}
		if p.Encoding != q.Encoding || p.Encoded != q.Encoded {
			return p
		}
	}
	if len(y.Parts) > len(x.Parts) {
		return x.Root()
	}
	return nil
}

// Others returns the readings by which the message, with the sources that were
// scanned after it, may have another structure. It returns nil for almost all
// messages.
func (x *Index) Others() []Reading {
	var others []Reading
	doubts := x.budget.doubts | x.budget.limits.Reading
	for r := Reading(1); r <= doubts; r++ {
		if r&ReadNear != 0 && r != ReadNear && r != doubts {
			continue // there would be too many
		}
		// Programs follow both of ReadJunk and ReadPrefix or neither.
		const dovecot = ReadJunk | ReadPrefix
		if r&^doubts == 0 && (r&dovecot == 0 || r&dovecot == doubts&dovecot) {
			others = append(others, r)
		}
	}
	return others
}
