package externalbody

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/netx/pausable"
)

// sharedFile returns the URL of the file whose page asked led to, or nil if that is not
// known. Any host may run Nextcloud. Only the writer of the reference knows it: the
// FileLink add-on for such a server writes the address of the page,
// "https://HOST/s/TOKEN". The file is below it, at "/download", as the documentation of
// Nextcloud says. sharedFile returns it only if the page is at the same host and the
// link has no query.
func (r *Reference) sharedFile(asked, page *url.URL) *url.URL {
	const filelink = "filelink" // of package dialect
	if page == nil || r.Dialect != filelink || r.link != nil {
		return nil
	}
	if page.Scheme != asked.Scheme || page.Host != asked.Host {
		return nil
	}
	if token := shareToken(asked); token == "" || token != shareToken(page) {
		return nil // it is another page, such as a login
	}
	file := *page
	file.Path = strings.TrimSuffix(page.Path, "/") + "/download"
	file.RawPath = ""
	return &file
}

// sharePath matches the end of the path of a share of Nextcloud, with its token.
var sharePath = lazyregexp.New(`/s/([0-9A-Za-z_-]{4,})/?$`)

// shareToken returns the token of a share of Nextcloud, or "".
func shareToken(u *url.URL) string {
	match := sharePath().FindStringSubmatch(u.EscapedPath())
	if match == nil || u.RawQuery != "" {
		return ""
	}
	return match[1]
}

// Plan returns the Plan to resolve ref. It is never nil.
func (r *Resolver) Plan(ref *Reference) *Plan {
	p, req := r.plan(ref)
	r.setID(context.Background(), p, ref, req)
	return p
}

// plan returns the Plan without an ID, and the Request if there can be one.
func (r *Resolver) plan(ref *Reference) (*Plan, *fetch.Request) {
	p := &Plan{
		Ref:      ref,
		Sender:   ref.sender(),
		MaxBytes: r.maxBytes(),
		Expired:  r.expired(ref),
		Diags:    slices.Clone(ref.Diags),
		anyType:  r.announced(ref) != ref.MediaType,
		strict:   r.Strict,
		judged:   r.Judge != nil,
		secret:   ref.secret(),
		message:  ref.message(),
	}
	if p.mediaType() != "" && ref.Dialect == "" {
		p.Checks = append(p.Checks, "media-type")
	}
	if ref.Size >= 0 {
		p.Checks = append(p.Checks, "size")
	}
	for _, d := range r.promises(ref) {
		if d.sum != nil {
			p.Checks = append(p.Checks, d.name)
		}
	}
	if r.SIP != nil {
		p.Diags = append(p.Diags, ref.sipDiags()...)
	}
	if p.Expired {
		p.Diags = append(p.Diags, Diag{Code: diagExpired, Param: "expiration"})
	}
	req, diags, err := r.request(ref)
	if err != nil {
		p.refuse(err)
		return p, nil
	}
	p.Diags = append(p.Diags, diags...)
	p.address = r.sendsAddress(req.URL.Scheme)
	found := ref.url()
	p.setURL(req, found)
	if ref.IsPicture() && !p.Local() {
		p.Discloses = append(p.Discloses, Disclosure{"the sender", "reading"})
	}
	if ref.long != nil && req.Open != nil {
		p.URL = ref.long.shown()
	}
	p.setLink(cmp.Or(ref.link, found.link)) // a standard part can refer to one, too
	if a, ok := r.Fetcher.(accountant); ok && !p.Local() {
		p.setAccount(a.Account(req), req.AsOf)
	}
	if err := r.refusal(ref, p, req); err != nil {
		p.refuse(err)
	}
	return p, req
}

// request returns the Request of ref with the limits of r, and the faults that were
// forgiven to make it. The caller's own rule for the access type comes first, if there is
// one.
func (r *Resolver) request(ref *Reference) (*fetch.Request, []Diag, error) {
	if err := ref.usable(r.Strict); err != nil {
		return nil, nil, err
	}
	var req *fetch.Request
	var diags []Diag
	var err error
	own := r.AccessTypes[ref.AccessType]
	if own != nil {
		req, err = own(ref)
	}
	switch {
	case own == nil:
		req, diags, err = ref.request(locateOptions{base: r.BaseURL, anySite: r.AnySite})
	case err != nil:
		err = ref.fault(fetch.KindOr(err, fetch.Malformed), "", err)
	case req == nil:
		err = ref.fault(fetch.Malformed, "", errors.New("its access type gives no request"))
	default:
		req = new(*req)
	}
	if err != nil {
		return nil, nil, err
	}
	req.MediaType = r.announced(ref)
	req.GuessedHosts = r.GuessedHosts
	if r.SIP != nil {
		req.Accept = r.SIP.Accept
	}
	if r.AsOf != nil {
		req.AsOf = r.AsOf(ref)
	}
	req.MaxBytes = r.maxBytes()
	req.Timeouts = r.Timeouts
	req.Credentials = r.Credentials
	if r.Progress != nil {
		req.Progress = func(e fetch.Event) { r.Progress(ref, e) }
	}
	return req, diags, nil
}

// refusal returns why resolving would fail before anybody is contacted.
func (r *Resolver) refusal(ref *Reference, p *Plan, req *fetch.Request) error {
	refuse := func(kind fetch.Kind, err error) error {
		return &fetch.Error{Op: "resolve", URL: p.URL, Kind: kind, Err: err}
	}
	if p.Expired && (r.RefuseExpired || r.SIP != nil) {
		return refuse(fetch.Expired, fmt.Errorf("since %s", ref.Expiration.UTC().Format(time.RFC3339)))
	}
	if r.SIP != nil {
		if err := r.sipRefusal(ref); err != nil {
			return err
		}
	}
	l := cmp.Or(ref.link, new(sharelink.Link))
	switch {
	case r.maxBytes() >= 0 && ref.Size > r.maxBytes():
		return refuse(fetch.TooLarge, fmt.Errorf("%d octets announced, %d allowed", ref.Size, r.maxBytes()))
	case req.URL.Scheme == "cid" && ref.source == nil:
		return refuse(fetch.Unsupported, ErrWholeMessage)
	case within(req.URL.Scheme):
		return nil
	case l.EndToEnd:
		return refuse(fetch.Unsupported, errors.New("encrypted end to end, with a key that the host must not see"))
	case l.Kind == sharelink.Folder && ref.link != nil:
		return refuse(fetch.Unsupported, errors.New("a folder, which is no single object"))
	case l.Guessed && !r.GuessedHosts:
		return refuse(fetch.Blocked, errors.New("a host that is not known to share files, and was not named"))
	case r.Fetcher == nil:
		return refuse(fetch.Unsupported, errors.New("Resolver.Fetcher is not set"))
	}
	if c, ok := r.Fetcher.(inspector); ok {
		return c.Check(req)
	}
	return nil
}

func (r *Resolver) expired(ref *Reference) bool {
	// The date of a deleted attachment is the date of its deletion.
	return !ref.Expiration.IsZero() && ref.AccessType != accessDeleted && time.Now().After(ref.Expiration)
}

// An inspector is the part of a driver.Inspector that a Plan asks.
type inspector interface {
	Check(req *fetch.Request) error
	AnonymousPassword(scheme string) (password string, known bool)
}

// An accountant is a Fetcher that may ask with an account at a file host, such as a fetch.Mux.
type accountant interface {
	Account(req *fetch.Request) *record.Account
}

// sendsAddress reports whether anonymous logins to servers of a scheme may disclose a
// mail address. It is true for a Fetcher that does not report its password.
func (r *Resolver) sendsAddress(scheme string) bool {
	i, ok := r.Fetcher.(inspector)
	if !ok {
		return true
	}
	password, known := i.AnonymousPassword(scheme)
	return !known || isAddrSpec(password)
}

// approve asks Approve, if it is set. No time limit runs meanwhile.
func (r *Resolver) approve(ctx context.Context, p *Plan) error {
	if r.Approve == nil {
		return nil
	}
	release := pausable.Hold(ctx)
	err := r.Approve(ctx, p)
	release()
	if err == nil {
		return nil
	}
	kind := fetch.KindOr(err, fetch.Denied)
	if ctx.Err() != nil && kind == fetch.Denied {
		kind = fetch.Canceled
	}
	return &fetch.Error{Op: "resolve", URL: p.URL, Kind: kind, Err: err}
}

// setID derives the ID from everything that decides which body is fetched and accepted.
// req may be nil. If the message around a body cannot be read, the Plan is refused.
func (r *Resolver) setID(ctx context.Context, p *Plan, ref *Reference, req *fetch.Request) {
	h := identifier{sha256.New()}
	h.add("reference", ref.AccessType, ref.Dialect, ref.Name, fmt.Sprint(ref.Size, ref.shared))
	for _, param := range ref.Params {
		h.add("parameter", param.Name, param.Value)
	}
	for _, f := range ref.Header {
		h.add("field", f.Name, f.Value)
	}
	if len(ref.Promises) > 0 {
		h.add("promises", ref.Promises...)
	}
	for _, d := range ref.Digests {
		h.add("digest", d.Algorithm, string(d.Sum))
	}
	profile := 0
	if r.SIP != nil {
		profile = 1
	}
	if p.Account != nil {
		h.add("account", p.Account.Name, p.Account.User, p.Account.API, p.AsOf.UTC().Format(time.RFC3339Nano))
	}
	h.add("profile", fmt.Sprint(profile, r.Strict, r.RefuseExpired, r.maxBytes()))
	if req != nil {
		h.add("request", req.URL.String(), req.Text, req.MediaType, req.Name, req.ContentID, req.TransferType,
			fmt.Sprint(req.Login, req.Listing, req.Secret, req.Size))
		h.add("accept", req.Accept...)
		if (within(req.URL.Scheme) || req.Open != nil) && ref.source != nil {
			sum, err := ref.source.message.digest(ctx)
			if err != nil {
				p.refuse(unread("resolve", err))
			}
			h.add("message", string(sum[:]))
		}
	}
	p.ID = h.String()
}

// checkHop returns the function that asks Approve again if a redirect leaves the hosts
// that were approved so far, or the encrypted way to one.
func (r *Resolver) checkHop(plan *Plan) func(context.Context, *url.URL, *url.URL) error {
	type way struct {
		host   string
		secure bool
	}
	approved := make(map[way]bool)
	approve := func(p *Plan) {
		approved[way{p.Host, p.Secure}] = true
		approved[way{p.Host, true}] = true // an encrypted way to it shows others less (OP-57)
	}
	approve(plan)
	return func(ctx context.Context, from, to *url.URL) error {
		next := plan.redirected(from, to)
		if approved[way{next.Host, next.Secure}] || plan.covers(to) {
			return nil
		}
		if err := r.approve(ctx, next); err != nil {
			return err
		}
		approve(next)
		return nil
	}
}

// Request returns how Resolve asks for the body of ref. It is [Reference.Request] with
// the limits, the Credentials and the other settings of the Resolver, except its
// Fetcher, Budget and Observe. It uses no network, and does not ask Approve. If Resolve
// would fail because it does not know how to ask, Request returns that error.
func (r *Resolver) Request(ref *Reference) (*fetch.Request, error) {
	req, _, err := r.request(ref)
	return req, err
}

// sipRefusal returns why a Reference is not processed in the sip profile.
func (r *Resolver) sipRefusal(ref *Reference) error {
	if ref.dispositionType() != "by-reference" {
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
