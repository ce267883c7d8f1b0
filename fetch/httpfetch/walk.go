package httpfetch

import (
	"context"
	"maps"
	"net/http"
	"net/url"

	"github.com/go-extbody/extbody/fetch"
)

// A walk is one fetch on its way through redirects, logins and repetitions to
// the answer that counts.
type walk struct {
	f       *Fetcher
	req     *fetch.Request
	header  http.Header // of every request
	at      *url.URL    // the next request
	hops    []*url.URL
	logins  *logins
	cookies *cookies // nil if none are taken
}

// step sends one request. It returns neither a Response nor an error if there
// is another one to send.
func (w *walk) step(ctx context.Context) (*fetch.Response, error) {
	if err := w.req.Contact(ctx, w.at); err != nil {
		return nil, err
	}
	header := w.header
	if w.f.own && w.at.Scheme == "http" {
		header = unsecured(header)
	}
	header = withConditions(header, w.req.Conditions, w.at)
	if value := w.logins.at(w.at); value != "" {
		header = with(header, "Authorization", value)
	}
	if value := w.cookies.at(w.at); value != "" {
		header = with(header, "Cookie", value)
	}
	x, err := w.f.exchange(ctx, w.req, w.at, header, len(w.hops))
	if err == error(errStale) {
		return nil, nil // which is another contact
	}
	if err != nil {
		return nil, err
	}
	changed := w.cookies.take(w.at, x.resp)
	status := Status(x.resp.StatusCode)
	switch {
	case status == http.StatusOK || status == http.StatusNonAuthoritativeInfo:
		return w.deliver(x.response(w.at, w.hops)), nil
	case status == http.StatusNotModified && revalidates(header):
		return x.notModified(w.at, w.hops), nil
	case status == http.StatusPartialContent && header["Range"] != nil:
		resp, err := x.partial(w.at, w.hops, w.req.Conditions)
		if err != nil {
			x.discard(err)
			return nil, err
		}
		return w.deliver(resp), nil
	case status.redirects():
		x.discard(nil)
		return nil, w.redirect(ctx, x.resp.Header, changed)
	}
	err = unwilling(status, x.resp.Header)
	x.discard(err)
	if status == http.StatusUnauthorized {
		if again, e := w.logins.ask(ctx, w.at, x.resp.Header); again || e != nil {
			return nil, e
		}
	}
	return nil, err
}

// deliver returns resp, whose rest is asked for with the same cookies.
func (w *walk) deliver(resp *fetch.Response) *fetch.Response {
	if resp.Resume != nil && w.cookies != nil {
		resp.Resume.Session = w.cookies
	}
	return resp
}

// redirect goes where a redirect leads. A URL that was visited may be so again
// if there are new cookies for it.
func (w *walk) redirect(ctx context.Context, h http.Header, again bool) error {
	to, err := w.f.follow(ctx, w.req, w.hops, w.at, h, again)
	if err != nil {
		return err
	}
	w.hops, w.at = append(w.hops, w.at), to
	w.req.Report(fetch.Event{Phase: fetch.Redirecting, Total: -1, Hop: len(w.hops)})
	return nil
}

// revalidates reports whether a request asks if the object has changed.
func revalidates(h http.Header) bool {
	return h["If-None-Match"] != nil || h["If-Modified-Since"] != nil
}

// with returns a copy of h with one more field.
func with(h http.Header, name, value string) http.Header {
	c := maps.Clone(h)
	c[name] = []string{value}
	return c
}
