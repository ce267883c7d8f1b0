// Package rewrite puts bodies into messages and takes them out.
//
//   - [Inline] replaces message/external-body parts by the data that they refer to.
//   - [Externalize] puts parts into a [Store] and leaves such references in their
//     place.
//   - [Normalize] adds such references for those that have another form.
//   - [EditTexts] edits the texts of a message.
//   - [Remove] takes references out of it.
//   - [Seal] takes out of its texts all that a program loads when it shows the message, which
//     [Loads] lists.
//
// Parts that are not replaced come out octet for octet: the raw message is spliced, and never
// written anew from a model.
//
// Nothing is written until every part has been decided. A part that cannot be rewritten
// stays as it is, and the [Report] has the reason.
//
// # Parts that are left
//
//   - Parts inside multipart/signed or multipart/encrypted (RFC 1847, RFC 3156), and
//     the parts of S/MIME and PGP themselves. Text that contains its own PGP signature
//     is text.
//   - All parts of a message about whose structure mail programs disagree.
//   - With [Transit], a message that has a signature of DKIM or ARC.
//   - A message within a message, unless Nested asks for it.
//   - Parts that the transfer encoding of an enclosing part hides.
//   - An entity whose header ends with a line that is neither empty nor a field, or has
//     a CR without an LF. Readers differ about its body.
//   - A part that some readers take for the rest of such a header around it.
//   - The texts and header fields in which a Dialect found a reference, but for the URLs of
//     pictures.
//
// The header of a part that encloses a rewritten one is changed in two cases. With
// Transport8bit its Content-Transfer-Encoding is raised (RFC 2045 section 6.4). And a
// message is wrapped if parts cannot be added otherwise. Fields of enclosing headers
// that count octets or lines, such as Lines, are left as they are.
//
// # New headers
//
// Inline merges headers as in RFC 2046 section 5.2.3.7, by the rules of section
// 5.2.2.1. It always writes Content-Type. A message that is a reference as a whole
// keeps its Date, and also its Subject, Message-ID, Encrypted and MIME-Version unless
// DropOuter asks for the fields of the phantom header.
//
// Inline chooses the transfer encoding from the octets, whatever the reference
// announces:
//
//   - Text whose lines end with CRLF becomes 7bit, quoted-printable or base64, or 8bit if the
//     caller allows it. So does text with LF if a digest of the reference is the digest with
//     CRLF instead.
//   - Other text with LF becomes base64 of the octets as they are, so that a script or a patch is
//     saved as it was fetched. So does text that has a NUL or a CR alone, whose line ends are
//     mixed, or that is in UTF-16 or UTF-32.
//   - So does other data, unless it is 7bit already (or 8bit, if the caller allows it)
//     and has the line ends of the message.
//   - A multipart or message is never encoded (RFC 2045 section 6.4). If it does not
//     fit the transport, the parts in it are encoded. It is refused if one of them is
//     signed, is in a signed message, or must not be encoded either.
//
// If the lines of a message end with LF alone, as in files, so do the ones that are
// written to it: LF stands for CRLF there. Text with CRLF becomes base64 there if a
// digest of the reference is the digest of its octets. Inline thus gives back the part that
// Externalize took out.
//
// For a reference of access type content-id (RFC 1873) the Content-Type comes from the
// other part, and the remaining fields come from the reference. Further fields of
// the other part are not copied.
//
// # Where parts are added
//
// A reference that a Dialect found has no part that could be replaced. Normalize, and Inline with
// Attach, add a part beside the text that names it:
//
//   - The innermost multipart/mixed around the text gets it, after the part that the
//     text is in. A signed or encrypted part is not entered.
//   - A multipart/mixed whose own header names the body gets it at its end.
//   - Without a multipart/mixed the message becomes the first part of a new one.
//     This may be a message within the message.
//   - If several texts name the body, the first one counts for which there is a place.
//
// A picture that a text/html shows is added once, by RFC 2387 and RFC 2392: to the
// multipart/related around the text or around its multipart/alternative. Without one, the
// text becomes the first part of a new one. Each URL of the picture in the text, and nothing
// else in it, becomes the cid: URL of the part.
//
// An entity that becomes the first part is wrapped: its Content fields move to the
// part, and all other fields stay. MIME-Version is added if it is missing. The transfer
// encoding is repeated if it is 8bit or binary (RFC 2045 section 6.4).
//
// Some messages are not wrapped: one that is signed or encrypted as a whole (RFC 1847,
// RFC 8551), and one that is itself the rest of a body, such as the mark of a
// deleted one. Nothing is added if the index is not complete or boundaries are
// ambiguous.
package rewrite

import (
	"context"
	"errors"
	"slices"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// The errors, each within a [fetch.Error], of a body that an option left where it is.
var (
	ErrInTransit = errors.New("the message is signed, and in transit")              // see Transit
	ErrNested    = errors.New("inside a message within the message")                // see Nested
	ErrMaxOutput = errors.New("with it the message would be larger than it may be") // see InlineOptions.MaxOutput
)

// A Report lists the outcome for each part that was rewritten or could have been.
type Report struct {
	// Items are in the order in which their bodies start in the message.
	Items []Item

	// Cut has, after Seal, the things that were taken out of the texts, in the order of their places.
	Cut []Load

	// Signatures has the names of the DKIM and ARC signature fields in the header of
	// the message, in order. Rewriting breaks these signatures.
	Signatures []string

	// AuthResults has the values of the Authentication-Results fields in the header of
	// the message. They are the state of the signatures before.
	AuthResults []string
}

// Changed reports whether the output differs from the message.
func (r *Report) Changed() bool {
	return slices.ContainsFunc(r.Items, func(i Item) bool { return i.Action >= Replaced })
}

// An Item is one body.
type Item struct {
	// Section is where the part is in the message, as in externalbody.Reference.ID.
	// The part is the one that was replaced, or the first that could have been. For
	// a body that a Dialect found it is the ID of the Reference.
	Section string

	// References are the References to the body, in message order. There are several if
	// they are alternatives. For Externalize it is the one that was written, if any.
	References []*externalbody.Reference

	// Action is the outcome.
	Action Action

	// Err is a fetch.Error with the reason why the body, or the reference that Normalize
	// adds, is not in its place. It is nil for a body that was replaced, added, not selected,
	// or in the message already.
	Err error

	// Resolved describes, for Inline, how the body was resolved; nil if that was not tried.
	Resolved *externalbody.Report

	// Encoding is the transfer encoding that Inline wrote; "" if it wrote none.
	Encoding string

	// Removed are the parts that were taken out of the message, besides the one that
	// the body replaced.
	Removed []Removal

	// StoodIn is the section of the part that stood in for the body, so that a
	// reference was left; "" if no part is. The part has the Content-ID of the body,
	// and nothing that is known of the body contradicts it. For Normalize, and Inline
	// with Attach, it can be another reference.
	StoodIn string

	// Diags are remarks for readers of the Report.
	Diags []externalbody.Diag

	// Unsigned is set by Inline. It is true if the message is or was signed, and the
	// signature does not cover the body, because the reference had no strong digest of
	// it (RFC 1847 section 2.1). It does not mean that a signature is valid.
	Unsigned bool
}

// A Removal is a part that was taken out of the message, besides the one that was
// replaced.
type Removal struct {
	Section string // where it was, as in Item
	Why     Reason
}

// A Reason is why a part was taken out.
type Reason uint8

const (
	Alternative Reason = iota // another reference to the body that was put in; the body keeps its promises
	Twin                      // a text beside the reference that equals, apart from line endings, the text that Externalize writes for it
)

// String returns the name of the reason in lower case.
func (r Reason) String() string { return nameOf(int(r), "alternative", "twin") }

// An Action is the outcome for a body.
type Action uint8

const (
	Left     Action = iota // not tried
	Failed                 // tried in vain; the part is as it was
	Replaced               // inlined, externalized, edited or removed
	Noticed                // tried in vain; a text is in its place
	Added                  // a part was added: the body, or a reference to it
)

// String returns the name of the action in lower case.
func (a Action) String() string {
	return nameOf(int(a), "left", "failed", "replaced", "noticed", "added")
}

func nameOf(value int, names ...string) string {
	if value < len(names) {
		return names[value]
	}
	return "unknown"
}

// A Place is where on its way a message is rewritten.
type Place uint8

const (
	// Delivery is after the verification of signatures, in the receiver's own copy.
	// Signed messages are rewritten. Their signature fields stay: one that does not
	// verify counts like a missing one (RFC 6376 section 6.1).
	Delivery Place = iota
	// Transit is before the verification. A message with a DKIM or ARC signature is
	// copied as it is, since any change of its body breaks the signature (RFC 6376
	// section 3.4). So is a message whose header is too long to be read.
	Transit
)

// diagRelatedType is the code of a Diag: the root of a multipart/related was inlined,
// and its type is not the one that the multipart announces (RFC 2387 section 3.1).
const diagRelatedType externalbody.DiagCode = "related-type"

// leave returns the error of a part that is not rewritten.
func leave(kind fetch.Kind, err error) error {
	return &fetch.Error{Op: "rewrite", Kind: kind, Err: err}
}

// forgotten returns the error of a call without a field of its options that must be set.
func forgotten(field string) error {
	return leave(fetch.Unsupported, errors.New(field+" is not set"))
}

// local returns an error of our own disk, of the source or of the destination.
func local(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		return err
	}
	return &fetch.Error{Op: "rewrite", Kind: fetch.Local, Err: err}
}

// canceled returns the error for a context that has ended.
func canceled(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &fetch.Error{Op: "rewrite", Kind: fetch.Canceled, Err: err}
	}
	return nil
}
