package externalbody

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/interstitial"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/netx/pausable"
)

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
	announced := a.r.announced(a.ref)
	served := a.served.Type
	claim := served != "" && served != "application/octet-stream"
	if a.ref.weaklyTyped() {
		return a.checkWeakType(announced, served, claim)
	}
	switch {
	case a.ref.InMessage():
		// RFC 1873 section 2.1: the type is the one of the other part.
		a.report.MediaType = a.resp.MediaType
		return nil
	case announced == "" && a.r.SIP != nil:
		return a.learnType(served)
	case announced == "", served == announced:
		return nil
	case !claim && slices.Contains([]string{"http", "https", "data", "imap", "imaps", "cid", "mid"}, a.resp.URL.Scheme):
		return a.warn(fetch.TypeMismatch, diagNoServerType, "")
	case !claim: // the protocol has no media types
		return nil
	}
	refusal := a.fail(fetch.TypeMismatch, "the server sends %.80q, %s was announced", a.cut(served), announced)
	if a.resp.URL.Scheme == "data" {
		refusal = a.fail(fetch.TypeMismatch, "the data: URL has %.80q, %s was announced", served, announced)
	}
	common := CommonTypes(announced, served)
	o := &Objection{Ref: a.ref, Check: "type", Announced: announced, Actual: served, Promised: true, refusal: refusal}
	if !common || a.r.Strict {
		o.Err = refusal
	}
	if err := a.judge(o); err != nil {
		return err
	}
	if !common {
		a.report.Warnings = append(a.report.Warnings, Diag{Code: diagOtherType})
	}
	return nil
}

// judge asks Judge about a difference, if it is set. No time limit runs meanwhile.
func (a *admission) judge(o *Objection) error {
	if a.r.Judge == nil {
		return o.Err
	}
	release := pausable.Hold(a.ctx)
	defer release()
	err := a.r.Judge(a.ctx, o)
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		return err
	}
	kind := fetch.TypeMismatch
	if o.Check == "size" {
		kind = fetch.SizeMismatch
	}
	return &fetch.Error{Op: "resolve", URL: a.plan.URL, Kind: fetch.KindOr(err, kind), Err: err}
}

// cut returns words of the server without the secrets of the URLs of the fetch.
func (a *admission) cut(words string) string {
	s := redact.Secrets{Rules: a.ref.rules()}
	for _, u := range append(slices.Clip(a.resp.Hops), a.resp.URL) {
		s.Add(u.String(), a.ref.secret())
	}
	return s.Cut(words)
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
	common := CommonTypes(announced, served)
	warning := Diag{Code: diagOtherType}
	o := &Objection{
		Ref: a.ref, Check: "type", Announced: announced, Actual: served, Promised: a.ref.promised("type"),
		refusal: a.fail(fetch.TypeMismatch, "strict: %s", warning),
	}
	if !common && a.r.Strict {
		o.Err = o.refusal
	}
	if err := a.judge(o); err != nil {
		return err
	}
	if !common {
		a.report.Warnings = append(a.report.Warnings, warning)
	}
	return nil
}

// sizeObjection returns the Objection to a size that is not the one of a Reference.
func (a *admission) sizeObjection(ref *Reference, announced, actual int64) *Objection {
	refusal := a.fail(fetch.SizeMismatch, "%d octets, %d were promised", actual, announced)
	o := &Objection{
		Ref: ref, Check: "size", Announced: strconv.FormatInt(announced, 10), Actual: strconv.FormatInt(actual, 10),
		Promised: ref.Dialect == "" || ref.promised("size"), refusal: refusal,
	}
	if a.r.Strict {
		o.Err = refusal
	}
	return o
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
	if !ok || a.ref.InMessage() || a.ref.weaklyTyped() {
		return
	}
	if !strings.HasPrefix(a.ref.MediaType, "text/") || a.r.announced(a.ref) == "" {
		return
	}
	if _, named := param.Parse(a.report.MediaType).Get("charset"); named && !a.ref.defaultType() {
		return
	}
	a.report.MediaType = string(param.AppendParam([]byte(a.ref.MediaType+"; "), "charset", charset))
	if a.resp.URL.Scheme != "data" || !strings.EqualFold(charset, "us-ascii") {
		a.report.Warnings = append(a.report.Warnings, Diag{Code: diagServerCharset})
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
	want := a.ref.Size
	got := a.resp.Size
	unknown := want < 0 || got < 0
	if unknown || got == want {
		return nil
	}
	if enc.Hides() || strings.HasPrefix(a.ref.MediaType, "text/") {
		return nil
	}
	if got > 1<<20 && (got-1<<20)/10 > want {
		// The consent was to the announced size (HT-19).
		o := a.sizeObjection(a.ref, want, got)
		o.Err = a.fail(fetch.TooLarge, "the server announces %d octets, the reference %d", got, want)
		if err := a.judge(o); err != nil {
			return err
		}
	}
	return a.warn(fetch.SizeMismatch, diagAnnouncedMismatch, "size")
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

// checkPage refuses a page or message that arrived instead of a file. Hosts answer every
// link. A page that asks for a login, or reports that the file is gone, must not become
// the file. The announced name, type and size, and the first octets, distinguish the
// two. These octets are read here and given out later. A standard part is judged only
// if it is known how a file of its type starts, or if it has a name, is announced as
// application/octet-stream, which says nothing, and the server sends HTML.
func (a *admission) checkPage(enc message.Encoding) error {
	scheme := a.resp.URL.Scheme
	if enc.Hides() || scheme != "http" && scheme != "https" {
		return nil
	}
	want := interstitial.Expect{Name: a.ref.Name, MediaType: a.r.announced(a.ref), Size: max(a.ref.Size, 0)}
	guess := false // no announced fact excludes HTML
	if !a.ref.weaklyTyped() {
		want.Name = ""
		if known, _ := interstitial.Begins(want, nil); !known {
			html := a.served.Type == "text/html" || a.served.Type == "application/xhtml+xml"
			if a.ref.Name == "" || want.MediaType != "application/octet-stream" || !html {
				return nil
			}
			want.Name = a.ref.Name
			known, _ = interstitial.Begins(want, nil)
			guess = !known
		}
	}
	if a.resp.Capture == fetch.CaptureRendition {
		return nil // its fetcher has judged it, by the format that it asked for
	}
	head := make([]byte, interstitial.HeadBytes)
	n, err := io.ReadFull(a.resp.Body, head)
	size := a.resp.Size
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		if e, ok := errors.AsType[*fetch.Error](err); ok {
			return e
		}
		size = int64(n)
	case err != nil:
		return err
	}
	verdict := interstitial.Judge(
		want,
		interstitial.Got{MediaType: a.resp.MediaType, Disposition: a.resp.Header.Get("Content-Disposition"), Size: size, Head: head[:n]},
	)
	if verdict.Page && !(guess && verdict.Reason == interstitial.Unknown) {
		return a.fail(fetch.Interstitial, "a page where a file was expected: %s", verdict.Reason)
	}
	a.resp.Body = bodyOf(io.MultiReader(bytes.NewReader(head[:n]), a.resp.Body), a.resp.Body)
	return nil
}

// learnType takes the media type from the server.
func (a *admission) learnType(served string) error {
	if served == "" {
		return a.fail(fetch.TypeMismatch, "neither the reference nor the server names a media type")
	}
	isServed := func(t string) bool { return strings.EqualFold(t, served) }
	if accept := a.r.SIP.Accept; len(accept) > 0 && !slices.ContainsFunc(accept, isServed) {
		return a.fail(fetch.TypeMismatch, "the server sends %.80q, which is not accepted", a.cut(served))
	}
	a.report.MediaType = a.resp.MediaType
	return nil
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
		isTooLong := func(v string) bool { return len(v) > maxValue }
		if values := h[name]; len(values) > 0 && !slices.ContainsFunc(values, isTooLong) {
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

// promises returns the claims of a Reference, with those that SIP adds.
func (r *Resolver) promises(ref *Reference) []claim {
	ps := ref.claims()
	if r.SIP != nil {
		ps = append(ps, ref.sipHash()...)
	}
	return ps
}

func (r *Resolver) others(alts []*Reference) *others {
	o := &others{of: make(map[*Reference]*claimSet)}
	same := make(map[string]*claimSet)
	for _, alt := range alts {
		c := &claimSet{ref: alt, size: -1}
		if alt.Dialect == "" {
			c.mediaType = r.announced(alt)
			if r.Judge != nil || r.Strict {
				c.size = alt.Size
			}
		}
		key := fmt.Sprintf("%s %d", c.mediaType, c.size)
		for _, p := range r.promises(alt) {
			if p.sum != nil {
				c.promises = append(c.promises, p)
				key += fmt.Sprintf(" %s %x", p.name, p.sum)
			}
		}
		if same[key] == nil {
			same[key] = c
			o.claimSets = append(o.claimSets, c)
		}
		o.of[alt] = same[key]
	}
	return o
}
