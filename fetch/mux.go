package fetch

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/codec/ascii"
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

// Fetch is [Do] over the fetcher registered for the scheme of req.URL. Without one
// the error has the Kind Blocked, matches Unsupported too, and lists the schemes
// that are registered.
func (m *Mux) Fetch(ctx context.Context, req *Request) (*Response, error) {
	return Do(ctx, m, req)
}

// CloseIdleConnections closes the connections that the fetchers keep and no fetch uses. A
// program that keeps a Mux for a while calls it when it has nothing to fetch.
func (m *Mux) CloseIdleConnections() {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, f := range m.fetchers {
		if i, ok := f.(inspector); ok {
			i.CloseIdleConnections()
		}
	}
}

// isScheme reports whether s, in lower case, is a scheme by RFC 3986 section 3.1.
func isScheme(s string) bool {
	return s != "" && strings.Contains(ascii.Lower, s[:1]) && strings.Trim(s, ascii.Lower+ascii.Digits+"+-.") == ""
}

// An inspector is a driver.Inspector; see there.
type inspector interface {
	Fetcher
	Check(req *Request) error
	Audit(resp *Response) error
	AnonymousPassword(scheme string) (password string, known bool)
	CloseIdleConnections()
}

// Check returns the error that Fetch would return for req, as far as that is known without a
// network, and otherwise nil. It refuses a scheme without a fetcher, applies the checks
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
	if i, ok := f.(inspector); ok {
		if err := i.Check(r); err != nil {
			return failed(context.Background(), r, err)
		}
	}
	return nil
}

// Audit judges a Response that was kept from an earlier run, when the policy may have been another
// one. It returns the error with which the fetcher for the scheme of resp.URL would refuse to contact
// the servers that resp came from, or nil if it would not. It uses no network, and so finds only
// errors that are known without one.
func (m *Mux) Audit(resp *Response) error {
	f, err := m.fetcher(&Request{URL: resp.URL})
	if err != nil {
		return err
	}
	if i, ok := f.(inspector); ok {
		return i.Audit(resp)
	}
	return nil
}

// AnonymousPassword returns the password that is sent with anonymous logins to servers of a scheme,
// by custom a mail address; "" if none is sent. known is false if the fetcher for the scheme
// does not report it.
func (m *Mux) AnonymousPassword(scheme string) (password string, known bool) {
	f := m.of(scheme)
	if f == nil {
		return "", true
	}
	if i, ok := f.(inspector); ok {
		return i.AnonymousPassword(scheme)
	}
	return "", false
}

// Account returns the account at a file host with which the fetcher for req may ask for it, and nil if it
// asks without one. It uses no network. A Plan shows the result.
func (m *Mux) Account(req *Request) *record.Account {
	f, err := m.fetcher(req)
	if err != nil {
		return nil
	}
	if a, ok := f.(interface {
		Account(req *Request) *record.Account
	}); ok {
		return a.Account(req)
	}
	return nil
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
