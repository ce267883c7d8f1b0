package rewriting

import (
	"context"
	"fmt"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A deadline is a Fetcher that gives up at a given time, with an error of Kind
// Unavailable. A body that did not come by then stays a reference, and the message goes
// on.
type deadline struct {
	fetch.Fetcher
	over context.Context
}

// Fetch implements fetch.Fetcher.
func (d *deadline) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(d.over, func() { cancel(context.Cause(d.over)) })
	resp, err := d.Fetcher.Fetch(ctx, req)
	if err != nil {
		stop()
		cancel(nil)
	}
	return resp, err
}

// maxReserve bounds the part of a time limit that is reserved for writing.
const maxReserve = 30 * time.Second

// Deadline returns a Resolver that gives up early enough for the message to be written
// before the deadline of ctx. d is the whole time limit. Call stop after the bodies have been read.
func Deadline(ctx context.Context, r *externalbody.Resolver, d time.Duration) (limited *externalbody.Resolver, stop context.CancelFunc) {
	c := *r
	end, _ := ctx.Deadline()
	over, stop := context.WithDeadlineCause(context.Background(), end.Add(-min(d/10, maxReserve)), fetch.NewTimeout("the message"))
	c.Fetcher = &deadline{r.Fetcher, over}
	return &c, stop
}

// timeLimit is the error of a message that took too long.
type timeLimit time.Duration

func (t timeLimit) Error() string { return fmt.Sprintf("not done within %s", time.Duration(t)) }
func (t timeLimit) Timeout() bool { return true }
