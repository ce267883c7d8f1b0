package httpfetch

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
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
		if d, ok := retryAfter(h.Values("Retry-After"), now); ok {
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
	d, ok := retryAfter(h.Values("Retry-After"), now)
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

// retryAfter returns the time from now that the values of Retry-After fields stand for:
// each a number of seconds, or a date. There should be one. If there are several, also as a
// list that somebody between made of them, the longest that can be read counts. A number
// that is too large for its type is as long as any.
func retryAfter(values []string, now time.Time) (wait time.Duration, ok bool) {
	for _, value := range values {
		if t, err := http.ParseTime(value); err == nil {
			wait, ok = max(wait, t.Sub(now)), true
			continue
		}
		for number := range strings.SplitSeq(value, ",") {
			n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 31)
			if err == nil || errors.Is(err, strconv.ErrRange) {
				wait, ok = max(wait, time.Duration(n)*time.Second), true
			}
		}
	}
	return wait, ok
}
