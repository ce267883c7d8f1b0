package fetch

import (
	"context"
	"errors"
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

type schemeError struct {
	scheme string
	known  iter.Seq[string]
}

func (e *schemeError) Error() string {
	return fmt.Sprintf("unsupported scheme %.20q (have %s)", e.scheme, strings.Join(slices.Collect(e.known), ", "))
}

func (e *schemeError) Is(target error) bool {
	return target == Unsupported || target == errors.ErrUnsupported
}

// Unwrap returns the Cause.
func (e *schemeError) Unwrap() error { return CauseScheme }

// isScheme reports whether s, in lower case, is a scheme by RFC 3986 section 3.1.
func isScheme(s string) bool {
	for i, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return s != ""
}
