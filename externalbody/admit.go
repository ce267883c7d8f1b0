package externalbody

import (
	"cmp"
	"context"
	"fmt"
	"net/textproto"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/netx/pausable"
)

// admit compares the server's statements about the data with the announcement of the
// Reference. It then puts the checks of ref, and of the References that led to ref,
// around the data.
func (r *Resolver) admit(ctx context.Context, ref *Reference, plan *Plan, resp *fetch.Response, c *chain) (*Body, error) {
	a := &admission{ctx: ctx, r: r, ref: ref, plan: plan, resp: resp, served: param.Parse(resp.MediaType), report: &Report{
		Reference:  ref,
		FinalURL:   resp.URL.String(),
		RemoteAddr: resp.RemoteAddr,
		Status:     resp.Status,
		ServedType: resp.MediaType,
		MediaType:  ref.contentType(),
		Header:     metadata(resp.Header),
		Warnings:   slices.Clone(plan.Diags[len(ref.Diags):]),
	}}
	if resp.Exchange != nil {
		a.report.TLS = resp.Exchange.TLS
	}
	c.trace.found(a.report)
	if resp.URL.Scheme == "data" {
		a.report.FinalURL = plan.URL
	}
	for _, h := range resp.Hops {
		a.report.Hops = append(a.report.Hops, h.String())
	}
	a.report.capture = a.capture()
	if err := a.checkType(); err != nil {
		return nil, err
	}
	a.adoptCharset()
	enc, err := a.encoding()
	if err != nil {
		return nil, err
	}
	if err := a.checkPage(enc); err != nil {
		return nil, err
	}
	if err := a.checkAnnouncedSize(enc); err != nil {
		return nil, err
	}
	promises, err := a.promises(c.promised)
	if err != nil {
		return nil, err
	}
	return newBody(a, enc, promises), nil
}

// An admission is the judgment of a response before its body is read.
type admission struct {
	ctx    context.Context
	r      *Resolver
	ref    *Reference
	plan   *Plan
	resp   *fetch.Response
	served *param.Value // the server's media type
	report *Report
}

func (a *admission) fail(kind fetch.Kind, format string, args ...any) error {
	return &fetch.Error{Op: "resolve", URL: a.plan.URL, Kind: kind, Err: fmt.Errorf(format, args...)}
}

// warn records a forgiven fault. With Strict it returns an error instead.
func (a *admission) warn(kind fetch.Kind, code DiagCode, param string) error {
	d := Diag{Code: code, Param: param}
	if a.r.Strict {
		return a.fail(kind, "strict: %s", d)
	}
	a.report.Warnings = append(a.report.Warnings, d)
	return nil
}

// checkType compares the server's media type with the announced one. Only a version of
// the object whose type agrees may be used, and the announced type labels it (RFC 2017
// section 3.1).
func (a *admission) checkType() error {
	announced, served := a.r.announced(a.ref), a.served.Type
	claim := served != "" && served != "application/octet-stream"
	if a.ref.weaklyTyped() {
		return a.checkWeakType(announced, served, claim)
	}
	switch {
	case a.ref.AccessType == "content-id":
		// RFC 1873 section 2.1: the type is the one of the other part.
		a.report.MediaType = a.resp.MediaType
		return nil
	case announced == "" && a.r.Profile == ProfileSIP:
		return a.learnType(served)
	case announced == "", served == announced:
		return nil
	case !claim && slices.Contains([]string{"http", "https", "data", "imap", "imaps", "cid", "mid"}, a.resp.URL.Scheme):
		return a.warn(fetch.TypeMismatch, DiagNoServerType, "")
	case !claim: // the protocol has no media types
		return nil
	case a.r.sameType(a.ctx, a.ref, announced, served):
		return nil
	case a.accepts("type", announced, served):
		a.report.Warnings = append(a.report.Warnings, Diag{Code: DiagOtherType})
		return nil
	}
	if a.resp.URL.Scheme == "data" {
		return a.fail(fetch.TypeMismatch, "the data: URL has %.80q, %s was announced", served, announced)
	}
	return a.fail(fetch.TypeMismatch, "the server sends %.80q, %s was announced", a.cut(served), announced)
}

// cut returns words of the server without the secrets of the URLs of the fetch.
func (a *admission) cut(words string) string {
	var s redact.Secrets
	for _, u := range append(slices.Clip(a.resp.Hops), a.resp.URL) {
		s.Add(u.String(), a.ref.secret() || redact.Credential(u.String()))
	}
	return s.Cut(words)
}

// weaklyTyped reports whether the announced media type is only a guess:
//
//   - A Dialect found the Reference.
//   - A Dialect found the body of a standard part of application/octet-stream as well.
//     A standard part needs some type.
func (r *Reference) weaklyTyped() bool {
	return r.Dialect != "" || r.shared && r.MediaType == "application/octet-stream"
}

// checkWeakType is checkType for a media type that is a guess, which a mail program
// took from a name or an icon. The server's type labels the body, and a difference is
// recorded.
func (a *admission) checkWeakType(announced, served string, claim bool) error {
	if !claim {
		a.report.MediaType = cmp.Or(a.report.MediaType, announced)
		return nil
	}
	a.report.MediaType = a.resp.MediaType
	if announced == "" || announced == served || announced == "application/octet-stream" {
		return nil
	}
	if a.ref.promised("type") {
		a.report.MediaType = announced
	}
	if a.r.sameType(a.ctx, a.ref, announced, served) {
		return nil
	}
	return a.warn(fetch.TypeMismatch, DiagOtherType, "")
}

// sameType reports whether a server's media type is another name of the announced one.
func (r *Resolver) sameType(ctx context.Context, ref *Reference, announced, served string) bool {
	if r.SameType != nil {
		return r.SameType(ctx, ref, announced, served)
	}
	return !r.Strict && CommonTypes(ctx, ref, announced, served)
}

// accepts asks Accept about two media types or numbers, if it is set. No time limit runs
// meanwhile.
func (a *admission) accepts(check string, announced, actual any) bool {
	if a.r.Accept == nil {
		return false
	}
	release := pausable.Hold(a.ctx)
	defer release()
	return a.r.Accept(a.ctx, a.ref, check, fmt.Sprint(announced), fmt.Sprint(actual))
}

func (a *admission) capture() fetch.Capture {
	switch {
	case a.resp.Capture != fetch.CaptureUnknown:
		return a.resp.Capture
	case a.ref.AccessType != "mail-server" && (within(a.resp.URL.Scheme) || a.resp.URL.Scheme == "data"):
		return fetch.CaptureDeclared
	}
	return fetch.CaptureCurrent
}

// adoptCharset takes the charset of text from the server if the phantom header names
// none. The default, US-ASCII, would mislabel it (HT-4).
func (a *admission) adoptCharset() {
	charset, ok := a.served.Get("charset")
	if !ok || a.ref.AccessType == "content-id" || a.ref.weaklyTyped() || !strings.HasPrefix(a.ref.MediaType, "text/") || a.r.announced(a.ref) == "" {
		return
	}
	if _, named := param.Parse(a.report.MediaType).Get("charset"); named && !a.ref.defaultType() {
		return
	}
	a.report.MediaType = string(param.AppendParam([]byte(a.ref.MediaType+"; "), "charset", charset))
	if a.resp.URL.Scheme != "data" || !strings.EqualFold(charset, "us-ascii") {
		a.report.Warnings = append(a.report.Warnings, Diag{Code: DiagServerCharset})
	}
}

// encoding returns the transfer encoding to undo.
func (a *admission) encoding() (message.Encoding, error) {
	if within(a.resp.URL.Scheme) {
		return message.Identity, nil // the part is decoded already (AT-26)
	}
	enc := a.ref.encoding()
	if enc == message.OtherEncoding {
		// RFC 2045 section 6.4.
		a.report.MediaType = "application/octet-stream"
		return enc, a.warn(fetch.Unsupported, DiagUnknownEncoding, "content-transfer-encoding")
	}
	return enc, nil
}

// checkAnnouncedSize compares the size that the server announces with SIZE, if both
// count the same. Text may have other line ends.
func (a *admission) checkAnnouncedSize(enc message.Encoding) error {
	want, got := a.ref.Size, a.resp.Size
	if want < 0 || got < 0 || got == want || enc.Hides() || strings.HasPrefix(a.ref.MediaType, "text/") {
		return nil
	}
	if got > 1<<20 && (got-1<<20)/10 > want && !a.accepts("size", want, got) {
		// The consent was to the announced size (HT-19).
		return a.fail(fetch.TooLarge, "the server announces %d octets, the reference %d", got, want)
	}
	return a.warn(fetch.DigestMismatch, DiagAnnouncedMismatch, "size")
}

// promises returns the digests that the Reference and others promise.
func (a *admission) promises(others []claim) ([]claim, error) {
	var promises []claim
	for _, p := range append(a.r.promises(a.ref), others...) {
		if p.bad != "" {
			if err := a.warn(fetch.Malformed, p.bad, p.param); err != nil {
				return nil, err
			}
		}
		promises = append(promises, p)
	}
	return promises, nil
}

// RFC 2045 section 5.2.
const defaultContentType = "text/plain; charset=us-ascii"

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

// anyType stands for any octets.
const anyType = "application/octet-stream"

// CommonTypes is the [Resolver].SameType for mail in practice, and the default. It
// reports whether the two types are names of one type, such as image/jpg and
// image/jpeg, or one of them stands for any octets, such as application/x-download.
func CommonTypes(_ context.Context, _ *Reference, announced, served string) bool {
	a, s := cmp.Or(commonTypes[announced], announced), cmp.Or(commonTypes[served], served)
	return a == s || a == anyType || s == anyType
}

// metadata returns the fields of an answer that describe the object, for a Report. It
// may return nil.
func metadata(h textproto.MIMEHeader) textproto.MIMEHeader {
	kept := make(textproto.MIMEHeader)
	for _, name := range [...]string{
		"Cache-Control",
		"Content-Digest",
		"Content-Disposition",
		"Content-Language",
		"Content-Location",
		"Content-Md5",
		"Date",
		"Etag",
		"Expires",
		"Last-Modified",
		"Repr-Digest",
		"X-Goog-Generation", // of Google's storage: the version,
		"X-Goog-Hash",       // and its digests
	} {
		if values := h[name]; len(values) > 0 && !slices.ContainsFunc(values, func(v string) bool { return len(v) > maxValue }) {
			kept[name] = values
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// maxValue bounds the value of a field that is kept.
const maxValue = 8 << 10
