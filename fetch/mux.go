package fetch

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
)

// A Mux dispatches requests to fetchers by URL scheme. It is also the allow
// list: a scheme without a fetcher cannot be reached.
//
// The zero Mux has no fetchers and is ready to use. A Mux is safe for
// concurrent use.
type Mux struct {
	mu       sync.RWMutex
	fetchers map[string]Fetcher
}

// Handle registers f for a scheme, which is compared without regard to case.
// It panics if the scheme is not a scheme (RFC 3986 section 3.1), if f is nil,
// or if the scheme has a fetcher already: registration is programming.
func (m *Mux) Handle(scheme string, f Fetcher) {
	scheme = strings.ToLower(scheme)
	if !isScheme(scheme) {
		panic(fmt.Sprintf("fetch: Handle: %q is not a URL scheme", scheme))
	}
	if f == nil {
		panic("fetch: Handle: nil Fetcher for " + scheme)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, dup := m.fetchers[scheme]; dup {
		panic("fetch: Handle: " + scheme + " has a fetcher already")
	}
	if m.fetchers == nil {
		m.fetchers = make(map[string]Fetcher)
	}
	m.fetchers[scheme] = f
}

// Schemes yields the registered schemes in alphabetical order.
func (m *Mux) Schemes() iter.Seq[string] {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.Values(slices.Sorted(maps.Keys(m.fetchers)))
}

// Fetch is [Do] over the fetcher registered for the scheme of req.URL. Without
// one the error has the Kind Blocked, matches Unsupported too, and lists the
// schemes that there are.
func (m *Mux) Fetch(ctx context.Context, req *Request) (*Response, error) {
	f, err := m.fetcher(req)
	if err != nil {
		return nil, err
	}
	return Do(ctx, f, req)
}

// CloseIdleConnections closes the connections that the fetchers keep and no fetch uses. A
// program that keeps a Mux for a while calls it when it has nothing to fetch.
func (m *Mux) CloseIdleConnections() {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, f := range m.fetchers {
		Layer{f}.CloseIdleConnections()
	}
}

// isScheme reports whether s, in lower case, is a scheme by RFC 3986 section 3.1.
func isScheme(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return s != "" && strings.Contains(letters, s[:1]) && strings.Trim(s, letters+"0123456789+-.") == ""
}

// A Checker is a Fetcher that can check a request without the network: that the host can
// exist, is not a literal private address, and has an allowed port. A Plan shows the
// result.
type Checker interface {
	Fetcher

	// Check returns the error that Fetch would return, or nil if that depends on the
	// network. It uses no network.
	Check(req *Request) error
}

// An Auditor is a Fetcher that can judge a Response that was kept from an
// earlier run, when the policy may have been another one.
type Auditor interface {
	Fetcher

	// Audit returns the error with which the fetcher would refuse to contact
	// one of resp.Hops, resp.URL and resp.RemoteAddr, as far as that is known without
	// a network, and otherwise nil. It uses no network.
	Audit(resp *Response) error
}

// Audit returns the error of f's method Audit, or nil if f is not an [Auditor].
// A Fetcher around Fetchers passes it on.
func Audit(f Fetcher, resp *Response) error {
	if a, ok := f.(Auditor); ok {
		return a.Audit(resp)
	}
	return nil
}

// A Layer is embedded in a Fetcher around Next. Its methods call Next's, if Next has
// them; see [Checker], [Auditor] and [AnonymousPassword].
type Layer struct{ Next Fetcher }

// Check implements [Checker].
func (l Layer) Check(req *Request) error {
	if c, ok := l.Next.(Checker); ok {
		return c.Check(req)
	}
	return nil
}

// Fetch implements [Fetcher]. It returns the answer of Next, which has a Body if there is no
// error; see [Do].
func (l Layer) Fetch(ctx context.Context, req *Request) (*Response, error) {
	return ask(ctx, l.Next, req)
}

// Audit implements [Auditor].
func (l Layer) Audit(resp *Response) error { return Audit(l.Next, resp) }

// AnonymousPassword is the function AnonymousPassword for Next.
func (l Layer) AnonymousPassword(scheme string) (password string, known bool) {
	return AnonymousPassword(l.Next, scheme)
}

// CloseIdleConnections closes the idle connections of Next.
func (l Layer) CloseIdleConnections() {
	if c, ok := l.Next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// Check implements [Checker]. It refuses a scheme without a fetcher, applies the checks
// that hold for every request, and then those of the scheme's fetcher.
func (m *Mux) Check(req *Request) error {
	f, err := m.fetcher(req)
	if err != nil {
		return err
	}
	r, err := req.withDefaults()
	if err != nil {
		return err
	}
	if err := (Layer{f}).Check(r); err != nil {
		return failed(context.Background(), r, err)
	}
	return nil
}

// AnonymousPassword returns the password that f sends with anonymous logins to servers of
// a scheme, by custom a mail address, for a Plan; "" if it sends none. f has a method of
// the same name without the first parameter, which a Fetcher around Fetchers passes on.
// known is false if it has no such method.
func AnonymousPassword(f Fetcher, scheme string) (password string, known bool) {
	if t, ok := f.(interface {
		AnonymousPassword(scheme string) (string, bool)
	}); ok {
		return t.AnonymousPassword(scheme)
	}
	return "", false
}

// AnonymousPassword is the function AnonymousPassword for the fetcher of the scheme.
func (m *Mux) AnonymousPassword(scheme string) (password string, known bool) {
	f := m.of(scheme)
	if f == nil {
		return "", true
	}
	return AnonymousPassword(f, scheme)
}

// fetcher returns the fetcher for the scheme of req.URL.
func (m *Mux) fetcher(req *Request) (Fetcher, error) {
	if err := req.absolute(); err != nil {
		return nil, err
	}
	scheme := strings.ToLower(req.URL.Scheme)
	f := m.of(scheme)
	if f == nil {
		have := strings.Join(slices.Collect(m.Schemes()), ", ")
		return nil, wrap("fetch", req, Blocked, CauseScheme.With(fmt.Errorf("%w scheme %.20q (have %s)", Unsupported, scheme, have)))
	}
	return f, nil
}

// of returns the fetcher for a scheme, or nil.
func (m *Mux) of(scheme string) Fetcher {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.fetchers[strings.ToLower(scheme)]
}
