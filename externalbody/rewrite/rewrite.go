// Package rewrite puts bodies into messages and takes them out. [Inline]
// replaces message/external-body parts by the data that they refer to;
// [Externalize] puts parts into a [Store] and leaves such references in their
// place. [Normalize] adds such references for those that have another form. What
// is not replaced comes out octet for octet: the raw message is spliced, and never
// written anew from a model.
//
// Nothing is written until every part has been decided. The one exception is Inline
// to a file, which can be truncated again. A part that cannot be rewritten stays as
// it is, and the [Report] says why.
//
// # What is not touched
//
//   - What is inside multipart/signed or multipart/encrypted (RFC 1847, RFC
//     3156), and the parts of S/MIME and PGP themselves. Text with a PGP
//     signature within it is text.
//   - With [Transit], a message that has a signature of DKIM or ARC.
//   - A message within a message, unless Nested asks for it.
//   - What a transfer encoding of an enclosing part hides.
//   - An entity whose header ends with a line that is neither empty nor a field, so
//     that readers differ in what its body is.
//   - The texts and header fields in which a Dialect found a reference.
//
// The header of a part that encloses a rewritten one is changed in two cases:
// with Transport8bit its Content-Transfer-Encoding is raised (RFC 2045 section
// 6.4), and a message is wrapped where parts cannot be added otherwise. Fields of
// enclosing headers that count octets or lines, such as Lines, are left as they
// are.
//
// # What a part becomes
//
// Inline merges headers as RFC 2046 section 5.2.3.7 says, by the rules of
// section 5.2.2.1, and writes Content-Type always. A message that is a reference as
// a whole keeps its Subject, Message-ID, Encrypted and MIME-Version, and always its
// Date, unless DropOuter asks for those of the phantom header. Of the transfer encoding that
// the reference announces nothing is kept: it is chosen from the octets. Text
// becomes 7bit, quoted-printable or base64, and 8bit if the caller allows it,
// with its line ends as CRLF; text whose line ends are mixed, that has
// a NUL or is in UTF-16 or UTF-32, and all other data that is not 7bit, is
// base64 of the octets as they are. A multipart or message is never encoded
// (RFC 2045 section 6.4). If it does not fit the transport the parts in it are
// encoded, and it is refused if one of them is signed, in a signed message, or
// must not be encoded either.
//
// A message whose lines end with LF alone, as in files, gets such lines: LF stands
// for CRLF in what is written to it. Text with CRLF is base64 there if a digest of
// the reference is that of its octets, so that Inline gives back what Externalize
// took out.
//
// For a reference of access type content-id (RFC 1873) the Content-Type is that
// of the other part and the remaining fields are those of the reference;
// further fields of the other part are not copied.
//
// # Where parts are added
//
// What a Dialect found has no part that could be replaced. Normalize, and Inline
// with Attach, add one beside the text that names it: of the multiparts around the
// text the innermost multipart/mixed gets it, after the part that the text is in.
// What is signed or encrypted counts as one part there. A multipart/mixed whose own
// header names the body gets it at its end. If several texts name it the first one
// counts for which there is a place.
//
// Where there is no multipart/mixed, the message, be it one within the message,
// becomes the first part of a new one: its Content fields move there, all other
// fields stay, MIME-Version is added if it is missing, and the transfer encoding
// is repeated if it is 8bit or binary (RFC 2045 section 6.4). A message that is
// signed or encrypted as a whole is not wrapped (RFC 1847, RFC 8551), nor is one
// that is itself what is left of a body, such as the mark of a deleted one. Nothing
// is added where the index is not complete or boundaries are ambiguous.
package rewrite

import (
	"errors"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A Report says what was done with each part that was, or could have been,
// rewritten.
type Report struct {
	// Items are in the order in which their bodies begin in the message.
	Items []Item

	// Signatures has the names of the DKIM and ARC signature fields in the
	// header of the message, in order. After a rewriting they no longer verify.
	Signatures []string

	// AuthResults has the values of the Authentication-Results fields in the
	// header of the message: what was known of the signatures before.
	AuthResults []string
}

// Changed reports whether the output differs from the message.
func (r *Report) Changed() bool {
	for _, i := range r.Items {
		switch i.Action {
		case Replaced, Noticed, Added:
			return true
		}
	}
	return false
}

// An Item is one body.
type Item struct {
	// Section is where the part is in the message, as in
	// [externalbody.Reference].ID: the part that was replaced, or the first
	// that could have been. For what a Dialect found it is that ID.
	Section string

	// References are those to the body, in message order: several if they are
	// alternatives. For Externalize it is the one that was written, if any.
	References []*externalbody.Reference

	// Action is what was done.
	Action Action

	// Err is why the body, or the reference that Normalize adds, is not in the
	// place that was asked for: a [fetch.Error]. It is nil for what was replaced,
	// added, not selected, or in the message already.
	Err error

	// Resolved says, for Inline, how the body was had; nil if it was not tried.
	Resolved *externalbody.Report

	// Encoding is the transfer encoding that Inline wrote; "" if none.
	Encoding string

	// Removed are the parts that are in the message no more, besides the one in
	// the place of which the body is.
	Removed []Removal

	// StoodIn is the section of the part because of which a reference was left:
	// it has the Content-ID of the body, and nothing that is known of the body
	// says that it is not that. For Normalize, and Inline with Attach, it can be
	// another reference. It is "" otherwise.
	StoodIn string

	// Diags is what a reader of the Report should know besides.
	Diags []externalbody.Diag

	// Unsigned is for Inline. It is true if the message is signed, or was, and the
	// signature does not cover the body, because the reference had no strong digest of
	// it (RFC 1847 section 2.1). It says nothing about whether a signature is valid.
	Unsigned bool
}

// A Removal is a part that was taken out of the message.
type Removal struct {
	Section string // where it was, as in Item
	Why     Reason
}

// A Reason says why a part was taken out.
type Reason uint8

const (
	Alternative Reason = iota // another reference to the body that was put in, which keeps its promises
	Twin                      // a text beside the reference that Externalize would write for it octet for octet
)

// String returns the name of the reason in lower case.
func (r Reason) String() string {
	switch r {
	case Alternative:
		return "alternative"
	case Twin:
		return "twin"
	}
	return "unknown"
}

// An Action is what was done with a body.
type Action uint8

const (
	Left     Action = iota // not tried
	Failed                 // tried in vain; the part is as it was
	Replaced               // inlined or externalized
	Noticed                // tried in vain; a text that says so is in its place
	Added                  // a part was added: the body, or a reference to it
)

// String returns the name of the action in lower case.
func (a Action) String() string {
	names := [...]string{"left", "failed", "replaced", "noticed", "added"}
	if int(a) < len(names) {
		return names[a]
	}
	return "unknown"
}

// A Place is where on its way a message is rewritten.
type Place uint8

const (
	// Delivery is after the verification of signatures, in the receiver's own
	// copy. Signed messages are rewritten. Their signature fields stay: one that
	// does not verify counts as none (RFC 6376 section 6.1).
	Delivery Place = iota
	// Transit is before the verification. A message with a DKIM or ARC signature
	// is copied as it is, since any change of its body breaks the signature
	// (RFC 6376 section 3.4), and so is one whose header is too long to tell.
	Transit
)

// DiagRelatedType is the code of a Diag: the root of a multipart/related was
// inlined, and is not of the type that the multipart announces (RFC 2387
// section 3.1).
const DiagRelatedType externalbody.DiagCode = "related-type"

// leave returns the error of a part that is not rewritten.
func leave(kind fetch.Kind, err error) error {
	return &fetch.Error{Op: "rewrite", Kind: kind, Err: err}
}

// local returns an error of our own disk, source or destination.
func local(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		return err
	}
	return &fetch.Error{Op: "rewrite", Kind: fetch.Local, Err: err}
}
