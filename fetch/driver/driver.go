// Package driver has the types and functions that writers of Fetchers and of Layers need, and users of
// package fetch do not.
//
// A Fetcher keeps to the rules that [fetch.Fetcher] lists, and package fetchtest checks them. [OfRequest] and
// [OfResponse] return the part of a request and of a response that is for Fetchers alone. A Fetcher that is
// made of a [Conn] seldom needs them.
package driver

import (
	"context"
	"io"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/netx/dialing"
	"github.com/go-extbody/extbody/internal/netx/pausable"
)

// ErrUnreached matches the error of a connection that was not made within
// Timeouts.Connect, and of no other limit. NewTimeout("the connection") returns such an
// error.
var ErrUnreached error = pausable.Timeout("the connection timed out")

// NewTimeout returns an error for a limit of [fetch.Timeouts] that a Fetcher
// enforces itself; what is its name, such as "the TLS handshake".
func NewTimeout(what string) error {
	return &fetch.Error{Kind: fetch.Unavailable, Err: pausable.Timeout(what + " timed out")}
}

// Limit derives a context that ends with NewTimeout(what) as its cause after d. 0 or less means no
// limit. The time in which package throttle, or a person, is asked does not count.
func Limit(ctx context.Context, d time.Duration, what string) (context.Context, context.CancelFunc) {
	return dialing.Limit(ctx, d, NewTimeout(what))
}

// Interrupted returns the cause of the end of ctx, or err if ctx has not ended. It is
// for Fetchers whose connections are closed when ctx ends and then report errors of their
// own. If the Deadline of ctx has passed, which a connection may notice first, it waits for the end.
func Interrupted(ctx context.Context, err error) error {
	if end, ok := ctx.Deadline(); ok && !time.Now().Before(end) {
		<-ctx.Done()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// CutOff returns err with the Kind Truncated instead of its own. It is for Fetchers whose
// connection broke within a body. An io.EOF becomes io.ErrUnexpectedEOF, since it is not
// the end of the body.
func CutOff(err error) error {
	if e, ok := err.(*fetch.Error); ok {
		err = e.Err
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return &fetch.Error{Kind: fetch.Truncated, Err: err}
}

// Refusal returns the error of a callback, such as [fetch.Request].CheckHop or
// [fetch.Request].Credentials, as an [*fetch.Error]: of the Kind that it has, or of kind if it has
// none. Fetchers return it.
func Refusal(kind fetch.Kind, err error) *fetch.Error {
	return &fetch.Error{Kind: fetch.KindOr(err, kind), Err: err}
}

// Pause waits for d and returns nil, or until ctx ends and returns its cause. It is for
// the Read of a body that a Layer slows down on purpose. The time in
// Pause counts neither as a stall nor as low speed, which are faults of the server. ctx
// is the one that Fetch was called with.
func Pause(ctx context.Context, d time.Duration) error { return pausable.Pause(ctx, d) }
