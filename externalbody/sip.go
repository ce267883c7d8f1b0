package externalbody

import (
	"errors"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// A Profile is the standard to follow where standards differ.
type Profile uint8

const (
	// ProfileMail is RFC 2046 and RFC 2017.
	ProfileMail Profile = iota

	// ProfileSIP is content indirection in SIP (RFC 4483, RFC 5621):
	//
	//   - EXPIRATION is mandatory and ends the validity of the URL: a Reference past it
	//     is Expired, as with RefuseExpired.
	//   - The phantom Content-Type may be left out. Then the media type is the one that
	//     the server names, if AcceptTypes allows it.
	//   - HASH is compared, and the data is withheld if it differs.
	//   - A body whose disposition is by-reference is Denied unless something else in
	//     the message refers to it.
	ProfileSIP
)

// announced returns the media type that the data must have, or "" if it may have any.
func (r *Resolver) announced(ref *Reference) string {
	if r.Profile == ProfileSIP && ref.defaultType() {
		return "" // RFC 4483 section 5.8
	}
	return ref.MediaType
}

// learnType takes the media type from the server.
func (a *admission) learnType(served string) error {
	if served == "" {
		return a.fail(fetch.TypeMismatch, "neither the reference nor the server names a media type")
	}
	if len(a.r.AcceptTypes) > 0 && !slices.ContainsFunc(a.r.AcceptTypes, func(t string) bool { return strings.EqualFold(t, served) }) {
		return a.fail(fetch.TypeMismatch, "the server sends %.80q, which is not accepted", a.cut(served))
	}
	a.report.MediaType = a.resp.MediaType
	return nil
}

// sipDiags returns the requirements of RFC 4483 that the Reference does not meet.
func (r *Reference) sipDiags() []Diag {
	var ds []Diag
	v, ok := r.Param("expiration")
	switch v = strings.TrimSpace(v); {
	case !ok:
		ds = append(ds, Diag{Code: DiagNoExpiration, Param: "expiration"})
	case !r.Expiration.IsZero() && !strings.HasSuffix(v, "GMT"):
		ds = append(ds, Diag{Code: DiagExpirationForm, Param: "expiration"}) // RFC 4483 section 5.7
	}
	if _, ok := r.Header.lookup("Content-Disposition"); !ok {
		ds = append(ds, Diag{Code: DiagNoDisposition, Param: "content-disposition"}) // RFC 4483 section 5.10
	}
	return ds
}

// Disposition returns the disposition type of the phantom header in lower case, such as
// "attachment", "render" or "session". It returns "" if that is missing or not a token.
func (r *Reference) Disposition() string {
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

// sipRefusal returns why a Reference is not processed in the sip profile.
func (r *Resolver) sipRefusal(ref *Reference) error {
	if ref.Disposition() != "by-reference" {
		return nil
	}
	referred, err := ref.referredTo()
	if err != nil {
		return ref.fault(fetch.Local, "", err)
	}
	if !referred {
		// RFC 5621 section 9.4.
		return ref.fault(fetch.Denied, "", errors.New("its disposition is by-reference, and nothing refers to it"))
	}
	return nil
}

// referredTo reports whether the message holds a cid: URL with the Content-ID.
func (r *Reference) referredTo() (bool, error) {
	if r.source == nil || r.ContentID == "" {
		return false, nil
	}
	urls, err := r.source.message.cidURLs()
	if err != nil {
		return false, err
	}
	id := message.BareID(r.ContentID)
	return urls.has(id) || urls.has(segment(id)), nil
}
