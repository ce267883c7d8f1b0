package fetch

import (
	"io"
	"net/netip"
	"net/textproto"
	"net/url"
	"time"

	"github.com/go-extbody/extbody/fetch/record"
)

// A Response is the result of a Fetcher. Its Body has to be closed.
type Response struct {
	// URL is where the body came from, after all redirects. As a Fetcher returns it, nil
	// stands for the URL of the Request.
	URL *url.URL

	// MediaType is the media type that the server reported, with its
	// parameters; "" if it made no claim.
	MediaType string

	// Size is the number of octets that the server announced, -1 if it did
	// not. As a Fetcher returns it, it counts the octets of Body: fewer are
	// Truncated, more are a Protocol error. As Do returns it, it is -1 when
	// content codings were undone.
	Size int64

	// Undelimited is set if only the end of the connection ends Body, as with an answer
	// of HTTP/1 without a length (RFC 9112 section 6.3), or a file of ftp of unknown
	// size. A body that broke off may then look whole: a caller who knows its length has
	// to compare. As Do returns it, it is false when content codings were undone, which
	// have an end of their own.
	Undelimited bool

	// Body is the object. As Do returns it, it reports io.EOF only after
	// every check has passed, and holds back the last octet until then.
	Body io.ReadCloser

	// Checks are the results of the comparisons. Do fills it before the Body reports
	// io.EOF or a mismatch, and not earlier.
	Checks []Check

	// Status is the status code of the answer, such as 200, 203, 206 or 304 of
	// HTTP; 0 where the protocol has none.
	Status int

	// NotModified is set if the object is unchanged since Request.Conditions. Body is
	// then empty, and Header has the fields of the server's answer.
	NotModified bool

	// Offset is where Body starts within the object. It is 0 unless
	// Request.Conditions asked for a range.
	Offset int64

	// Header has the other fields of the answer, all but Set-Cookie, such as
	// Content-Disposition, ETag, Cache-Control and Vary; nil if there are
	// none. Names are in canonical form. It is metadata of the fetch, not of
	// the reference.
	Header textproto.MIMEHeader

	// RequestTime is when the request was started that Body answers, and
	// ResponseTime when the header of its answer had come (RFC 9111 section
	// 4.2.3); zero where the protocol is not http.
	RequestTime, ResponseTime time.Time

	// Capture is the relation of the body to the object that the URL names.
	Capture Capture

	// Hops are the URLs that redirected, in order; nil if none did.
	Hops []*url.URL

	// RemoteAddr is the address that was dialed for the body; the zero value
	// if there was none.
	RemoteAddr netip.AddrPort

	part responsePart
}

// A responsePart is the part of a Response for Fetchers and Layers. Package driver documents its fields.
type responsePart struct {
	Codings        []string
	Digests        []Digest
	TrailerDigests func() []Digest
	Resume         *Conditions
	Unasked        func() bool
	Exchange       *Exchange
	Differs        func(Check) error
	Object         *record.Object
}

// A Check is the outcome of one comparison.
type Check struct {
	// Name is "size", "md5", "sha-1", "sha-256", ... for a claim of the reference, and
	// the name of a field, such as "repr-digest sha-256", for a digest of the server.
	Name string `json:"name"`

	Status Status `json:"status"`

	// Form is the form of the octets that were compared with a claim of the
	// reference: "" or "raw" as fetched, "crlf" with all line ends as CRLF, "lf"
	// with all as LF.
	Form string `json:"form,omitempty"`
}

// A Status is the result of a Check, or of all Checks of one body together. The
// last two are for all Checks together.
type Status string

const (
	Match      Status = "match"
	Mismatch   Status = "mismatch"
	BadDigest  Status = "malformed"  // the claim cannot be read; nothing was compared
	WeakMatch  Status = "weak-match" // MD5 or SHA-1 alone agree, which do not withstand an attacker
	Unverified Status = "none"       // nothing was promised
)

// A Digest is a digest of octets. The ones of a [Response] are the server's, of the octets it sends:
// they protect the transfer, and prove nothing about the file that the sender of a reference meant.
type Digest struct {
	Field string // where a server said it: "repr-digest", "content-digest", "content-md5"; "" otherwise
	// Algorithm is "sha-256", "sha-512" or "md5", and of an API also "sha-1", "quickxor" or "dropbox". Others are
	// ignored (RFC 9530 section 5).
	Algorithm string
	Sum       []byte
}

// A Capture is the relation of a body to the object that the sender referred to. The file
// that a host has today need not be the file that was meant.
type Capture string

const (
	// CaptureDeclared is the body that the reference describes: a digest that
	// the reference declared agrees with it, or it came within the message.
	CaptureDeclared Capture = "declared"

	// CaptureCurrent is the host's present version, which may have changed since.
	CaptureCurrent Capture = "current"

	// CaptureVersion is a version that the URL names, or the one that was in force at
	// Request.AsOf, as the host reports it.
	CaptureVersion Capture = "version"

	// CaptureRendition is made from the object by the host, in another format:
	// the export of a document that has no octets of its own.
	CaptureRendition Capture = "rendition"

	// CaptureUnknown is a body of which none of these is known.
	CaptureUnknown Capture = ""
)

// Conditions make a request depend on a copy of the object, or a part of it, that the
// caller has. There are two uses.
//
// With Offset 0 it asks whether the object has changed (RFC 9110 section 13):
// the Response is NotModified, without octets, if the object is still the one
// that ETag or LastModified stand for.
//
// With an Offset it asks for the octets from there on (RFC 9110 section 14, RFC
// 959 section 4.1.3), of the same object only. The Body starts at
// [Response].Offset: there, or before if the server sends more, or at 0 if the object is another
// one or the server knows no ranges. A range of another object, or one that starts later or ends
// early, is an error of Kind Protocol, and so is a range without a strong validator of the
// object.
//
// A Fetcher that can do neither ignores them. All validators are as a Response
// had them.
type Conditions struct {
	// URL is the URL of the answer that had the validators, after its redirects; ""
	// if it is not known. Validators hold for one URL (RFC 9110 section 8.8), so that a
	// Fetcher that is redirected to another one asks there without conditions.
	URL string

	// ETag is the entity tag. For a range it has to be a strong one.
	ETag string

	// LastModified is the time of the last change, in the form of the field
	// Last-Modified.
	LastModified string

	// Offset is where the octets asked for begin; 0 asks for no range.
	Offset int64

	// Size is the number of octets of the whole object, for a range of it; 0
	// or less if it is not known. It is compared with the server's, if that gives one,
	// and has to be known for ftp.
	Size int64

	// Session is state, such as cookies, that a Fetcher puts into driver.Response.Resume for
	// itself. Others leave it as it is.
	Session any
}
