package fetch_test

import (
	"context"
	"io"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

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
		if err != nil {
			t.Fatal(err)
		}
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
