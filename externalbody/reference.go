package externalbody

import (
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// A Reference is the description, in one message/external-body part, of a body that is
// elsewhere. Package dialect reads other forms into the same type.
//
// This package does not change a Reference once it is read. Several goroutines may use
// it as long as no one changes it. It stays usable after the reader of its message is
// closed, unless its data is in the message.
type Reference struct {
	// ID names the Reference within its message. It is the same each time the message
	// is read.
	//
	//   - The ID of a message/external-body part is its section.
	//   - The ID of a Reference of a Dialect is made of where it leads. It depends neither
	//     on the place nor on the other Dialects.
	//   - If several messages, one within the other, refer to the same place, the
	//     outermost has that ID. The IDs of the others add a hyphen and the section of
	//     their message.
	ID string

	// Dialect names the form that was read. It is "" for the standard form, a
	// message/external-body part (RFC 2046 section 5.2.3). If several forms were read,
	// it names the one that is to be believed most.
	Dialect string

	// AccessType is the ACCESS-TYPE in lower case, such as "url" or "anon-ftp"; "" if
	// the part has none. A part whose access type is missing or unknown is listed and
	// cannot be resolved.
	AccessType string

	// Params are the parameters of the part's Content-Type in order of appearance. They
	// include access-type and duplicates. If a parameter is given both in plain form and in
	// that of RFC 2231, the latter replaces the former. Names are in lower case. Values are unquoted,
	// unfolded and RFC 2231-decoded, and otherwise as given: the value of URL may still
	// hold the white space that RFC 2017 allows in it. A data: URL of more than 64 KiB
	// is cut before its comma, with DiagLongURL; Reference.Request reads the rest from
	// the message.
	Params Fields

	// Header is the phantom header: the description of the body. It may be nil.
	Header Fields

	// MediaType is the announced type/subtype in lower case. It is text/plain if the
	// phantom header does not name one (RFC 2045 section 5.2). For a Dialect it is ""
	// if nothing is announced.
	MediaType string

	// ContentID is the identity of the data, with angle brackets, or "". Parts with the
	// same ContentID promise the same data.
	ContentID string

	// Name is a name for the body, from the phantom header, the NAME parameter or the
	// URL; "" if none is known. The last segment of a URL is a name if it has an extension,
	// and the URL does not have the shape of a share link: otherwise it may be a token. Name is
	// the last component of a path, fit to be shown to people. To save a file, pass it through
	// FileName.
	Name string

	// Expiration is when the guarantee ends that the data exists. The zero time means
	// that it is not known.
	Expiration time.Time

	// Size is the number of octets of the body in canonical form, before any
	// transfer encoding; -1 if not known.
	Size int64

	// Provider is the host of the body, such as "dropbox", by the Dialect or the URL.
	// It is "" if that is not known.
	Provider string

	// Claims has the names of the facts among "name", "size" and "expiration" that only
	// the URL states: the name at the end of its path, or the parts of the URL of
	// a share link. The message does not announce them, and they are not promises of the host:
	// anybody can write other values into many URLs, and the host still gives the same
	// body.
	//
	// Claims also has "guessed" if the host is not known to keep files, and the URL only
	// has the shape of a share; see Resolver.GuessedHosts.
	Claims []string

	// Promises has the names of the facts among "size" and "type" that a Dialect knows
	// to be exact, because a list server has stored the octets or a standard defines
	// the body. Such a size is compared like the SIZE of a standard part. Such a type
	// labels the body whatever type the server names. All other facts of a Dialect are
	// those that a mail program showed. Promises is empty for a standard part, whose
	// facts are all promises.
	Promises []string

	// Digests are the digests that a Dialect found, by md5, sha-1, sha-256, sha-384 or sha-512; others
	// are not compared. A body with another digest fails with DigestMismatch. A standard part has its
	// digests in Params and Header.
	Digests []fetch.Digest

	// Permission is "read" or "read-write"; the default is "read". Any other printable
	// text of the part is there in lower case, with a Diag.
	Permission string

	// Origins are the places where this Reference was found, in message order. There is
	// at least one. All are in the same message: a message within the message has
	// References of its own. The facts of the Reference are collected
	// from all places. Where they differ, a header counts before HTML, HTML before
	// plain text, and all of these before the URL.
	Origins []Origin

	// Sender is the address that a caller says the message around the Reference is from,
	// for Plan and Consent. The function Sender makes it of the From fields, for
	// example after Read. If Sender is "", it is the address in the From field of the
	// message that Open read.
	Sender string

	// Quoted is true if all Origins are in quoted or forwarded text, so that an earlier
	// message referred to it first.
	Quoted bool

	// Diags are the faults that were forgiven while reading, in order.
	Diags []Diag

	part        *message.Part // nil outside of a message, and so is source
	source      *source
	phantomBody []byte
	long        *longURL // the data: URL that Params do not hold; nil if they do
	base        string   // absolute Content-Location that a relative URL may be resolved against
	strict      bool
	typed       bool            // the phantom Content-Type is known to be a media type
	conflict    string          // the parameter or field that has contradicting duplicates
	mention     bool            // see NewMention
	shared      bool            // a Dialect found the body as well
	analyzed    analysis        // of the URL, as it was read
	link        *sharelink.Link // nil if the URL is not a share link that is known
}

// promised reports whether a Dialect promises that fact.
func (r *Reference) promised(fact string) bool { return slices.Contains(r.Promises, fact) }

// Param returns the value of the first of Params that has that name, and whether there is one.
func (r *Reference) Param(name string) (string, bool) { return r.Params.lookup(name) }

// Section returns the IMAP section of the part that holds the Reference in its header
// or body (RFC 9051 section 6.4.5), and of the first Origin if there are several. It is
// "" if the Reference was not read by [Open].
func (r *Reference) Section() string {
	if r.part == nil {
		return ""
	}
	return r.part.Section()
}

// MessageSection returns the section of the message/rfc822 part whose message the
// Reference belongs to, or "" if that is the whole message. It distinguishes References
// of messages that are within one another.
func (r *Reference) MessageSection() string {
	if r.part == nil {
		return ""
	}
	if message := r.part.Message(); message.Parent != nil {
		return message.Parent.Section()
	}
	return ""
}

// InMessage reports whether the body is the other part of the message that has the same Content-ID: the access type is
// content-id (RFC 1873). It is false for a cid: URL, which may lead to another Reference.
func (r *Reference) InMessage() bool { return r.AccessType == "content-id" }

// Hidden reports whether no rewriting can reach the Reference. It is within a transfer
// encoding or a signature of S/MIME, it is [Reference.Ambiguous], or [Open] did not read it.
// A hidden Reference is resolved like any other.
func (r *Reference) Hidden() bool {
	return r.source == nil || r.source != r.source.message.source || r.Ambiguous()
}

// PhantomBody returns the octets after the phantom header. They are not the content.
// They have a meaning only in a mail-server part: the commands to send (RFC 2046
// section 5.2.3.5).
func (r *Reference) PhantomBody() []byte { return r.phantomBody }

// weaklyTyped reports whether the announced media type is only a guess:
//
//   - A Dialect found the Reference.
//   - A Dialect found the body of a standard part of application/octet-stream as well.
//     A standard part needs some type.
func (r *Reference) weaklyTyped() bool {
	return r.Dialect != "" || r.shared && r.MediaType == "application/octet-stream"
}

// contentType returns the phantom Content-Type with its parameters, unfolded.
func (r *Reference) contentType() string {
	if r.defaultType() {
		if r.Dialect != "" {
			return ""
		}
		return defaultContentType
	}
	return r.Header.Get("Content-Type")
}

// defaultType reports whether the phantom header names no media type that can be read.
func (r *Reference) defaultType() bool {
	if r.typed {
		return false
	}
	v, ok := r.Header.lookup("Content-Type")
	return !ok || !param.IsMediaType(param.Parse(v).Type)
}

// encoding returns the transfer encoding that the phantom header claims for the
// external data (RFC 2046 section 5.2.3.7). It must be one of RFC 2045.
func (r *Reference) encoding() message.Encoding {
	enc := message.ParseEncoding(r.Header.Get("Content-Transfer-Encoding"))
	if enc == message.UUEncode {
		return message.OtherEncoding
	}
	return enc
}

func (r *Reference) diag(code DiagCode, param string) {
	r.Diags = append(r.Diags, Diag{Code: code, Param: param})
}

// firstDiag returns the first of Diags that is a fault. DiagLongURL is not.
func (r *Reference) firstDiag() (Diag, bool) {
	for _, d := range r.Diags {
		if d.Code != DiagLongURL {
			return d, true
		}
	}
	return Diag{}, false
}

// note adds a Diag that the Reference does not have yet, up to a limit.
func (r *Reference) note(d Diag) {
	if len(r.Diags) < maxMergedDiags && !slices.Contains(r.Diags, d) {
		r.Diags = append(r.Diags, d)
	}
}

// Ambiguous reports whether only some mail programs see the Reference, because they
// disagree about the structure of the message. It has DiagAmbiguous then. Rewriting leaves
// its part as it is.
func (r *Reference) Ambiguous() bool {
	return slices.ContainsFunc(r.Diags, func(d Diag) bool { return d.Code == DiagAmbiguous })
}

// IsPicture reports whether a mail program loads the body when it shows the message, and
// nothing else in the message refers to it. The Dialect is remote-images.
func (r *Reference) IsPicture() bool { return r.Dialect == "remote-images" }

// sipDiags returns the requirements of RFC 4483 that the Reference does not meet.
func (r *Reference) sipDiags() []Diag {
	var ds []Diag
	v, ok := r.Param("expiration")
	switch v = strings.TrimSpace(v); {
	case !ok:
		ds = append(ds, Diag{Code: diagNoExpiration, Param: "expiration"})
	case !r.Expiration.IsZero() && !strings.HasSuffix(v, "GMT"):
		ds = append(ds, Diag{Code: DiagExpirationForm, Param: "expiration"}) // RFC 4483 section 5.7
	}
	if _, ok := r.Header.lookup("Content-Disposition"); !ok {
		ds = append(ds, Diag{Code: diagNoDisposition, Param: "content-disposition"}) // RFC 4483 section 5.10
	}
	return ds
}

// dispositionType returns the disposition type of the phantom header in lower case, such as
// "attachment", "render" or "session". It returns "" if that is missing or not a token.
func (r *Reference) dispositionType() string {
	t := param.Parse(r.Header.Get("Content-Disposition")).Type
	if !param.IsToken(t) {
		return ""
	}
	return t
}

// Optional reports whether the sender marked the body as one that the message can do
// without. The mark is handling=optional (RFC 3261 section 20.11, RFC 4483 section
// 5.5).
func (r *Reference) Optional() bool {
	handling, _ := param.Parse(r.Header.Get("Content-Disposition")).Get("handling")
	return strings.EqualFold(strings.TrimSpace(handling), "optional")
}

// message returns the Message that the Reference is in, or nil if it did not come from
// Open.
func (r *Reference) message() *Message {
	if r.source == nil {
		return nil
	}
	return r.source.message
}

// An Origin is a place in a message.
type Origin struct {
	// Section is the IMAP section of the part (RFC 9051 section 6.4.5); "" is
	// the message itself.
	Section string

	// Field is the name of the header field that holds the Reference, or "" if the body
	// of the part holds it.
	Field string

	// Start and End delimit it, in octets from the start of the decoded body of the
	// part. Both are 0 if Field or Unplaced is set, and if the whole part is meant.
	Start, End int64

	// Unplaced is true if the place in the part is not known, for example in a text in
	// UTF-16. No rewriting removes it.
	Unplaced bool

	// Picture is true if a mail program that shows the text loads a picture from there.
	// Start and End then delimit the URL in an attribute or a style sheet, without
	// quotation marks and without a fragment, so that another URL can take its place.
	Picture bool
}

// Fields are header fields or parameters in order. nil has none. Names are compared without regard
// to case.
type Fields []Field

// Get returns the value of the first field of that name, or "".
func (h Fields) Get(name string) string {
	v, _ := h.lookup(name)
	return v
}

func (h Fields) lookup(name string) (string, bool) {
	for _, f := range h {
		if len(f.Name) == len(name) && strings.EqualFold(f.Name, name) {
			return f.Value, true
		}
	}
	return "", false
}

// count returns how many fields of that name there are.
func (h Fields) count(name string) int {
	n := 0
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			n++
		}
	}
	return n
}

// A Field is a header field or a parameter.
type Field struct {
	Name  string // as written; the name of a parameter is in lower case
	Value string // the value of a header field has no line ends, and no white space at its ends
}

// RFC 2045 section 5.2.
const defaultContentType = "text/plain; charset=us-ascii"

// anyType stands for any octets.
const anyType = "application/octet-stream"

// parseHeader splits a header block into its fields.
func parseHeader(raw string) Fields {
	var h Fields
	for f := range message.Fields(raw, 0) {
		if f.Name != "" {
			h = append(h, Field{f.Name, f.Text()})
		}
	}
	return h
}

// A longURL is a data: URL in a parameter that is not held, but read from the message
// each time.
type longURL struct {
	r      io.ReaderAt
	field  message.Span // the value of the Content-Type field
	param  string
	head   string // of the URL, without the comma
	octets int64  // of the value, as it stands there
}

// An analysis has the facts that the text of a URL shows without the network. It is made once, where
// a Reference is read, and its Plan uses it. A URL that a server redirects to has its own.
type analysis struct {
	param      string          // the value of the parameter
	text       string          // the URL in it; "" if it is not a URL, or a data: URL
	shown      string          // fit for logs
	link       *sharelink.Link // of a known host, or nil
	credential bool            // the URL is a share link, perhaps with text around it
	name       string          // the last segment of the path, if it is a name
}

// maxMergedDiags bounds the Diags of a Reference that is found in many places.
const maxMergedDiags = 32
