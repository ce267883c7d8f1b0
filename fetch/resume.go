package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Limits on how often the rest of one body is asked for: in all, and in a row
// without an octet between. Before each but the first of a row there is a pause,
// which doubles.
const (
	maxResumes   = 128
	maxFruitless = 5
	resumePause  = 100 * time.Millisecond
)

// A resumption asks for the rest of a body whose connection was lost within it. The rest
// has to be of the same object, by a strong validator, its size, its codings and its URL.
// The octets before stay as they were given out, and limits and digests are for the whole.
type resumption struct {
	f         Fetcher
	tries     int
	fruitless int
	reached   int64 // octets of the body at the last try
}

var (
	errOtherObject = errors.New("the server has another object now")
	errNoRange     = errors.New("the server does not send the rest alone")
	errElsewhere   = errors.New("the rest is at another place")
)

// next returns the response with the rest of the body from octet n on. Without
// one it returns the reason, and nil if no request was sent.
func (r *resumption) next(b *body, n int64) (*Response, error) {
	if b.resp.Resume == nil || r.f == nil {
		return nil, nil
	}
	var last error
	for {
		if n > r.reached {
			r.fruitless, r.reached = 0, n
		}
		if r.tries >= maxResumes || r.fruitless >= maxFruitless {
			return nil, last
		}
		if !r.pause(b.ctx) {
			return nil, context.Cause(b.ctx)
		}
		r.tries++
		r.fruitless++
		resp, err := r.f.Fetch(b.ctx, resumeRequest(b, n))
		if err == nil {
			if err = checkResumed(b, resp, n); err == nil {
				return resp, nil
			}
			resp.Body.Close()
			resp.Exchange.End(err)
			return nil, err
		}
		if b.ctx.Err() != nil {
			return nil, context.Cause(b.ctx)
		}
		if kind := KindOf(err); kind != Unavailable && kind != Truncated {
			return nil, err
		}
		last = err
	}
}

// pause waits before a try. It reports whether ctx goes on.
func (r *resumption) pause(ctx context.Context) bool {
	if r.fruitless == 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(resumePause << (r.fruitless - 1))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// resumeRequest returns the request for the body of b from octet n on. It goes
// where the body came from, and no redirect leads it to another origin, whose
// validators would mean nothing.
func resumeRequest(b *body, n int64) *Request {
	req, c, at := *b.req, *b.resp.Resume, *b.resp.URL
	if c.Offset = b.resp.Offset + n; c.Offset == 0 {
		c.ETag, c.LastModified = "", "" // all of it, whether or not it has changed
	}
	req.URL, req.Text, req.Conditions = &at, "", &c
	if req.MaxRedirects -= len(b.resp.Hops); req.MaxRedirects <= 0 {
		req.MaxRedirects = -1
	}
	req.CheckHop = func(ctx context.Context, from, to *url.URL) error {
		if !sameOrigin(b.resp.URL, to) {
			return &Error{Kind: Blocked, Err: errElsewhere}
		}
		if b.req.CheckHop == nil {
			return nil
		}
		return b.req.CheckHop(ctx, from, to)
	}
	return &req
}

// checkResumed returns an error unless resp is the rest of the body of b from octet n on.
func checkResumed(b *body, resp *Response, n int64) error {
	was, is := b.resp.Resume, resp.Resume
	switch {
	case resp.NotModified, resp.Offset != b.resp.Offset+n:
		return &Error{Kind: Protocol, Err: errNoRange}
	case !sameOrigin(b.resp.URL, resp.URL):
		return &Error{Kind: Blocked, Err: errElsewhere}
	case is == nil, is.ETag != was.ETag, is.LastModified != was.LastModified,
		!slices.Equal(resp.Codings, b.codings),
		resp.Size < 0, b.wire.size >= 0 && resp.Size != b.wire.size-n:
		return &Error{Kind: Protocol, Err: errOtherObject}
	}
	return nil
}

// sameOrigin reports whether two URLs have scheme, host and port in common.
func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Host, b.Host)
}

// goOn replaces a source that was lost with the error err by one that has the rest. It
// returns nil, or the error of the body.
func (w *wire) goOn(err error) error {
	b := w.body
	if KindOf(err) != Truncated || b.ctx.Err() != nil || b.resp.Resume == nil {
		return err
	}
	b.raw.Close()
	b.raw = io.NopCloser(nil)
	decoded := b.record.decoded // goes on in the Exchange with the rest of the body
	b.record.decoded = nil
	b.record.end(err)
	b.record = record{}
	resp, cause := w.resumption.next(b, w.n)
	switch {
	case resp != nil:
		b.resp.Resume = resp.Resume
		b.raw, w.src = resp.Body, resp.Body
		b.record = newRecord(resp.Exchange)
		b.record.decoded = decoded
		w.size = w.n + resp.Size
		return nil
	case b.ctx.Err() != nil:
		return ended(b.ctx, "read", b.req)
	case cause != nil:
		e := *wrap("read", b.req, Truncated, err)
		if KindOf(cause) == Deferred {
			e.Kind, e.After = Deferred, AfterOf(cause) // no request was sent for it
		}
		e.Err = fmt.Errorf("%w; the rest could not be had: %s: %s", e.Err, KindOf(cause), reason(cause))
		return &e
	}
	return err
}
