package fetch

import (
	"cmp"
	"context"
	"io"
	"net/netip"
	"net/url"
	"sync"
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

// A timeoutError is the reason why one of our own limits ended a context.
type timeoutError struct{ text string }

func (e timeoutError) Error() string { return e.text }
func (e timeoutError) Timeout() bool { return true }

var (
	errTotal    = timeoutError{"the time for the whole fetch is over"}
	errStall    = timeoutError{"the body stalled"}
	errLowSpeed = timeoutError{"the body came too slowly"}
)

// ErrUnreached is matched by the error of Timeouts.Connect: NewTimeout("the connection").
var ErrUnreached error = timeoutError{"the connection timed out"}

// NewTimeout returns an error for a limit of [Timeouts] that a Fetcher
// enforces itself; what is its name, such as "the TLS handshake".
func NewTimeout(what string) error {
	return &Error{Kind: Unavailable, Err: timeoutError{what + " timed out"}}
}

// Limit derives a context that ends with NewTimeout(what) as its cause after d,
// for Fetchers. 0 or less means no limit.
func Limit(ctx context.Context, d time.Duration, what string) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	ctx, cancel := pausable.WithTimeout(ctx, d, NewTimeout(what))
	return context.WithValue(ctx, limitKey{}, ctx), func() { cancel(nil) }
}

// Interrupted returns the cause of the end of ctx, or err if ctx has not ended. It is
// for Fetchers, whose connections are closed when ctx ends and then report errors of their
// own.
func Interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// CutOff returns err with the Kind Truncated instead of its own. It is for Fetchers whose
// connection broke within a body. An io.EOF becomes io.ErrUnexpectedEOF, since it is not
// the end of the body.
func CutOff(err error) error {
	if e, ok := err.(*Error); ok {
		err = e.Err
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return &Error{Kind: Truncated, Err: err}
}

// watch derives the context of one fetch. It ends with errTotal after the
// total limit, with the cause given to cancel, or with ctx.
func watch(ctx context.Context, t Timeouts) (context.Context, context.CancelCauseFunc) {
	if t.Total > 0 {
		return pausable.WithTimeout(ctx, t.Total, errTotal)
	}
	return context.WithCancelCause(ctx)
}

// hold makes the callbacks of req that may ask a person stop the clocks.
func (r *Request) hold() {
	if ask := r.CheckHop; ask != nil {
		r.CheckHop = func(ctx context.Context, from, to *url.URL) error {
			defer pausable.Hold(ctx)()
			return ask(ctx, from, to)
		}
	}
	if ask := r.Credentials; ask != nil {
		r.Credentials = func(ctx context.Context, c Challenge) (*Userinfo, error) {
			defer pausable.Hold(ctx)()
			return ask(ctx, c)
		}
	}
}

// Pause waits for d and returns nil, or until ctx ends and returns its cause. It is for
// the Read of a body that a Fetcher around Fetchers slows down on purpose. The time in
// Pause counts neither as a stall nor as low speed, which are faults of the server. ctx
// is the one that Fetch was called with.
func Pause(ctx context.Context, d time.Duration) error {
	c, _ := ctx.Value(pausesKey{}).(*pauses)
	for ; c != nil; c = c.outer {
		c.begin()
		defer c.end()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// A pauses is the context of a fetch, with a clock that stands still in Pause.
// It is a Context itself to save an allocation.
type pauses struct {
	context.Context
	outer *pauses // of the Do around this one; nil without one
	start time.Time
	mu    sync.Mutex
	n     int           // that are under way
	since time.Duration // when the first of them began, from start
	ended time.Duration // their time, of the ones that have ended
}

func newPauses(ctx context.Context) *pauses {
	outer, _ := ctx.Value(pausesKey{}).(*pauses)
	return &pauses{Context: ctx, outer: outer, start: time.Now()}
}

type pausesKey struct{}

func (c *pauses) Value(key any) any {
	if key == (pausesKey{}) {
		return c
	}
	return c.Context.Value(key)
}

func (c *pauses) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == 0 {
		c.since = time.Since(c.start)
	}
	c.n++
}

func (c *pauses) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n--; c.n == 0 {
		c.ended += time.Since(c.start) - c.since
	}
}

// clock returns the time since the fetch began, without the time in Pause. It is never 0.
func (c *pauses) clock() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Since(c.start)
	if c.n > 0 {
		now = c.since
	}
	return now - c.ended + 1
}

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
