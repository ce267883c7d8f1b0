package externalbody

import (
	"cmp"
	"fmt"
	"net/netip"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/mime/mediatype"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/netx/fieldvalue"
)

// A Report records how a Reference was resolved and which comparisons were made.
type Report struct {
	// Reference is the Reference that was resolved.
	Reference *Reference

	// Inner is the Reference that led to the body, if Reference led to a
	// message/external-body part instead of the body. Checks then has the
	// comparisons with the promises of Inner. It is nil if Reference led to the
	// body itself.
	Inner *Reference

	// FinalURL is the exact URL that the body came from, after all redirects; "" if
	// nothing was fetched. If there is no body, it is the URL of the last request.
	// The fields that follow are then also about that request, as far as they are
	// known.
	FinalURL string

	// Hops are the URLs that redirected, in order.
	Hops []string

	// RemoteAddr is the address that the body came from. It is the zero value if none
	// was dialed.
	RemoteAddr netip.AddrPort

	// Started is when resolving started. Ended is when the body had its verdict, was
	// closed, or turned out not to be available.
	Started, Ended time.Time

	// Status is the status code of the last answer, such as 200 or 404 of HTTP; 0 if
	// there was none.
	Status int

	// TLS describes the security of the connection to RemoteAddr; nil if it had none.
	TLS *record.TLS

	// ServedType is the media type that the server named; "" if it named none.
	ServedType string

	// MediaType labels the body: it is the phantom Content-Type with its parameters
	// (RFC 2017 section 3.1), whatever the server said.
	MediaType string

	// Header has the other facts that the server named about the object, such as ETag,
	// Last-Modified and digests. They identify the version of the object.
	Header textproto.MIMEHeader

	// Object has the facts about the file from the API of its host, and the version that the octets
	// are. It is nil if no account at a file host asked for it; see package accountfetch.
	Object *record.Object

	// Bytes is the number of octets delivered.
	Bytes int64

	// SHA256 is the digest of the octets delivered. It is nil before the verdict, and
	// if Resolver.NoDigest is set.
	SHA256 []byte

	// Checks are the comparisons that were made: first within the transfer, then
	// with the promises of the Reference.
	Checks []fetch.Check

	// Warnings are the faults that were forgiven while resolving, after the Reference's
	// own Diags.
	Warnings []Diag

	// Failures, set by Save, are the alternatives that were tried before, and why each
	// failed.
	Failures []Failure

	complete bool          // the verdict was good
	capture  fetch.Capture // without regard to digests
	others   *others       // the alternatives; may be nil
	kept     []*claimSet   // of others, that the body agrees with
}

// Capture is how the body relates to the one that the message refers to: today's octets may
// not be the octets that were sent. It is final when Checks are.
//
//   - It is declared if the body came within a message, or agrees with a strong digest
//     that the Reference promised.
//   - It is a version or a rendition if the fetcher reports that.
//   - Otherwise it is current.
func (r *Report) Capture() fetch.Capture {
	if r.Verified() == fetch.Match {
		return fetch.CaptureDeclared
	}
	return r.capture
}

// by sets the Reference that was asked for. If another one led to the data in the end,
// that becomes Inner.
func (r *Report) by(ref *Reference) {
	if r.Reference != ref {
		r.Inner = r.Reference
		r.Reference = ref
	}
}

// String describes in one line for people how the body compares with the announcement of the
// message.
func (r *Report) String() string {
	if !r.complete {
		return "There is no verified body."
	}
	var names []string
	size := ""
	for _, c := range r.Checks {
		switch {
		case c.Name == "size" && c.Status == fetch.Match:
			size = " Its size is as announced."
		case c.Name == "size":
			size = fmt.Sprintf(" It has %d octets, which is not the size announced.", r.Bytes)
		case c.Status == fetch.Match && !strings.Contains(c.Name, " "):
			names = append(names, strings.ToUpper(c.Name))
		}
	}
	digests := strings.Join(names, " and ")
	switch r.Verified() {
	case fetch.Match:
		return "It is what the message promises, by " + digests + "." + size
	case fetch.WeakMatch:
		return "It is what the message promises, by " + digests + ", which an attacker can get around." + size
	case fetch.BadDigest:
		return "The digest in the message cannot be read." + size
	}
	if size == "" {
		size = " It announces no size."
	}
	return "The message promises no digest." + size
}

// Verified returns whether the octets are those that the Reference itself promised:
//
//   - [fetch.Match] by a strong digest,
//   - [fetch.WeakMatch] by MD5 or SHA-1, which do not withstand an attacker,
//   - [fetch.Mismatch],
//   - [fetch.BadDigest] if the promised digest cannot be read,
//   - [fetch.Unverified] if nothing was promised.
//
// A size verifies nothing.
func (r *Report) Verified() fetch.Status {
	result := fetch.Unverified
	rank := 0
	for _, c := range r.Checks {
		status := c.Status
		n := 0
		switch {
		case c.Name == "size" || strings.Contains(c.Name, " "):
			continue // no digest, or one of the server's
		case c.Status == fetch.Mismatch:
			return fetch.Mismatch
		case c.Status == fetch.BadDigest:
			n = 1
		case c.Name == "md5" || c.Name == "sha-1":
			status = fetch.WeakMatch
			n = 2
		default:
			n = 3
		}
		if n > rank {
			result = status
			rank = n
		}
	}
	return result
}

// Keeps reports whether the body keeps the promises of ref. ref is the Reference that
// the body came from, or another of the alternatives given to Save. The media type and
// digests of the body must be those that ref has. Another size than SIZE counts only if
// it is an error: with [Resolver].Strict, or by [Resolver].Judge. A Reference whose
// promises are not kept may mean another body, and must not be replaced by this one.
func (r *Report) Keeps(ref *Reference) bool {
	return ref == r.Reference || r.others != nil && slices.Contains(r.kept, r.others.of[ref])
}

// FileName returns a name for the body that is safe on any system; see the function
// [FileName]. It is
//
//   - the name that the message gives the body; or
//   - the Name of Object; or
//   - the one that the server gives it in Content-Disposition; or
//   - the end of the URL, where that is the Name of the Reference; or
//   - "part" and the ID of the Reference, without dots.
//
// The extension of MediaType is appended if the name has none, or one of another type. A system then opens the file
// as the type that was announced and judged: "a.desktop" of image/png becomes "a.desktop.png". A name of the
// message stays as it is if the message announced no type, and the server names a general type that such files
// often get: "Makefile" of text/plain, "a.apk" of application/zip and "a.svg" of text/xml. So does "a.zip" if the
// server's type is one whose files are zip archives. FileName does not check whether such a file exists.
func (r *Report) FileName() string {
	mediaType := param.Parse(r.MediaType).Type
	name := r.givenName()
	if !mediatype.Agrees(mediaType, name) && !r.vaguelyTyped(mediaType, name) {
		name = FileName(name + mediatype.Extension(mediaType))
	}
	return name
}

// vaguelyTyped reports whether a name is the message's own, and the type a general one
// that is the server's alone.
func (r *Report) vaguelyTyped(mediaType, name string) bool {
	ref := r.Reference
	if ref == nil || !ref.weaklyTyped() {
		return false
	}
	if ref.MediaType != "" && ref.MediaType != anyType {
		return false
	}
	return name == FileName(ref.placeFacts().name) && mediatype.MayHold(mediaType, name)
}

// givenName is FileName without regard to the media type.
func (r *Report) givenName() string {
	ref := cmp.Or(r.Reference, new(Reference))
	return cmp.Or(
		FileName(ref.placeFacts().name),
		FileName(r.objectName()),
		FileName(r.servedName()),
		FileName(ref.Name),
		FileName(strings.TrimSuffix("part-"+strings.NewReplacer(".", "-", "/", "-", `\`, "-").Replace(ref.ID), "-")),
	)
}

// objectName returns the name of Object, or "".
func (r *Report) objectName() string {
	if r.Object == nil {
		return ""
	}
	return r.Object.Name
}

// servedName returns the name that the server gives, without the IDs of the share links of
// the fetch. HTTP has no continuations (RFC 8187 section 1); like wget, it takes those of mail where
// there is no other name.
func (r *Report) servedName() string {
	disposition := r.Header.Get("Content-Disposition")
	label, _ := param.Parse(r.ServedType).Get("charset")
	name := fieldvalue.FileName(disposition, label, charset.Text)
	if name == "" {
		name, _ = param.Parse(disposition).Get("filename")
	}
	if name == "" {
		return ""
	}
	var ids redact.Secrets
	if ref := r.Reference; ref != nil {
		ids.Rules = ref.rules()
		ids.AddID(ref.url().text)
	}
	for _, u := range r.Hops {
		ids.AddID(u)
	}
	ids.AddID(r.FinalURL)
	return ids.Cut(charset.Words(name))
}

// A Failure is an alternative that was tried in vain.
type Failure struct {
	Reference *Reference
	Err       error
	Report    *Report // the known facts of the attempt
}
