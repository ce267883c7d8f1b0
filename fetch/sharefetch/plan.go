package sharefetch

import (
	"cmp"
	"context"
	"errors"
	"net/url"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/link/interstitial"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// plan returns the request for the file that link leads to, or for the answer that names
// it. link is the URL of req.
func plan(req *fetch.Request, link *sharelink.Link) (*fetch.Request, error) {
	switch {
	case link.EndToEnd:
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errEndToEnd}
	case link.Kind == sharelink.Folder:
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errFolder}
	case link.Kind == sharelink.Native && link.Direct == "":
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errNoExport}
	case link.Ask != "":
	case link.Needs == sharelink.NeedsAccount:
		return nil, &fetch.Error{Kind: fetch.Credentials, Err: errAccount}
	case link.Needs == sharelink.NeedsProgram:
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errProgram}
	case link.Direct == "":
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errNoFile}
	}
	u, err := url.Parse(cmp.Or(link.Direct, link.Ask))
	if err != nil {
		return nil, &fetch.Error{Kind: fetch.Malformed, Err: errors.New("the address of the file is no URL")}
	}
	ask := *req
	ask.URL = u
	ask.Text = ""
	ask.Cookies = req.Cookies || link.Cookies
	driver.OfRequest(&ask).Once = driver.OfRequest(req).Once || link.Once
	if u, _ := weburl.Parse(req.RawURL()); link.Ask != "" && link.Ask != u.String() {
		ask.MediaType = ""
		ask.Name = ""
		ask.Size = 0
	}
	if link.Rendition {
		ask.MediaType = link.MediaType // the announced type belongs to the document
	}
	if leaves(req, &ask) {
		ask.MaxRedirects = remaining(req.MaxRedirects)
		if report := req.Progress; report != nil {
			ask.Progress = func(e fetch.Event) {
				e.Hop++
				report(e)
			}
		}
		if observe := req.Observe; observe != nil {
			ask.Observe = func(x *fetch.Exchange) {
				later := *x // others may observe it as well
				later.Hop++
				observe(&later)
			}
		}
	}
	return &ask, nil
}

// remaining returns the limit on redirects after one. Where none is left it is
// negative, since 0 stands for the default.
func remaining(limit int) int {
	limit = cmp.Or(limit, fetch.DefaultMaxRedirects)
	if limit--; limit <= 0 {
		return -1
	}
	return limit
}

// leaves reports whether ask is for another site than req, which then is a
// redirect by our own knowledge.
func leaves(req, ask *fetch.Request) bool {
	from, ok := weburl.Parse(req.RawURL())
	to, ok2 := weburl.Parse(ask.RawURL())
	return !ok || !ok2 || !from.SameSite(to)
}

// allow asks whether ask may follow req, as for a redirect of a server, and
// reports it.
func allow(ctx context.Context, req, ask *fetch.Request) error {
	if req.MaxRedirects < 0 {
		return &fetch.Error{Kind: fetch.Protocol, Err: errRedirect}
	}
	if err := driver.Hop(ctx, req, req.URL, ask.URL); err != nil {
		return err
	}
	driver.Report(req, fetch.Event{Phase: fetch.Redirecting, Total: -1, Hop: 1})
	return nil
}

// clone returns a copy for a caller, who might change it.
func clone(u *url.URL) *url.URL {
	c := *u
	return &c
}

// expectation returns the facts about the file that the reference announces, or else
// the link. An export has the type that was asked for, and neither the name nor
// the size of the document.
func expectation(req *fetch.Request, link *sharelink.Link) interstitial.Expect {
	if link.Rendition {
		return interstitial.Expect{MediaType: link.MediaType}
	}
	want := interstitial.Expect{Name: req.Name, MediaType: req.MediaType, Size: req.Size}
	want.Name = cmp.Or(want.Name, link.Name)
	if want.Size <= 0 {
		want.Size = link.Size
	}
	return want
}
