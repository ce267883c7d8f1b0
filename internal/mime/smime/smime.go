// Package smime finds the signed content of a message of the Cryptographic Message
// Syntax (RFC 5652). S/MIME uses that syntax for signed messages that mail programs
// without S/MIME cannot read (RFC 8551 section 3.5.2). The package does not verify
// signatures: anyone may have written the content that it returns.
//
// It reads BER, because mail programs that stream messages write it: lengths may be
// indefinite, and the content may be in pieces, which may be in pieces again.
package smime

import (
	"bytes"
	"slices"
	"strings"
)

// IsMediaType reports whether mediaType is application/pkcs7-mime or its old name,
// the types of signed messages. It must be in lower case. A part of that type may
// also be another message of the syntax, such as an encrypted one.
func IsMediaType(mediaType string) bool {
	name, ok := strings.CutPrefix(mediaType, "application/")
	return ok && (name == "pkcs7-mime" || name == "x-pkcs7-mime")
}

// IsPart reports whether a part with that media type and one of these file names may be such a message. The media
// type must be in lower case. QUIRK: some programs and gateways give such a part another type, and only the name
// identifies it (RFC 8551 section 3.9). The part may also be a signed file, such as an invoice.
func IsPart(mediaType string, names ...string) bool {
	lost := mediaType == "application/octet-stream" ||
		mediaType == "application/pkcs7" || mediaType == "application/x-pkcs7"
	return IsMediaType(mediaType) || lost && slices.ContainsFunc(names, isUsual)
}

// isUsual reports whether a file name has one of the extensions of RFC 8551 section 3.2.1.
func isUsual(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	return slices.ContainsFunc([]string{".p7m", ".p7z", ".p7c", ".p7s"}, func(ext string) bool {
		return strings.HasSuffix(name, ext)
	})
}

// Begins reports whether a body may be a message of the syntax, by its first octet. A detached signature in another
// form is not such a message, for example.
func Begins(head []byte) bool { return len(head) > 0 && head[0] == tagSequence }

// HeadBytes is the number of octets that [IsSigned] needs at most.
const HeadBytes = 64

// IsSigned reports whether a body is a signed message. head must have the first
// HeadBytes octets of the body, or all octets of a shorter body.
func IsSigned(head []byte) bool {
	_, ok := enterSignedData(head)
	return ok
}

// SignedContent returns the signed octets of ber, a signed message whose content is
// data (RFC 5652 section 4). In S/MIME the octets are a MIME entity. SignedContent
// reports false for anything else, and for a detached signature. If the message is
// truncated, so is the content. cut is true if a bound of this package ended the reading:
// more than 16 levels, or a length of more than 31 bits.
//
// The content may be a part of ber. The time is linear in the length of ber, and the
// content is copied at most once.
func SignedContent(ber []byte) (content []byte, ok, cut bool) {
	r, ok := enterSignedData(ber)
	if !ok {
		return nil, false, r.cut
	}
	if !r.skip(tagInteger, 0) || !r.skip(tagSet, 0) {
		return nil, false, r.cut
	}
	if !r.enter(tagSequence) || !r.oid(oidData) || !r.enter(tagContext0) {
		return nil, false, r.cut
	}
	content, ok = r.octets()
	return content, ok, r.cut
}

// enterSignedData moves to the version field of a SignedData (RFC 5652 sections 3 and
// 5.1).
func enterSignedData(ber []byte) (*reader, bool) {
	r := &reader{rest: ber}
	isSigned := r.enter(tagSequence) && r.oid(oidSignedData)
	return r, isSigned && r.enter(tagContext0) && r.enter(tagSequence)
}

// The object identifiers 1.2.840.113549.1.7.2 and 1.2.840.113549.1.7.1.
const (
	oidSignedData = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
	oidData       = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01"
)

// The identifier octets that occur in a SignedData (X.690 section 8.1.2).
const (
	tagInteger     = 0x02
	tagOctets      = 0x04
	tagOID         = 0x06
	tagSequence    = 0x30
	tagSet         = 0x31
	tagOctetPieces = 0x24 // a constructed octet string
	tagContext0    = 0xa0

	constructed = 0x20
)

// maxLength bounds the length of an element, in octets. It fits an int of 32 bits.
const maxLength = 1<<31 - 1

// maxDepth bounds the nesting of pieces and of sets.
const maxDepth = 16

// A reader reads elements of BER one after the other.
type reader struct {
	rest []byte
	cut  bool // maxLength or maxDepth ended the reading
}

// header reads the identifier and the length of the next element. The length is -1 if
// it is indefinite (X.690 section 8.1.3). Identifiers of several octets do not occur in
// messages.
func (r *reader) header() (tag byte, length int, ok bool) {
	b := r.rest
	if len(b) < 2 || b[0]&0x1f == 0x1f {
		return 0, 0, false
	}
	tag = b[0]
	length = int(b[1])
	b = b[2:]
	switch {
	case length == 0x80:
		if tag&constructed == 0 {
			return 0, 0, false
		}
		length = -1
	case length > 0x80:
		n := length & 0x7f
		if n > len(b) {
			return 0, 0, false
		}
		length = 0
		for _, c := range b[:n] {
			if length > maxLength>>8 {
				r.cut = true
				return 0, 0, false
			}
			length = length<<8 | int(c)
		}
		b = b[n:]
	}
	r.rest = b
	return tag, length, true
}

// enter moves to the content of the next element, which must have the identifier
// want. It does not look for the end of the content, because this package reads only
// the starts of elements.
func (r *reader) enter(want byte) bool {
	tag, _, ok := r.header()
	return ok && tag == want
}

// oid skips the next element, which must be the object identifier want.
func (r *reader) oid(want string) bool {
	tag, length, ok := r.header()
	if !ok || tag != tagOID || length != len(want) {
		return false
	}
	if !bytes.HasPrefix(r.rest, []byte(want)) {
		return false
	}
	r.rest = r.rest[length:]
	return true
}

// skip skips the next element, which must have the identifier want; 0 means any.
func (r *reader) skip(want byte, depth int) bool {
	tag, length, ok := r.header()
	isWanted := want == 0 || tag == want
	if !ok || !isWanted {
		return false
	}
	if depth > maxDepth {
		r.cut = true
		return false
	}
	if length >= 0 {
		if length > len(r.rest) {
			return false
		}
		r.rest = r.rest[length:]
		return true
	}
	for !r.ended() {
		if !r.skip(0, depth+1) {
			return false
		}
	}
	return true
}

// ended skips the end-of-contents octets if they come next, and reports whether they
// did (X.690 section 8.1.5).
func (r *reader) ended() bool {
	if len(r.rest) < 2 || r.rest[0] != 0 || r.rest[1] != 0 {
		return false
	}
	r.rest = r.rest[2:]
	return true
}

// octets returns the content of the next element, an octet string (X.690 section 8.7).
func (r *reader) octets() ([]byte, bool) {
	tag, length, ok := r.header()
	switch {
	case !ok:
		return nil, false
	case tag == tagOctets:
		return r.rest[:min(length, len(r.rest))], true
	case tag != tagOctetPieces:
		return nil, false
	}
	var content []byte
	r.pieces(&content, length, 0)
	return content, true
}

// pieces appends the pieces of a constructed octet string, up to its end or to the
// first element that is not a piece.
func (r *reader) pieces(content *[]byte, length, depth int) bool {
	if depth > maxDepth {
		r.cut = true
		return false
	}
	end := -1
	if length >= 0 {
		end = max(0, len(r.rest)-length)
	}
	for len(r.rest) > max(end, 0) {
		if end < 0 && r.ended() {
			return true
		}
		tag, n, ok := r.header()
		switch {
		case !ok:
			return false
		case tag == tagOctets:
			n = min(n, len(r.rest))
			*content = append(*content, r.rest[:n]...)
			r.rest = r.rest[n:]
		case tag != tagOctetPieces:
			return false
		case !r.pieces(content, n, depth+1):
			return false
		}
	}
	return true
}
