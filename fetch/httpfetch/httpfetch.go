// Package httpfetch fetches http: and https: URLs that strangers wrote.
//
// It sends GET requests that disclose as little as possible: no Referer, nothing from
// the environment, and cookies and credentials only by [fetch.Request].Cookies and
// [fetch.Request].Credentials. It follows redirects
// itself, so that each of them is judged as the first URL was, and it takes
// nothing but a whole 200 answer for the object.
//
// # The request
//
// A request has Host, User-Agent, Accept-Encoding: identity, Want-Repr-Digest
// (RFC 9530 section 4) and, if the Request has a media type, Accept with
// exactly that type (RFC 2017 section 3.1), else with the types that it lists.
// The fragment of a URL stays here.
// The host is written in the canonical form that was judged and dialed.
//
// HTTP/1.1 is spoken, over TLS with ALPN. One body then has one connection: its
// end is defined by one framing, and a body that stalls delays no other.
// Where readers of HTTP differ about the end of a body, the answer is refused before net/http reads it:
// a CR within a line, and white space between the name of a field that delimits the body and its colon.
// A transfer coding in an answer of HTTP/1.0 is undone, as curl and wget do, and needs its last chunk.
//
// Alt-Svc, Refresh and answers before the final one are ignored, and so is
// Content-Transfer-Encoding, which HTTP does not have (RFC 9112 appendix B.5).
//
// # Logins
//
// After an answer 401 that offers Basic or Bearer, or names no method,
// [fetch.Request].Credentials is asked, once for each origin (RFC 9110 section
// 11). Its answer is sent to that origin alone, not to where a redirect leads,
// and only over TLS with a certificate that was verified. Without TLS it is not
// called, unless [Options].AllowPlaintext allows it.
//
// # Redirects
//
// 301, 302, 303, 307 and 308 with one Location are followed, at most
// [fetch.Request].MaxRedirects of them. The target is refused before anything
// is contacted when it
//
//   - has a scheme other than http and https, or goes from https to http (Blocked),
//   - has userinfo, no host, or a backslash (Blocked),
//   - is refused by the guard (Blocked) or by [fetch.Request].CheckHop,
//   - was visited before, or is not a URL (Protocol).
//
// # The object
//
// The object is the body of a 200 answer, or of a 203 answer, which a proxy has changed.
// A 304 answer is accepted where [fetch.Request].Conditions ask whether the object
// has changed, and a 206 answer where they ask for a range, with a strong entity
// tag, and it is that range of that object to its end. Everything else is an
// error whose tree has a [Status]. The server's own words are not quoted in errors.
//
// For 429 and 503 with Retry-After, [fetch.Error].After is the time of the next try. More than a day
// counts as a day. This package does not repeat the request; package throttle does.
//
// This package repeats a request only if its connection had served another request before, and the
// server closed that connection without an answer (RFC 9112 section 9.3.1) or sent octets before the
// request. The repetition is a contact and an Exchange of its own.
//
// # Time
//
// Connect and TLS bound the connection, each time one is made. FirstOctet
// bounds the time from the connection to the end of the header section, for
// each answer, so that a header that trickles does not pass.
//
// # One request for each connection
//
// A server that sends one answer too many, a moment after the right one, has the next request on that
// connection answered with it, and HTTP/1.1 has nothing by which that could be noticed. So a connection
// is closed after one answer, unless [Options].KeepConnections is set. The request does not announce
// that: servers that are asked to close mark the end of some bodies by the end of the connection alone.
// TLS sessions are resumed, for hosts that allow it, which saves most of the work of a new connection.
//
// # Octets that nobody asked for
//
// Octets that a server sends after the end of an answer, or before a request, are part of no
// answer. Where they have come when the connection is closed after its only answer, Exchange.Unasked is
// set, and driver.Response.Unasked reports them.
//
// On a connection that is kept, a request is not written if such octets came before it: the
// connection is closed, and the request is repeated on another as above. Octets that come later are
// taken for the answer. On a new connection they are an error with the
// Kind Protocol. On systems other than Unix, octets that the system
// has not handed over are not found.
package httpfetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// New returns a Fetcher for the schemes http and https. opts may be nil, which means the zero Options.
// Several goroutines may use it at once.
//
// The phases Connecting, Sending and Redirecting are reported; a TLS handshake is part of Connecting,
// since it happens in another goroutine. Check judges the URL alone. Audit does not judge the address of a
// proxy.
func New(opts *Options) driver.Inspector {
	o := opts.withDefaults()
	f := &fetcher{
		guard:     o.Guard.WithPorts(80, 443),
		tls:       o.TLSConfig,
		own:       o.Header != nil,
		fields:    baseHeader(o.Header, o.UserAgent),
		plaintext: o.AllowPlaintext,
		keep:      o.KeepConnections,
	}
	if o.Proxy != nil {
		f.tunnel = newTunnel(o.Proxy, o.TrustProxy, f.guard, f.tls)
	}
	f.transport = &http.Transport{
		DialContext:            apart(f.dial),
		DialTLSContext:         apart(f.dialTLS),
		MaxIdleConns:           128,
		MaxIdleConnsPerHost:    maxIdlePerHost,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
	}
	if !f.keep {
		f.transport.MaxIdleConnsPerHost = -1
	}
	if o.Wrap != nil {
		f.wrapped = o.Wrap(base{f.transport})
		if f.wrapped == nil {
			panic("httpfetch: New: Wrap returned nil")
		}
	}
	return f
}

// maxSessions bounds the TLS sessions that are kept to be resumed.
const maxSessions = 128

// maxIdlePerHost bounds the unused connections to one host and port.
const maxIdlePerHost = 6

// CloseIdleConnections implements [driver.Inspector].
func (f *fetcher) CloseIdleConnections() {
	f.transport.CloseIdleConnections()
	if c, ok := f.wrapped.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// Check implements [driver.Inspector].
func (f *fetcher) Check(req *fetch.Request) error {
	_, err := f.target(req.URL)
	return err
}

// Audit implements [driver.Inspector].
func (f *fetcher) Audit(resp *fetch.Response) error {
	var from *url.URL
	for _, at := range append(slices.Clip(resp.Hops), resp.URL) {
		if _, err := f.target(at); err != nil {
			return err
		}
		if from != nil && downgrades(from, at) {
			return errDowngrade
		}
		from = at
	}
	if addr := resp.RemoteAddr.Addr(); f.tunnel == nil && addr.IsValid() {
		return f.guard.CheckAddr(addr)
	}
	return nil
}

// Fetch implements [fetch.Fetcher].
func (f *fetcher) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	at, err := f.target(req.URL)
	if err != nil {
		return nil, err
	}
	w := &walk{
		f:       f,
		req:     req,
		header:  f.header(req),
		first:   at,
		at:      at,
		logins:  &logins{req: req, plaintext: f.plaintext, known: make(map[string]string)},
		cookies: newCookies(req, at),
	}
	for {
		if resp, err := w.step(ctx); resp != nil || err != nil {
			return resp, err
		}
	}
}

// Options configure a Fetcher. The zero value is the strict policy.
type Options struct {
	// Guard judges every URL and every socket. Ports 80 and 443 are allowed
	// besides its own. nil is the strict Guard.
	Guard *netguard.Guard

	// TLSConfig is the base of the configuration of TLS connections, for
	// example with root certificates and client certificates. New clones it.
	// ServerName, NextProtos and InsecureSkipVerify are not taken from it: the
	// certificate is verified for the host of the URL (RFC 9110 section 4.3.4).
	TLSConfig *tls.Config

	// UserAgent is sent with every request. "" means "extbody".
	UserAgent string

	// Header, if it is not nil, is sent instead of the fields that the package comment lists:
	// the ones of a browser, for example. Fields whose names start with Sec- are sent to https
	// alone, as browsers do (Fetch Metadata Request Headers, section 4). Only the content
	// codings gzip and deflate can be undone.
	Header http.Header

	// Proxy is the URL of a proxy, with the scheme http, https or socks5, and
	// with userinfo if the proxy asks for it. nil means none; the environment
	// is not asked. Each connection is a tunnel through it (RFC 9110 section
	// 9.3.6), for http URLs as well, so a proxy must allow CONNECT to port 80.
	//
	// The Guard judges the proxy's address, and allows its port. The host of
	// the URL is resolved and judged here, and the proxy is asked to connect to
	// the address, so that it cannot resolve the name to another one.
	// RemoteAddr in a Response is the address of the proxy.
	Proxy *url.URL

	// TrustProxy declares that the proxy judges addresses itself. It may then have
	// any address, and is asked to connect to names. URLs are still judged as
	// far as that is possible without resolving their host.
	TrustProxy bool

	// AllowPlaintext allows credentials to be sent to an http URL, where anybody on the
	// way can read them.
	AllowPlaintext bool

	// KeepConnections keeps each connection for further requests, for 30 seconds. That is faster
	// for many small bodies of one host, and lets a host give a body to the URL of another one:
	// see the package comment. It is not for bodies that are stored or judged by their URL.
	KeepConnections bool

	// Wrap returns the RoundTripper that sends each request, such as one that traces or
	// signs requests, around base, which dials by the Guard. New calls it once, and panics if it
	// returns nil. nil means base itself. Redirects, logins, conditions and repetitions stay with
	// the Fetcher, so that the RoundTripper sees one request and one answer of each step.
	//
	// These rules hold for the RoundTripper:
	//
	//   - It calls base at most once for a request, with the context of that request or one derived
	//     from it, and returns after base has. Otherwise the fetch fails with the Kind Local.
	//   - The time in it counts for Timeouts.FirstOctet, but not while base connects.
	//   - Header fields that it adds are in an Exchange as they were sent. Only the values of the
	//     fields that fetch.Exchange lists are cut out.
	//   - Its own errors are Unavailable, unless they have another Kind.
	//
	// It need not call base, for example if it has the answer already, or has a transport of its
	// own. Then no socket is judged when it is dialed, and these differ:
	//
	//   - The Guard judges the URLs. If the other transport reports its connection, as
	//     http.Transport does by package httptrace, the Guard also judges the address, before the
	//     request is sent. Names are not judged by their addresses otherwise.
	//   - RemoteAddr of the Response and Remote of the Exchange are the address of a connection that
	//     was reported, and zero otherwise. Audit then judges URLs alone.
	//   - The Exchange has no Lookups, Dials, TLS, heads and octets on the wire.
	//   - Timeouts.Connect, Timeouts.TLS, Proxy and TLSConfig are not applied.
	//   - driver.Contact was called once, whatever the RoundTripper does.
	Wrap func(base http.RoundTripper) http.RoundTripper
}

func (o *Options) withDefaults() *Options {
	c := *cmp.Or(o, new(Options))
	c.TLSConfig = cmp.Or(c.TLSConfig, new(tls.Config)).Clone()
	c.TLSConfig.NextProtos = []string{"http/1.1"} // and no other version
	if !c.KeepConnections && c.TLSConfig.ClientSessionCache == nil {
		c.TLSConfig.ClientSessionCache = tls.NewLRUClientSessionCache(maxSessions)
	}
	c.TLSConfig.InsecureSkipVerify = false
	c.UserAgent = cmp.Or(c.UserAgent, "extbody")
	return &c
}

// header returns the header of every request of one fetch, apart from the
// Conditions. It is read-only.
func (f *fetcher) header(req *fetch.Request) http.Header {
	accept := cmp.Or(mediaRange(req.MediaType), acceptList(req.Accept))
	if accept == "" || f.own {
		return f.fields
	}
	return with(f.fields, "Accept", accept)
}
