package httpfetch

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// maxWait bounds the time that one fetch spends waiting for Retry-After.
const maxWait = 10 * time.Second

// A patience counts what one fetch may still repeat, and how long it may wait.
type patience struct {
	retries int
	left    time.Duration
}

func (f *Fetcher) patience() *patience {
	return &patience{retries: f.retries, left: maxWait}
}

// wait waits for as long as the server asks, if it does and if that is soon. It
// reports whether the request may be repeated (RFC 9110 section 10.2.3).
func (p *patience) wait(ctx context.Context, status Status, h http.Header) bool {
	if status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		return false
	}
	now := time.Now()
	d, ok := retryAfter(h.Get("Retry-After"), now)
	if !ok || p.retries <= 0 || d > p.left {
		return false
	}
	if end, ok := ctx.Deadline(); ok && end.Before(now.Add(d)) {
		return false
	}
	p.retries--
	p.left -= d
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// retryAfter returns the time from now that the value of a Retry-After field
// stands for: a number of seconds, or a date.
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	if n, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(n) * time.Second, true
	}
	t, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return max(t.Sub(now), 0), true
}
