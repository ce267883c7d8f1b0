package fetch

import (
	"context"
	"sync"
	"time"
)

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
