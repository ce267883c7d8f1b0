package httpfetch

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/go-extbody/extbody/fetch"
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

// maxRetryAfter bounds what is believed of a Retry-After. A server that asks for
// more, by mistake or not, is asked again the next day.
const maxRetryAfter = 24 * time.Hour

// unwilling returns the error of an answer that is not the object. For 429 and
// 503 it says when to ask again if the server did (RFC 9110 section 10.2.3, RFC
// 6585 section 4).
func unwilling(status Status, h http.Header) error {
	err := &fetch.Error{Kind: status.kind(), Err: &answered{status, h}}
	if status.Busy() {
		now := time.Now()
		if d, ok := retryAfter(h.Get("Retry-After"), now); ok {
			err.After = now.Add(min(d, maxRetryAfter))
		}
	}
	return err
}

// wait waits for as long as the server asks, if it does and if that is soon. It
// reports whether the request may be repeated (RFC 9110 section 10.2.3).
func (p *patience) wait(ctx context.Context, status Status, h http.Header) bool {
	if !status.Busy() {
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
// stands for: a number of seconds, or a date. A number that is too large for
// its type is as long as any.
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	n, err := strconv.ParseUint(value, 10, 31)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(n) * time.Second, true
	}
	t, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return max(t.Sub(now), 0), true
}
