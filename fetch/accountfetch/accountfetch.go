// Package accountfetch gets linked files by the API of their host, with the account of the person who got the mail,
// and in the version that was in force at a given time. It is a layer above package sharefetch, and contacts no
// host itself.
//
// Inside an organisation most links want a login. The API of the file host gives the file to the account of a
// person who may see it, with its name and digests, and mostly the versions that it had.
//
// # When an account is used
//
//   - An [Account] lists the hosts whose links it is for. Only links with the scheme https and without a port
//     are asked for with it, and none with userinfo. A link of any other host never leads to a token.
//   - With Account.First, and for a Request with AsOf, the account is used first. A file that it may not see, or
//     that is not there for it, is then asked for without it, if package sharefetch knows the link.
//   - Otherwise the link is asked for without the account, which is used if that gives Credentials, Forbidden,
//     NotFound, Interstitial or Unsupported.
//   - At a host whose links package sharefetch does not know, the account alone is used: without it a
//     page of the host would be taken for the file.
//   - A token that the API refuses is asked for once more. If that does not help, the error is Credentials, and
//     nothing is asked for without the account. So a login that has ended does not change which version is
//     delivered.
//
// # The requests and their hosts
//
// The API is asked by https alone. The requests never accept a share for good, acknowledge that a file may be
// harmful, or change anything. The token is sent to the origin of Account.Base and to no other. The URL that the
// API gives for the octets is a credential. It is asked for without the token, and errors, Response and Exchange
// have only its origin. fetch.Request.CheckHop is asked about the origin of the API, and about the origin of each
// host that the API leads to. The Guard of the API's Fetcher judges each socket. A next page that is not below the
// base is Blocked. Errors have the status and the error code of the API, such as accessDenied, and nothing else
// from its answer. The host of the octets is not the API: a refusal by it asks for no other token, and its answer is
// not quoted. An Exchange has no URL of another origin that the API named.
//
// # Versions
//
// A Request with AsOf gets the newest version that was made at that time or before, as the host reports it. The
// Capture of the Response is then [fetch.CaptureVersion]. If that version is not to be had, the present one is
// delivered, its Capture is [fetch.CaptureCurrent], and record.Object has the reason in History. A document of
// Google's own is a [fetch.CaptureRendition] of today.
//
// The digests of the API are compared with the octets. A present version that was replaced while it was fetched
// is Unavailable. The size is not compared, as some hosts announce a wrong one, but a size above MaxBytes
// is TooLarge before any octet. A page of HTML in place of a file is Interstitial. A body that breaks off goes on
// where the host sends the rest of the same object, by a new URL of the API.
//
// No answer is stored or given to another request.
package accountfetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// New returns a Fetcher that gets the links of accounts through api, and all else from next. The first account
// whose Hosts have the host of a link is the one for it. New panics if [Account.Check] returns an error.
//
// next is a Fetcher for http and https, mostly the one of sharefetch. api must be a bare Fetcher for https
// that stores nothing, such as package throttle above package httpfetch. Package safefetch has both, see
// Accounts of its Options. Several goroutines may use the Fetcher that New returns.
func New(next, api fetch.Fetcher, accounts ...Account) driver.Inspector {
	f := &fetcher{Layer: driver.Layer{Next: next}, api: api}
	for _, a := range accounts {
		if err := a.Check(); err != nil {
			panic("accountfetch: New: " + err.Error())
		}
		f.accounts = append(f.accounts, newAccount(a))
	}
	return f
}

type fetcher struct {
	driver.Layer
	api      fetch.Fetcher
	accounts []*account
}

// match returns the account for a request, and the link, or nil.
func (f *fetcher) match(req *fetch.Request) (*account, *link) {
	text := req.RawURL()
	u, ok := weburl.Parse(text)
	if !ok || req.Login == fetch.LoginAnonymous || req.URL.User != nil {
		return nil, nil
	}
	i := slices.IndexFunc(f.accounts, func(a *account) bool { return a.serves(u) })
	if i < 0 {
		return nil, nil
	}
	var known *sharelink.Link
	if table, err := sharelink.NewTable(req.ShareHosts); err == nil {
		known, _ = table.Match(text)
	}
	if known == nil {
		known = new(sharelink.Link)
	}
	if known.EndToEnd || known.Kind == sharelink.Folder {
		return nil, nil // which sharefetch refuses
	}
	return f.accounts[i], &link{text, known}
}

// Account returns the account with which Fetch may ask for req, or nil, for a Plan.
func (f *fetcher) Account(req *fetch.Request) *record.Account {
	if a, _ := f.match(req); a != nil {
		return a.facts
	}
	return f.Layer.Account(req)
}

// Check implements [driver.Inspector]. A link that gives nothing without a login is not refused if there is an
// account for it.
func (f *fetcher) Check(req *fetch.Request) error {
	a, _ := f.match(req)
	if a == nil {
		return f.Layer.Check(req)
	}
	i, ok := f.api.(driver.Inspector)
	if !ok {
		return nil
	}
	ask := *req
	ask.URL = a.base
	ask.Text = ""
	return i.Check(&ask)
}

// CloseIdleConnections implements [driver.Inspector].
func (f *fetcher) CloseIdleConnections() {
	f.Layer.CloseIdleConnections()
	if i, ok := f.api.(driver.Inspector); ok {
		i.CloseIdleConnections()
	}
}

// Fetch implements [fetch.Fetcher].
func (f *fetcher) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if c := req.Conditions; c != nil {
		if s, ok := c.Session.(*session); ok {
			return s.rest(ctx, req)
		}
	}
	a, l := f.match(req)
	if a == nil {
		return f.Layer.Fetch(ctx, req)
	}
	c := &call{ctx: ctx, api: f.api, req: req, account: a, link: l}
	isKnown := l.Provider != ""
	if !isKnown || a.First || !req.AsOf.IsZero() {
		return f.withFirst(c, isKnown)
	}
	resp, before := f.Layer.Fetch(ctx, req)
	if before == nil || !isRefused(before) {
		return resp, before
	}
	it, err := c.find()
	if err == nil {
		resp, err = c.deliver(it)
	}
	if err != nil {
		cause := err
		if e, ok := errors.AsType[*fetch.Error](err); ok && e.Err != nil {
			cause = e.Err // whose text has no Kind
		}
		cause = fmt.Errorf("%w; without an account: %s", cause, fetch.KindOf(before))
		return nil, &fetch.Error{Kind: fetch.KindOf(err), Err: cause, After: fetch.AfterOf(err)}
	}
	return resp, nil
}

// withFirst asks with the account, and without it if the account may not see the file and isKnown is set for the link.
func (f *fetcher) withFirst(c *call, isKnown bool) (*fetch.Response, error) {
	it, err := c.find()
	if err == nil {
		return c.deliver(it)
	}
	k := fetch.KindOf(err)
	isAbsent := k == fetch.Forbidden || k == fetch.NotFound
	if !isKnown || !isAbsent {
		return nil, err
	}
	resp, other := f.Layer.Fetch(c.ctx, c.req)
	if other != nil {
		return nil, err
	}
	if !c.req.AsOf.IsZero() {
		driver.OfResponse(resp).Object = &record.Object{Account: c.account.Name, History: "not-by-account"}
	}
	return resp, nil
}

// isRefused reports whether an account may get a file that was refused without one.
func isRefused(err error) bool {
	kinds := []fetch.Kind{fetch.Credentials, fetch.Forbidden, fetch.NotFound, fetch.Interstitial, fetch.Unsupported}
	return slices.Contains(kinds, fetch.KindOf(err))
}

// find asks the API for the item of the link. The way to it is a redirect by our own knowledge.
func (c *call) find() (*item, error) {
	if err := driver.Hop(c.ctx, c.req, c.req.URL, originOf(c.account.base)); err != nil {
		return nil, err
	}
	return c.account.provider.find(c, c.link)
}

// deliver gets the octets of an item, in the version that is asked for.
func (c *call) deliver(it *item) (*fetch.Response, error) {
	switch {
	case it.folder:
		return nil, errFolder
	case it.native:
		return nil, errNative
	}
	p := c.account.provider
	v, err := choose(p, c, it, c.req.AsOf)
	if err != nil {
		return nil, err
	}
	if most := c.req.MaxBytes; most >= 0 && v.size > cmp.Or(most, fetch.DefaultMaxBytes) {
		return nil, &fetch.Error{Kind: fetch.TooLarge, Err: fmt.Errorf("%d octets, by the API", v.size)}
	}
	resp, err := p.open(c, it, v.version)
	if k := fetch.KindOf(err); v.id != "" && (k == fetch.NotFound || k == fetch.Gone) {
		v = choice{version: it.current, history: "deleted"}
		resp, err = p.open(c, it, v.version)
	}
	if err != nil {
		return nil, err
	}
	if isPage(resp, it) {
		driver.End(driver.OfResponse(resp).Exchange, errPage)
		resp.Body.Close()
		return nil, errPage
	}
	c.complete(resp, it, v)
	return resp, nil
}

var (
	errPage    = &fetch.Error{Kind: fetch.Interstitial, Err: errors.New("a page where a file was expected")}
	errChanged = &fetch.Error{Kind: fetch.Unavailable, Err: errors.New("the file was changed while it was fetched")}
)

// isPage reports whether a page came instead of it.
func isPage(resp *fetch.Response, it *item) bool {
	if !strings.HasPrefix(strings.ToLower(resp.MediaType), "text/html") {
		return false
	}
	name := strings.ToLower(it.name)
	return it.mediaType != "text/html" && !strings.HasSuffix(name, ".html") && !strings.HasSuffix(name, ".htm")
}

// complete adds the facts of the API to the answer with the octets of v.
func (c *call) complete(resp *fetch.Response, it *item, v choice) {
	part := driver.OfResponse(resp)
	part.Object = c.object(it, v)
	resp.MediaType = cmp.Or(it.mediaType, resp.MediaType)
	switch {
	case it.rendition:
		resp.Capture = fetch.CaptureRendition
		return // whose octets the API does not describe
	case !c.req.AsOf.IsZero() && v.history == "":
		resp.Capture = fetch.CaptureVersion
	default:
		resp.Capture = fetch.CaptureCurrent
	}
	isPresent := v.id == ""
	part.Digests = append(part.Digests, v.digests...)
	part.Differs = func(check fetch.Check) error { return c.differs(check, it, isPresent) }
	if resp.Capture == fetch.CaptureVersion && isPresent && len(v.digests) == 0 {
		resp.Body = &watched{resp.Body, func() error { return c.unchanged(it) }}
	}
}

// object returns the facts of the API for records.
func (c *call) object(it *item, v choice) *record.Object {
	id := strings.Trim(it.drive+"/"+it.id, "/")
	if c.shown(id) != id {
		id = "" // it is a piece of the link
	}
	return &record.Object{
		Account: c.account.Name, ID: id, Name: it.name, Size: v.size,
		Version: v.name, Modified: v.modified, Until: v.until, History: v.history,
	}
}

// differs returns the error of octets whose digest is not the one of the API, and nil if it is to be noted alone.
func (c *call) differs(check fetch.Check, it *item, isPresent bool) error {
	if c.account.NoteDigests {
		return nil
	}
	if isPresent {
		if err := c.unchanged(it); fetch.KindOf(err) == fetch.Unavailable {
			return err
		}
	}
	return &fetch.Error{Kind: fetch.DigestMismatch, Err: fmt.Errorf("the %s of the API disagrees", check.Name)}
}

// unchanged returns nil if it is still the file that find has found, and otherwise an error.
func (c *call) unchanged(it *item) error {
	now, err := c.account.provider.find(c, c.link)
	switch {
	case err != nil:
		return err
	case now.tag != it.tag || !now.current.modified.Equal(it.current.modified):
		return errChanged
	}
	return nil
}

// A watched body ends with an error if the object was replaced while it was read.
type watched struct {
	io.ReadCloser
	unchanged func() error
}

// Read implements [io.Reader].
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if err != io.EOF {
		return n, err
	}
	if e := w.unchanged(); e != nil {
		return n, e
	}
	return n, io.EOF
}
