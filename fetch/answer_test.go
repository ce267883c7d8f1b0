package fetch_test

import (
	"context"
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/sharefetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// A broken is a Fetcher that breaks its contract.
type broken struct{ resp *fetch.Response }

func (b *broken) Fetch(context.Context, *fetch.Request) (*fetch.Response, error) { return b.resp, nil }

// TestNoAnswer has a Fetcher that returns no error and no body, alone and below each of the
// Fetchers around Fetchers.
func TestNoAnswer(t *testing.T) {
	at := &url.URL{Scheme: "https", Host: "h.example", Path: "/f"}
	share := &url.URL{Scheme: "https", Host: "www.dropbox.com", Path: "/s/au3bned42n0x8q1/minutes.pdf"}
	for _, tt := range []struct {
		name string
		resp *fetch.Response
		text string
	}{
		{"Nothing", nil, "*fetch_test.broken returned neither a Response nor an error"},
		{"NoBody", &fetch.Response{URL: at, Size: -1}, "*fetch_test.broken returned a Response without a Body"},
	} {
		for name, around := range map[string]func(fetch.Fetcher) fetch.Fetcher{
			"Alone":    func(f fetch.Fetcher) fetch.Fetcher { return f },
			"Mux":      func(f fetch.Fetcher) fetch.Fetcher { m := new(fetch.Mux); m.Handle("https", f); return m },
			"Layer":    func(f fetch.Fetcher) fetch.Fetcher { return driver.Layer{Next: f} },
			"Share":    func(f fetch.Fetcher) fetch.Fetcher { return sharefetch.New(f) },
			"Cache":    func(f fetch.Fetcher) fetch.Fetcher { return cache.New(f, cache.Memory(1<<20), nil) },
			"Throttle": func(f fetch.Fetcher) fetch.Fetcher { return throttle.New(f, nil) },
		} {
			t.Run(tt.name+name, func(t *testing.T) {
				for _, u := range []*url.URL{at, share} {
					resp, err := fetch.Do(t.Context(), around(&broken{tt.resp}), &fetch.Request{URL: u})
					if resp != nil || !errors.Is(err, fetch.Protocol) || !strings.Contains(err.Error(), tt.text) {
						t.Errorf("%s: got %v, %v, want nil, %v with %q", u, resp, err, fetch.Protocol, tt.text)
					}
				}
			})
		}
	}
}

// TestNoRest has a Fetcher that gives no answer when it is asked for the rest of a body.
func TestNoRest(t *testing.T) {
	asked := 0
	f := fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		if asked++; asked > 1 {
			return nil, nil
		}
		resp := &fetch.Response{Size: 10, Body: io.NopCloser(strings.NewReader("1234"))}
		driver.OfResponse(resp).Resume = &fetch.Conditions{ETag: `"1"`}
		return resp, nil
	})
	resp, err := fetch.Do(t.Context(), f, &fetch.Request{URL: &url.URL{Scheme: "https", Host: "h.example"}})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadAll(resp.Body); !errors.Is(err, fetch.Truncated) || !strings.Contains(err.Error(), "fetch.Func returned") {
		t.Errorf("got %v after %d requests, want %v", err, asked, fetch.Truncated)
	}
	if got := resp.URL.String(); got != "https://h.example" {
		t.Errorf("got %q, want the URL of the request", got)
	}
}
