// Package smime finds the signed content of a message of the Cryptographic Message Syntax
// (RFC 5652). S/MIME uses that syntax for signed messages that mail programs without
// S/MIME cannot read (RFC 8551 section 3.5.2). The package verifies nothing: what it
// returns is no more than what anybody may have written.
//
// Encodings are BER, as mail programs that stream write it: lengths may be indefinite,
// and the content may be in pieces, each of which may be in pieces again.
package smime

import "strings"

// IsMediaType reports whether a media type, in lower case, is one that signed messages
// have: application/pkcs7-mime or its old name. A part of that type may be another
// message of the syntax, such as an encrypted one.
func IsMediaType(mediaType string) bool {
	name, ok := strings.CutPrefix(mediaType, "application/")
	return ok && (name == "pkcs7-mime" || name == "x-pkcs7-mime")
}

// HeadBytes is how many octets [IsSigned] needs at most.
const HeadBytes = 64

// IsSigned reports whether a text is a signed message. head is its first HeadBytes
// octets, or all of it if there are fewer.
func IsSigned(head []byte) bool {
	_, ok := enterSignedData(head)
	return ok
}

// SignedContent returns the octets that are signed in ber, a signed message whose
// content is data (RFC 5652 section 4). In S/MIME these are a MIME entity. It reports
// false for anything else, and where the signature is detached. If the message breaks
// off, the content is what there is of it.
//
// The content may be a part of ber. The time is linear in its length, and there is at
// most one copy.
func SignedContent(ber []byte) ([]byte, bool) {
	r, ok := enterSignedData(ber)
	if !ok {
		return nil, false
	}
	if !r.skip(tagInteger, 0) || !r.skip(tagSet, 0) || !r.enter(tagSequence) || !r.oid(oidData) || !r.enter(tagContext0) {
		return nil, false
	}
	return r.octets()
}

// enterSignedData goes to the version field of a SignedData (RFC 5652 sections 3 and
// 5.1).
func enterSignedData(ber []byte) (*reader, bool) {
	r := &reader{rest: ber}
	ok := r.enter(tagSequence) && r.oid(oidSignedData) && r.enter(tagContext0) && r.enter(tagSequence)
	return r, ok
}

// The object identifiers 1.2.840.113549.1.7.2 and 1.2.840.113549.1.7.1.
const (
	oidSignedData = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
	oidData       = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01"
)
