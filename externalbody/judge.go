package externalbody

import (
	"cmp"
	"context"

	"github.com/go-extbody/extbody/fetch"
)

// An Objection is a difference between a claim of a Reference and its body, about which
// [Resolver].Judge decides.
type Objection struct {
	// Ref is the Reference that makes the claim.
	Ref *Reference

	// Check is the claim that differs: "type" or "size".
	Check string

	// Announced and Actual are media types in lower case without parameters, or numbers
	// of octets. SIZE counts the octets of text with the line ends that it came with, or
	// with all line ends as CRLF, or as LF; there is no Objection if one of these agrees.
	Announced, Actual string

	// Promised reports whether the sender vouches for the claim: in a
	// message/external-body part, and in a Dialect that promises it. Other claims are
	// guesses, such as the media type of an icon.
	Promised bool

	// Err is the result without a Judge: an error, or nil if the body is accepted with a
	// warning in the Report.
	//
	// A type is forgiven if CommonTypes has both as names of one type (RFC 2017 section
	// 3.1), and if it was not promised. A size is forgiven, since SIZE is there to decide
	// before a fetch (RFC 2046 section 5.2.3.1). Resolver.Strict forgives nothing.
	Err error

	refusal error // as Err is, if nothing is forgiven
}

// Refuse returns the error for a Judge to return if it does not accept the body. It is of
// Kind TypeMismatch for a type, and SizeMismatch for a size.
func (o *Objection) Refuse() error {
	switch {
	case o.Err != nil:
		return o.Err
	case o.refusal != nil:
		return o.refusal
	case o.Check == "size":
		return fetch.SizeMismatch
	}
	return fetch.TypeMismatch
}

// RefuseSize returns a [Resolver].Judge that makes another size than the promised one an
// error. Programs that replace a Reference by its body use it. The Judge passes the
// Objection on to next, with that error as its Err. So next can still accept the body. next
// may be nil.
func RefuseSize(next func(context.Context, *Objection) error) func(context.Context, *Objection) error {
	return func(ctx context.Context, o *Objection) error {
		if o.Check == "size" && o.Promised {
			refused := *o
			refused.Err = o.Refuse()
			o = &refused
		}
		if next == nil {
			return o.Err
		}
		return next(ctx, o)
	}
}

// commonTypes maps other names of media types, as mail and servers have them, to the
// registered ones.
var commonTypes = map[string]string{
	"image/jpg":                    "image/jpeg",
	"image/pjpeg":                  "image/jpeg",
	"image/x-png":                  "image/png",
	"application/x-pdf":            "application/pdf",
	"application/x-zip":            "application/zip",
	"application/x-zip-compressed": "application/zip",
	"application/x-gzip":           "application/gzip",
	"application/x-rtf":            "application/rtf",
	"text/rtf":                     "application/rtf",
	"audio/mp3":                    "audio/mpeg",
	"audio/x-mp3":                  "audio/mpeg",
	"audio/x-wav":                  "audio/wav",
	"video/x-m4v":                  "video/mp4",
	"text/xml":                     "application/xml",
	"text/x-vcard":                 "text/vcard",
	"application/x-javascript":     "text/javascript",
	"application/javascript":       "text/javascript",
	"application/x-msword":         "application/msword",
	"application/x-tar-gz":         "application/gzip",
	"application/x-compressed-tar": "application/gzip",
	"application/x-download":       anyType,
	"application/force-download":   anyType,
	"application/x-force-download": anyType,
	"application/download":         anyType,
	"application/binary":           anyType,
	"binary/octet-stream":          anyType,
}

// CommonTypes reports whether two media types, in lower case and without parameters, are
// names of one type in practice, such as image/jpg and image/jpeg, or one of them stands
// for any octets, such as application/x-download.
func CommonTypes(announced, served string) bool {
	a := cmp.Or(commonTypes[announced], announced)
	s := cmp.Or(commonTypes[served], served)
	return a == s || a == anyType || s == anyType
}
