package httpfetch

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/host"
)

// A walk is one fetch on its way through redirects, logins and repetitions to
// the answer that counts.
type walk struct {
	f       *fetcher
	req     *fetch.Request
	header  http.Header // of every request
	first   *url.URL    // the first request
	at      *url.URL    // the next request
	hops    []*url.URL
	logins  *logins
	cookies *cookies // nil if none are taken
}

// step sends one request. It returns neither a Response nor an error if there
// is another one to send.
func (w *walk) step(ctx context.Context) (*fetch.Response, error) {
	if err := driver.Contact(ctx, w.req, w.at); err != nil {
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
	c := newCall(w.req, w.first, w.at)
	x, err := w.f.exchange(ctx, w.req, w.at, c.add(header), len(w.hops), c)
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
	case status == http.StatusNotModified && (header["If-None-Match"] != nil || header["If-Modified-Since"] != nil):
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
	if driver.OfResponse(resp).Resume != nil && w.cookies != nil {
		driver.OfResponse(resp).Resume.Session = w.cookies
	}
	return resp
}

// redirect goes where a redirect leads, if it may be followed. A URL that was visited
// may be so again if there are new cookies for it.
func (w *walk) redirect(ctx context.Context, h http.Header, again bool) error {
	to, err := w.f.location(w.at, h["Location"])
	if err != nil {
		return err
	}
	if most := max(w.req.MaxRedirects, 0); len(w.hops) >= most {
		return protocol("more than %d redirects", most)
	}
	hops := append(w.hops, w.at)
	if !again && slices.ContainsFunc(hops, func(u *url.URL) bool { return u.String() == to.String() }) {
		return protocol("a redirect loop")
	}
	if err := driver.Hop(ctx, w.req, w.at, to); err != nil {
		return err
	}
	w.hops = hops
	w.at = to
	driver.Report(w.req, fetch.Event{Phase: fetch.Redirecting, Total: -1, Hop: len(w.hops)})
	return nil
}

// with returns a copy of h with one more field.
func with(h http.Header, name, value string) http.Header {
	c := maps.Clone(h)
	c[name] = []string{value}
	return c
}

// location resolves the value of Location against the URL that was asked for
// (RFC 9110 section 10.2.2) and judges it.
func (f *fetcher) location(at *url.URL, values []string) (*url.URL, error) {
	if len(values) != 1 {
		return nil, protocol("a redirect with %d Location fields", len(values))
	}
	ref, err := parseLocation(values[0])
	if err != nil {
		return nil, err
	}
	to := at.ResolveReference(ref)
	switch {
	case to.Opaque != "" || to.Host == "":
		return nil, blocked("a redirect to a URL without a host")
	case downgrades(at, to):
		return nil, errDowngrade
	}
	return f.target(to) // which refuses other schemes
}

var errDowngrade = &fetch.Error{
	Kind: fetch.Blocked, Err: fetch.CauseDowngrade.With(errors.New("a redirect from https to http")),
}

// downgrades reports whether a redirect gives up TLS.
func downgrades(at, to *url.URL) bool { return at.Scheme == "https" && to.Scheme == "http" }

// parseLocation parses a URL reference. It refuses backslashes and the empty authority of
// "///", which browsers read in another way than RFC 3986.
//
// QUIRK: RFC 9110 wants a URI reference, in ASCII. Servers send raw spaces and
// UTF-8. Browsers percent-encode them; net/url does so in paths, and target in
// queries.
func parseLocation(text string) (*url.URL, error) {
	switch {
	case len(text) > fetch.MaxURLBytes:
		return nil, protocol("a Location longer than %d octets", fetch.MaxURLBytes)
	case strings.IndexByte(text, '\\') >= 0:
		return nil, blocked("a backslash in Location")
	case strings.HasPrefix(text, "///"):
		return nil, blocked("a redirect to a URL without a host")
	}
	ref, err := url.Parse(text)
	if err != nil {
		return nil, protocol("a Location that is no URL")
	}
	return ref, nil
}

var (
	errNoHost   = &fetch.Error{Kind: fetch.Malformed, Err: errors.New("no host")}
	errPath     = &fetch.Error{Kind: fetch.Malformed, Err: errors.New("the path does not begin with a slash")}
	errControl  = &fetch.Error{Kind: fetch.Malformed, Err: errors.New("a control character in the URL")}
	errUserinfo = &fetch.Error{Kind: fetch.Blocked, Err: fetch.CauseCredentials.With(errors.New("userinfo in the URL"))}
)

// target judges u and returns a copy in the one form that is dialed, sent and
// reported: scheme and host canonical, no default port, no fragment (RFC 9110
// section 4.2.5), and no octet in the query that would end the request line.
func (f *fetcher) target(u *url.URL) (*url.URL, error) {
	scheme := strings.ToLower(u.Scheme)
	if scheme != "http" && scheme != "https" {
		return nil, blocked("the scheme is %.20q, not http or https", scheme)
	}
	if u.Host == "" {
		return nil, errNoHost
	}
	host, port, err := f.guard.Authority(u)
	if err != nil {
		return nil, err
	}
	if u.User != nil {
		// RFC 9110 section 4.2.4. We would not send it, whatever the guard allows.
		return nil, errUserinfo
	}
	if u.Path != "" && u.Path[0] != '/' {
		return nil, errPath
	}
	if strings.ContainsFunc(u.RawQuery, isControl) {
		return nil, errControl
	}
	return &url.URL{
		Scheme:     scheme,
		Host:       authority(scheme, host, port),
		Path:       u.Path,
		RawPath:    u.RawPath,
		RawQuery:   string(percent.AppendEncode(nil, u.RawQuery, &queryEscapes)),
		ForceQuery: u.ForceQuery,
	}, nil
}

// authority joins a canonical host and a port, leaving out the port that is the
// default of the scheme.
func authority(scheme, name string, port uint16) string {
	if port != 0 && port != host.Port(scheme) {
		return net.JoinHostPort(name, strconv.Itoa(int(port)))
	}
	if strings.IndexByte(name, ':') >= 0 {
		return "[" + name + "]"
	}
	return name
}

// queryEscapes has the octets of a query that net/url leaves as they are.
var queryEscapes = percent.NewSet(func(c byte) bool { return c == ' ' || c >= 0x80 })
