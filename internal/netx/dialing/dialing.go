// Package dialing carries the questions and notes about connections, in a context, from a
// layer above to whoever dials.
package dialing

import (
	"context"
	"net"
	"net/netip"
	"time"

	"github.com/go-extbody/extbody/internal/netx/pausable"
)

type (
	askKey          struct{}
	limitKey        struct{}
	traceKey[T any] struct{}
)

// WithAsk returns a context for a fetch. ask is called with the address of each contact:
// before it is dialed, also if other addresses of the name are dialed at the same time, and
// before a request is sent on a connection that was kept. It is not called through a proxy. It
// may wait, in any goroutine; that time does not count for the limit of [Limit]. If it returns an
// error, there is no contact. A nil ask lets all pass.
func WithAsk(ctx context.Context, ask func(context.Context, netip.Addr) error) context.Context {
	return context.WithValue(ctx, askKey{}, ask)
}

// Ask calls the function of [WithAsk], if there is one. Whoever dials an address calls it before.
func Ask(ctx context.Context, addr netip.Addr) error {
	ask, _ := ctx.Value(askKey{}).(func(context.Context, netip.Addr) error)
	if ask == nil {
		return nil
	}
	if limit, ok := ctx.Value(limitKey{}).(context.Context); ok {
		defer pausable.HoldLast(limit)()
	}
	return ask(ctx, addr)
}

// Limit derives a context that ends with cause after d, not counting the time in Ask. 0 or less
// means no limit.
func Limit(ctx context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	ctx, cancel := pausable.WithTimeout(ctx, d, cause)
	return context.WithValue(ctx, limitKey{}, ctx), func() { cancel(nil) }
}

// A Trace has functions that are called with each lookup and each dial, before the call that makes
// it returns and in the goroutine of that call. The types are from package fetch/record, which
// this package cannot import. A function that is nil is not called.
type Trace[Lookup, Dial any] struct {
	// Lookup is called for each name that was looked up, with all its addresses
	// and which of them were refused. It is also called for a name or an
	// address that was refused without a lookup.
	Lookup func(Lookup)

	// Dial is called for each address that was tried, when the attempt has
	// failed or succeeded. It is not called for attempts that were given up
	// because another one succeeded.
	Dial func(Dial)
}

// WithTrace returns a context with which lookups and dials are reported to t.
func WithTrace[L, D any](ctx context.Context, t *Trace[L, D]) context.Context {
	return context.WithValue(ctx, traceKey[Trace[L, D]]{}, t)
}

// TraceOf returns the Trace of ctx, or an empty one.
func TraceOf[L, D any](ctx context.Context) *Trace[L, D] {
	if t, ok := ctx.Value(traceKey[Trace[L, D]]{}).(*Trace[L, D]); ok {
		return t
	}
	return new(Trace[L, D])
}

// RemoteAddr returns the address of the other end of a connection. It is the zero value if that is
// not an address of TCP.
func RemoteAddr(conn net.Conn) netip.AddrPort {
	a, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	addr := a.AddrPort()
	return netip.AddrPortFrom(addr.Addr().Unmap(), addr.Port())
}
