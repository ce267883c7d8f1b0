// Package smime finds the signed content of a message of the Cryptographic Message
// Syntax (RFC 5652). S/MIME uses that syntax for signed messages that mail programs
// without S/MIME cannot read (RFC 8551 section 3.5.2). The package does not verify
// signatures: anyone may have written the content that it returns.
//
// It reads BER, because mail programs that stream messages write it: lengths may be
// indefinite, and the content may be in pieces, which may be in pieces again.
package smime

import "strings"

// IsMediaType reports whether mediaType is application/pkcs7-mime or its old name,
// the types of signed messages. It must be in lower case. A part of that type may
// also be another message of the syntax, such as an encrypted one.
func IsMediaType(mediaType string) bool {
	name, ok := strings.CutPrefix(mediaType, "application/")
	return ok && (name == "pkcs7-mime" || name == "x-pkcs7-mime")
}

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
// truncated, so is the content.
//
// The content may be a part of ber. The time is linear in the length of ber, and the
// content is copied at most once.
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

// enterSignedData moves to the version field of a SignedData (RFC 5652 sections 3 and
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
