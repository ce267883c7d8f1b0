package fetch

import (
	"context"
	"net/netip"

	"github.com/go-extbody/extbody/internal/netx/pausable"
)

// dialKey is the key of the function of WithDial, and limitKey the one of the context of
// Limit.
type (
	dialKey  struct{}
	limitKey struct{}
)

// WithDial returns a context for a fetch. ask is called with the address of each contact:
// before it is dialed, also if other addresses of the name are dialed at the same time, and
// before a request is sent on a connection that was kept. It is not called through a proxy. It
// may wait, in any goroutine; that time does not count for Timeouts.Connect. If it returns an
// error, there is no contact.
func WithDial(ctx context.Context, ask func(context.Context, netip.Addr) error) context.Context {
	return context.WithValue(ctx, dialKey{}, ask)
}

// Dialing calls the function of [WithDial], if there is one. It is for package netguard, and
// for Fetchers that keep connections.
func Dialing(ctx context.Context, addr netip.Addr) error {
	ask, _ := ctx.Value(dialKey{}).(func(context.Context, netip.Addr) error)
	if ask == nil {
		return nil
	}
	if limit, ok := ctx.Value(limitKey{}).(context.Context); ok {
		defer pausable.HoldLast(limit)()
	}
	return ask(ctx, addr)
}
