package httpfetch

import (
	"context"
	"slices"
	"sync"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// A making is how a connection was made, or was tried to be. The transport makes
// connections in goroutines of its own.
type making struct {
	mu      sync.Mutex
	lookups []fetch.Lookup
	dials   []fetch.Dial
	proxies []*fetch.Exchange // requests to a proxy, which have ended
}

// trace returns a context with which the guard records its steps in m.
func (m *making) trace(ctx context.Context) context.Context {
	return netguard.WithTrace(ctx, &netguard.Trace{
		Lookup: func(l fetch.Lookup) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.lookups = append(m.lookups, l)
		},
		Dial: func(d fetch.Dial) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.dials = append(m.dials, d)
		},
	})
}

// proxied adds a request to a proxy.
func (m *making) proxied(x *fetch.Exchange) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.proxies = append(m.proxies, x)
}

// report copies the steps so far to x.
func (m *making) report(x *fetch.Exchange) {
	m.mu.Lock()
	defer m.mu.Unlock()
	x.Lookups, x.Dials = slices.Clip(m.lookups), slices.Clip(m.dials)
}

// asked returns the requests to a proxy, and forgets them.
func (m *making) asked() []*fetch.Exchange {
	m.mu.Lock()
	defer m.mu.Unlock()
	proxies := m.proxies
	m.proxies = nil
	return proxies
}
