package fetch

import (
	"cmp"
	"context"
	"time"

	"github.com/go-extbody/extbody/internal/netx/pausable"
)

// Timeouts are the limits on time of one fetch. A zero field means its
// default, a negative one no limit. A limit that is reached
// is an error of Kind Unavailable whose Timeout method reports true.
//
// Do enforces Total, Stall and the low-speed rule for every scheme; a Fetcher
// enforces Connect, TLS and FirstOctet. Time that the caller spends between
// two Reads of the body counts for Total alone. Time in CheckHop and Credentials, which
// may ask a person, counts for no limit.
type Timeouts struct {
	Connect    time.Duration // name resolution and connection, each time; default 15 s
	TLS        time.Duration // a TLS handshake; default 15 s
	FirstOctet time.Duration // from the request to the first octet of the answer, and for each reply of a dialogue; default 30 s
	Stall      time.Duration // without any octet of the body; default 30 s
	Total      time.Duration // from Do to the end of the body; default 1 h

	// A body that comes, on the average over LowSpeedTime, slower than
	// LowSpeed octets a second is given up; defaults 512 octets a second over
	// 60 s. A negative value of either turns the rule off.
	LowSpeed     int64
	LowSpeedTime time.Duration
}

// WithDefaults returns t with each zero field replaced by its default.
func (t Timeouts) WithDefaults() Timeouts {
	t.Connect = cmp.Or(t.Connect, 15*time.Second)
	t.TLS = cmp.Or(t.TLS, 15*time.Second)
	t.FirstOctet = cmp.Or(t.FirstOctet, 30*time.Second)
	t.Stall = cmp.Or(t.Stall, 30*time.Second)
	t.Total = cmp.Or(t.Total, time.Hour)
	t.LowSpeed = cmp.Or(t.LowSpeed, 512)
	t.LowSpeedTime = cmp.Or(t.LowSpeedTime, 60*time.Second)
	return t
}

// The limits that Do enforces.
const (
	errTotal    = pausable.Timeout("the time for the whole fetch is over")
	errStall    = pausable.Timeout("the body stalled")
	errLowSpeed = pausable.Timeout("the body came too slowly")
)

// watch derives the context of one fetch. It ends with errTotal after the
// total limit, with the cause given to cancel, or with ctx.
func watch(ctx context.Context, t Timeouts) (context.Context, context.CancelCauseFunc) {
	if t.Total > 0 {
		return pausable.WithTimeout(ctx, t.Total, errTotal)
	}
	return context.WithCancelCause(ctx)
}
