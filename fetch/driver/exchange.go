package driver

import (
	"context"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/netx/dialing"
)

// Observe returns a context with which x, which may be nil, records the lookups and dials of package
// netguard. [Dial] does this itself.
func Observe(ctx context.Context, x *fetch.Exchange) context.Context {
	if x == nil {
		return ctx
	}
	return dialing.WithTrace(ctx, &dialing.Trace[record.Lookup, record.Dial]{
		Lookup: func(l record.Lookup) { x.Lookups = append(x.Lookups, l) },
		Dial:   func(d record.Dial) { x.Dials = append(x.Dials, d) },
	})
}
