package fleet

import (
	"sync/atomic"
	"time"
)

// A clock is the clock of the server, by which all times in the tables are: those of machines may
// differ. It is as far ahead of ours as it was when the server was asked last.
type clock struct{ ahead atomic.Int64 }

// set notes the time of the server, which was asked for it at a time of ours and has just answered.
func (c *clock) set(asked, now time.Time) {
	c.ahead.Store(int64(now.Sub(asked.Add(time.Since(asked) / 2))))
}

// of returns the time of the server at a time of ours.
func (c *clock) of(t time.Time) time.Time { return shift(t, time.Duration(c.ahead.Load())) }

// ours returns our time at a time of the server.
func (c *clock) ours(t time.Time) time.Time { return shift(t, -time.Duration(c.ahead.Load())) }

// shift adds to a time that is known.
func shift(t time.Time, d time.Duration) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Add(d)
}
