package httpfetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

// follow returns where the redirect at a URL leads, if it may be followed.
// again allows it to lead to where the fetch has been.
func (f *Fetcher) follow(ctx context.Context, req *fetch.Request, hops []*url.URL, at *url.URL, h http.Header, again bool) (*url.URL, error) {
	to, err := f.location(at, h["Location"])
	if err != nil {
		return nil, err
	}
	if len(hops) >= max(req.MaxRedirects, 0) {
		return nil, protocol("more than %d redirects", max(req.MaxRedirects, 0))
	}
	text := to.String()
	if !again && (text == at.String() || slices.ContainsFunc(hops, func(u *url.URL) bool { return u.String() == text })) {
		return nil, protocol("a redirect loop")
	}
	if err := req.Hop(ctx, at, to); err != nil {
		return nil, err
	}
	return to, nil
}

// location resolves the value of Location against the URL that was asked for
// (RFC 9110 section 10.2.2) and judges it.
func (f *Fetcher) location(at *url.URL, values []string) (*url.URL, error) {
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

var errDowngrade = &fetch.Error{Kind: fetch.Blocked, Err: fetch.CauseDowngrade.With(errors.New("a redirect from https to http"))}

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

func protocol(format string, args ...any) error {
	return &fetch.Error{Kind: fetch.Protocol, Err: fmt.Errorf(format, args...)}
}

func blocked(format string, args ...any) error {
	return &fetch.Error{Kind: fetch.Blocked, Err: fmt.Errorf(format, args...)}
}
