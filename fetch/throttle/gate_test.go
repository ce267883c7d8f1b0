package throttle_test

import (
	"context"
	"io"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// The Gate of the caller is asked after the wait for the host: its answer may have changed meanwhile (OP-51). A
// request that it refuses leaves its turn to the next.
func TestGateAfterWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := throttle.New(fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			if err := driver.Contact(ctx, req, req.URL); err != nil {
				return nil, err
			}
			time.Sleep(time.Minute)
			return &fetch.Response{URL: req.URL, Body: io.NopCloser(strings.NewReader(""))}, nil
		}), &throttle.Options{PerHost: 1, MaxWait: time.Hour})
		start := time.Now()
		for i, want := range []time.Duration{0, time.Minute, time.Minute} {
			go func() {
				req := &fetch.Request{URL: &url.URL{Scheme: "http", Host: "a.example", Path: "/"}}
				driver.OfRequest(req).Gate = func(context.Context, *url.URL) error {
					if got := time.Since(start); got != want {
						t.Errorf("request %d: got the Gate asked after %v, want %v", i, got, want)
					}
					if i == 1 {
						return &fetch.Error{Kind: fetch.Local}
					}
					return nil
				}
				resp, err := f.Fetch(t.Context(), req)
				if fetch.KindOf(err) == fetch.Local != (i == 1) {
					t.Errorf("request %d: got %v", i, err)
				}
				if err == nil {
					resp.Body.Close()
				}
			}()
			synctest.Wait()
		}
		time.Sleep(time.Hour)
	})
}
