package fetch

import (
	"cmp"
	"context"
	"io"
	"net/url"
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
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{
		{&t.Connect, 15 * time.Second},
		{&t.TLS, 15 * time.Second},
		{&t.FirstOctet, 30 * time.Second},
		{&t.Stall, 30 * time.Second},
		{&t.Total, time.Hour},
		{&t.LowSpeedTime, 60 * time.Second},
	} {
		*d.field = cmp.Or(*d.field, d.value)
	}
	t.LowSpeed = cmp.Or(t.LowSpeed, 512)
	return t
}

// A timeoutError is the reason why one of our own limits ended a context.
type timeoutError struct{ text string }

func (e *timeoutError) Error() string { return e.text }
func (e *timeoutError) Timeout() bool { return true }

var (
	errTotal    = &timeoutError{"the time for the whole fetch is over"}
	errStall    = &timeoutError{"the body stalled"}
	errLowSpeed = &timeoutError{"the body came too slowly"}
)

// NewTimeout returns an error for a limit of [Timeouts] that a Fetcher
// enforces itself; what is its name, such as "TLS handshake".
func NewTimeout(what string) error {
	return &Error{Kind: Unavailable, Err: &timeoutError{what + " timed out"}}
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
