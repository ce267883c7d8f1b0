package pausable

import (
	"context"
	"sync"
	"time"
)

// A Timeout is the text of a limit on time that was reached. It is an error whose method Timeout
// reports true.
type Timeout string

func (t Timeout) Error() string { return string(t) }

// Timeout reports true.
func (t Timeout) Timeout() bool { return true }

// A Clock is the context of a fetch, with the time since it started, without the time in [Pause]. It
// is a Context itself to save an allocation.
type Clock struct {
	context.Context
	outer *Clock // of the context from which it is derived; nil without one
	start time.Time

	mu     sync.Mutex
	pauses int           // under way
	since  time.Duration // when the first of them started, from start
	ended  time.Duration // their time, of the ones that have ended
}

type clockKey struct{}

// NewClock returns a Clock that starts now.
func NewClock(parent context.Context) *Clock {
	outer, _ := parent.Value(clockKey{}).(*Clock)
	return &Clock{Context: parent, outer: outer, start: time.Now()}
}

// Value implements [context.Context].
func (c *Clock) Value(key any) any {
	if key == (clockKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// Pause waits for d and returns nil, or until ctx ends and returns its cause. Meanwhile the Clocks
// of ctx stand still.
func Pause(ctx context.Context, d time.Duration) error {
	c, _ := ctx.Value(clockKey{}).(*Clock)
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

func (c *Clock) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pauses == 0 {
		c.since = time.Since(c.start)
	}
	c.pauses++
}

func (c *Clock) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pauses--; c.pauses == 0 {
		c.ended += time.Since(c.start) - c.since
	}
}

// Now returns the time of the Clock. It is never 0.
func (c *Clock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Since(c.start)
	if c.pauses > 0 {
		now = c.since
	}
	return now - c.ended + 1
}
