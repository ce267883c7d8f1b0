package externalbody

import (
	"net/netip"
	"net/textproto"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A Report says how a Reference was resolved and what was compared with what.
type Report struct {
	// Reference is the one that the body came from.
	Reference *Reference

	// Inner is, where the Reference led to another one, the last of these; nil
	// otherwise. Checks are those that it promised.
	Inner *Reference

	// FinalURL is where the body came from, exact, after all redirects; ""
	// if nothing was fetched. Without a body it is what was asked for last, and
	// so are the fields that follow, as far as they are known.
	FinalURL string

	// Hops are the URLs that redirected, in order.
	Hops []string

	// RemoteAddr is the address that the body came from; the zero value if
	// none was dialed.
	RemoteAddr netip.AddrPort

	// Started is when the Reference began to be resolved, and Ended when its
	// body had its verdict, was closed, or turned out not to be had.
	Started, Ended time.Time

	// Status is the status code of the last answer, such as 200 or 404 of HTTP;
	// 0 where there was none.
	Status int

	// TLS says how the connection to RemoteAddr was secured; nil if it was not.
	TLS *fetch.TLS

	// Exchanges are what was said on the wire, in the order in which it ended,
	// failures too, without heads, dialogues, and octets and digests of bodies:
	// [Resolver].Observe is told of those. The one that the body belongs to is
	// here once the body has its verdict or is closed.
	Exchanges []*fetch.Exchange

	// ServedType is what the server called the media type; "" if nothing.
	ServedType string

	// MediaType labels the body: the phantom Content-Type with its parameters
	// (RFC 2017 section 3.1), whatever the server said.
	MediaType string

	// Header has what else the server said of the object, such as ETag,
	// Last-Modified and digests of the host's own: with them one can tell later
	// which version of the object this was.
	Header textproto.MIMEHeader

	// Bytes is the number of octets delivered.
	Bytes int64

	// SHA256 is the digest of the octets delivered; nil without a verdict, and
	// where [Resolver].NoDigest is set.
	SHA256 []byte

	// Checks are the comparisons that were made: those of the transfer first,
	// then what the Reference promised.
	Checks []fetch.Check

	// Warnings are what was forgiven while resolving, after the Reference's own Diags.
	Warnings []Diag

	// Failures are, for Save, the alternatives that were tried before and why
	// each failed.
	Failures []Failure

	capture fetch.Capture // without regard to digests
	others  *others       // the alternatives; nil if there are none
	kept    []*oath       // those of others that the body keeps
}

// Capture says what the body is to what the message refers to, so that nobody
// takes today's octets for those that were sent. It is final once Checks are.
//
// It is declared for a body that came within a message, and for one that agrees
// with a strong digest that the Reference promised; a version or a rendition
// where the fetcher says so; and current for all else.
func (r *Report) Capture() fetch.Capture {
	if r.Verified() == "match" {
		return fetch.CaptureDeclared
	}
	return r.capture
}

// by names the Reference that was asked for. The one that led to the data in the
// end, if it is another, becomes Inner.
func (r *Report) by(ref *Reference) {
	if r.Reference != ref {
		r.Reference, r.Inner = ref, r.Reference
	}
}

// A Failure is an alternative that could not be had.
type Failure struct {
	Reference *Reference
	Err       error
	Report    *Report // what is known of the attempt
}

// Verified says how far the octets are those that the Reference itself promised:
// "match" by a strong digest; "weak-match" by MD5 or SHA-1, which do not
// withstand an attacker; "mismatch"; "malformed" if what was promised cannot be
// read; "none" if nothing was promised. A size verifies nothing.
func (r *Report) Verified() string {
	result, rank := "none", 0
	for _, c := range r.Checks {
		status, n := "", 0
		switch {
		case c.Name == "size" || strings.Contains(c.Name, " "):
			continue // no digest, or one of the server's
		case c.Status == fetch.Mismatch:
			return "mismatch"
		case c.Status == fetch.BadDigest:
			status, n = "malformed", 1
		case c.Name == "md5" || c.Name == "sha-1":
			status, n = "weak-match", 2
		default:
			status, n = "match", 3
		}
		if n > rank {
			result, rank = status, n
		}
	}
	return result
}
