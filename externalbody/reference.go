package externalbody

import (
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/mimescan"
	"github.com/go-extbody/extbody/internal/share"
)

// A Reference is what one message/external-body part says of a body that is
// elsewhere. Package dialect reads other forms into the same type.
//
// A Reference is read once and not changed by this package. It may be used by
// several goroutines as long as nobody changes it. It stays usable after the
// reader of its message is closed, unless its data is in the message.
type Reference struct {
	// ID names the Reference within its message and is the same each time the
	// message is read. For a message/external-body part it is the section. For
	// what a Dialect found it is made of where it leads, so that it depends
	// neither on the place nor on the other Dialects. Where several messages, one
	// within the other, refer to the same place, the outermost has that ID. Those of
	// the others are followed by a hyphen and the section of their message.
	ID string

	// Dialect names the form that was read, of several the one that is to be
	// believed most; "" is the standard form, a message/external-body part (RFC
	// 2046 section 5.2.3).
	Dialect string

	// AccessType is the ACCESS-TYPE in lower case, such as "url" or
	// "anon-ftp"; "" if the part has none. Such a part, like one of an unknown
	// access type, is listed and cannot be resolved.
	AccessType string

	// Params has the parameters of the part's Content-Type in order of
	// appearance, access-type and duplicates included. Names are in lower
	// case. Values are unquoted, unfolded and RFC 2231-decoded, and otherwise
	// as given: the value of URL may still hold the white space that RFC 2017
	// allows in it. A data: URL of more than 64 KiB is cut before its comma, of
	// which the Diags tell; [Reference.Request] reads it from the message.
	Params Params

	// Header is the phantom header: what the part says of the body that it
	// stands for. It is nil if there is none.
	Header Header

	// MediaType is the announced type/subtype in lower case, text/plain if the
	// phantom header does not say (RFC 2045 section 5.2). For a dialect it may
	// be "": nothing is announced.
	MediaType string

	// ContentID is the identity of the data, with angle brackets; "" if none.
	// Parts with the same ContentID promise the same data.
	ContentID string

	// Name is a name for the body, from the phantom header, the NAME
	// parameter or the end of the URL: its terminal component, for people and
	// as a start for [FileName]. "" if none is known.
	Name string

	// Expiration ends the guarantee that the data exists. The zero time means
	// that it is not known.
	Expiration time.Time

	// Size is the number of octets of the body in canonical form, before any
	// transfer encoding; -1 if not known.
	Size int64

	// Provider is who keeps the body, such as "dropbox", by what a Dialect says
	// or by the URL that it found; "" if that is not known.
	Provider string

	// Claims names those of the facts "name", "size" and "expiration" that are
	// what the URL of a share link says, and that no place in the message says
	// otherwise. Anybody can write other values into such a URL, and its host
	// gives the same body: they are not the host's promise.
	Claims []string

	// Promises names those of the facts "size" and "type" that a Dialect knows to be
	// exact: the octets that a list server has stored, or what a standard says of the
	// body. Such a size is compared as the SIZE of a standard part is, and such a type
	// labels the body whatever the server says. All other facts of a Dialect are what
	// a mail program showed. A standard part has none here: its own are promises.
	Promises []string

	// Digests are those that a Dialect found. A body that has another one is
	// DigestMismatch. A standard part has its own in Params and Header.
	Digests []Digest

	// Permission is "read" or "read-write", the default being "read"; or what
	// the part says, in lower case, if it is neither.
	Permission string

	// Origins are the places where this Reference was found, at least one, in
	// message order. All are in the same message: what a message within the message
	// refers to is a Reference of its own. The facts of the Reference are collected
	// from all places. Where they differ, a header counts before HTML, HTML before
	// plain text, and all of these before what the URL says.
	Origins []Origin

	// Sender is for a caller to say whose message it is that refers to the body, for
	// [Plan] and [Consent]. Nothing that reads a Reference sets it. "" means the address
	// that the message itself says it is from, which is known of what [Open] reads, and
	// not of what comes from Read or ReadRaw.
	Sender string

	// Quoted is true if all Origins are in quoted or forwarded text, so that an
	// earlier message referred to it first.
	Quoted bool

	// Signed and Encrypted are true if the place where it was found first is
	// inside of a multipart/signed or multipart/encrypted (RFC 1847); Signed also
	// inside of an opaque signed message of S/MIME (RFC 8551 section 3.5.2). They say
	// nothing about whether a signature is valid.
	Signed, Encrypted bool

	// Diags says what was forgiven while reading, in order; empty for a part
	// without faults.
	Diags []Diag

	part        *mimescan.Part // nil outside of a message, as is source
	source      *source
	phantomBody []byte
	long        *longURL // the data: URL that Params do not hold; nil if they do
	base        string   // absolute Content-Location that a relative URL may be resolved against
	strict      bool
	typed       bool        // the phantom Content-Type is known to be a media type
	conflict    string      // the parameter or field of which contradicting duplicates were found
	mention     bool        // see NewMention
	shared      bool        // a Dialect found the body as well
	credential  bool        // the URL of the part is a share link
	link        *share.Link // nil if the URL is no share link that is known
}

// A Digest is a digest of the octets of a body.
type Digest struct {
	// Algorithm is md5, sha-1, sha-256, sha-384 or sha-512. Another one is not
	// compared.
	Algorithm string

	// Sum has as many octets as the algorithm gives.
	Sum []byte
}

// promised reports whether a Dialect promises the fact of that name.
func (r *Reference) promised(fact string) bool { return slices.Contains(r.Promises, fact) }

// A Param is one parameter of a Reference.
type Param struct {
	Name, Value string
}

// An Origin is a place in a message.
type Origin struct {
	// Section is the IMAP section of the part (RFC 9051 section 6.4.5); "" is
	// the message itself.
	Section string

	// Field is the name of the header field that holds the Reference; "" if it
	// is in the body of the part.
	Field string

	// Start and End delimit it, in octets from the beginning of the decoded
	// body of the part. Both are 0 where Field is set, and where the whole
	// part is meant.
	Start, End int64
}

// Params are the parameters of a Reference, in order, duplicates included.
type Params []Param

// Get returns the value of the first parameter of that name, compared without regard
// to case, and whether there is one.
func (ps Params) Get(name string) (string, bool) {
	for _, p := range ps {
		if len(p.Name) == len(name) && strings.EqualFold(p.Name, name) {
			return p.Value, true
		}
	}
	return "", false
}

// Param is Params.Get.
func (r *Reference) Param(name string) (string, bool) { return r.Params.Get(name) }

// Section returns the IMAP section of the part whose header or body the Reference
// stands in (RFC 9051 section 6.4.5); of several places the first. It is "" if the
// Reference was not read by [Open].
func (r *Reference) Section() string {
	if r.part == nil {
		return ""
	}
	return r.part.Section()
}

// MessageSection returns the section of the message/rfc822 part whose message the
// Reference belongs to; "" if that is the whole message. References of different
// messages, one within the other, are told apart by it.
func (r *Reference) MessageSection() string {
	if r.part == nil {
		return ""
	}
	if message := scope(r.part); message.Parent != nil {
		return message.Parent.Section()
	}
	return ""
}

// Hidden reports whether the part that the Reference stands in is not to be seen in
// the octets of the message, because a transfer encoding or a signature of S/MIME is
// around it. It is true also of a Reference that was not read by [Open]. What is hidden
// is resolved like any other; no rewriting reaches it.
func (r *Reference) Hidden() bool {
	return r.source == nil || r.source != r.source.message.source
}

// PhantomBody returns what follows the phantom header. It is not the content: only
// a mail-server part means something by it, the commands to send (RFC 2046
// section 5.2.3.5).
func (r *Reference) PhantomBody() []byte { return r.phantomBody }
