package fetch_test

import (
	"context"
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// A paused is a body of n octets, each after a pause and a wait.
type paused struct {
	ctx         context.Context
	n           int
	pause, wait time.Duration
}

func (b *paused) Read(p []byte) (int, error) {
	if b.n == 0 {
		return 0, io.EOF
	}
	if err := driver.Pause(b.ctx, b.pause); err != nil {
		return 0, err
	}
	time.Sleep(b.wait)
	if b.ctx.Err() != nil {
		return 0, context.Cause(b.ctx)
	}
	b.n--
	return copy(p, "x"), nil
}

func (b *paused) Close() error { return nil }

func getPaused(ctx context.Context, b paused) error {
	f := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		b.ctx = ctx
		return &fetch.Response{URL: req.URL, Size: -1, Body: &b}, nil
	})
	_, _, err := readCtx(ctx, fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		return fetch.Do(ctx, f, req) // once more changes nothing
	}), request("http://h/p"))
	if err != nil || b.wait > 0 {
		return err
	}
	b.n = 3
	_, _, err = readCtx(ctx, fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		resp, err := fetch.Do(ctx, f, req)
		if err == nil {
			resp.Body = struct{ io.ReadCloser }{resp.Body} // a Fetcher around Fetchers
		}
		return resp, err
	}), request("http://h/p"))
	return err
}

// A wait of a Layer around a Fetcher is not the server's fault, and the time of the
// server besides is.
func TestPause(t *testing.T) {
	for _, c := range []struct {
		name string
		body paused
		want fetch.Kind
		text string
	}{
		{"Long", paused{n: 3, pause: 10 * time.Minute}, 0, ""},
		{"LongAndSlow", paused{n: 3, pause: 10 * time.Minute, wait: 19 * time.Second}, 0, ""},
		{"Stall", paused{n: 3, pause: 10 * time.Minute, wait: 31 * time.Second}, fetch.Unavailable, "stalled"},
		{"StallAlone", paused{n: 3, wait: 31 * time.Second}, fetch.Unavailable, "stalled"},
		{"LowSpeed", paused{n: 30, pause: time.Minute, wait: 20 * time.Second}, fetch.Unavailable, "slow"},
		{"Total", paused{n: 30, pause: 10 * time.Minute}, fetch.Unavailable, "whole"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				err := getPaused(t.Context(), c.body)
				e, _ := errors.AsType[*fetch.Error](err)
				if fetch.KindOf(err) != c.want || c.want != 0 && (!e.Timeout() || !strings.Contains(err.Error(), c.text)) {
					t.Errorf("got %v, want %v %s", err, c.want, c.text)
				}
			})
		})
	}
}

func TestPauseCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, cancel)
		start := time.Now()
		err := getPaused(ctx, paused{n: 1, pause: time.Hour})
		if fetch.KindOf(err) != fetch.Canceled || time.Since(start) != time.Minute {
			t.Errorf("got %v after %v, want %v, %v", err, time.Since(start), fetch.Canceled, time.Minute)
		}
		// Without a fetch around it Pause just waits.
		if err := driver.Pause(t.Context(), time.Second); err != nil {
			t.Error(err)
		}
	})
}

// TestAskingTakesNoTime: time in CheckHop and Credentials counts for no limit, however
// often Do is called on the way, and other time does.
func TestAskingTakesNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		work := time.Duration(0)
		inner := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			if _, err := req.Credentials(ctx, fetch.Challenge{}); err != nil {
				return nil, err
			}
			if err := req.CheckHop(ctx, req.URL, req.URL); err != nil {
				return nil, err
			}
			time.Sleep(work)
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return &fetch.Response{URL: req.URL, Size: -1, Body: io.NopCloser(strings.NewReader("body"))}, nil
		})
		outer := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			return fetch.Do(ctx, inner, req)
		})
		req := &fetch.Request{
			URL:      &url.URL{Scheme: "http", Host: "h.example", Path: "/"},
			Timeouts: fetch.Timeouts{Total: time.Minute},
			CheckHop: func(context.Context, *url.URL, *url.URL) error { time.Sleep(time.Hour); return nil },
			Credentials: func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
				time.Sleep(time.Hour)
				return nil, nil
			},
		}
		resp, err := fetch.Do(t.Context(), outer, req)
		noError(t, err)
		if b, err := io.ReadAll(resp.Body); err != nil || string(b) != "body" {
			t.Errorf("got %q, %v, want %q", b, err, "body")
		}
		resp.Body.Close()
		work = 2 * time.Minute
		if _, err := fetch.Do(t.Context(), outer, req); fetch.KindOf(err) != fetch.Unavailable {
			t.Errorf("got %v, want unavailable", err)
		}
	})
}
