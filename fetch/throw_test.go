package fetch_test

import (
	"context"
	"errors"
	"io"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/testkit"
)

// A closer notes that it was closed.
type closer struct {
	io.Reader
	closed bool
}

func (c *closer) Close() error { c.closed = true; return nil }

// TestDoThrows has functions that panic, or end their goroutine, below Do. The context of the
// fetch has ended then, so that a Fetcher's connections are closed.
func TestDoThrows(t *testing.T) {
	boom := errors.New("boom")
	for _, way := range []struct {
		name  string
		throw func()
		want  any
	}{
		{"Panic", func() { panic(boom) }, boom},
		{"Exit", runtime.Goexit, "exited"},
	} {
		for _, at := range []string{"Fetch", "CheckHop", "Observe", "Close"} {
			t.Run(way.name+at, func(t *testing.T) {
				here := func(place string) {
					if place == at {
						way.throw()
					}
				}
				var fetching context.Context
				body := &closer{Reader: strings.NewReader("body")}
				f := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
					fetching = ctx
					here("Fetch")
					if err := driver.Hop(ctx, req, req.URL, req.URL); err != nil {
						return nil, err
					}
					resp := &fetch.Response{URL: req.URL, Size: 4, Body: body}
					driver.OfResponse(resp).Exchange = driver.Begin(req, "http", req.URL, 0)
					if at == "Close" {
						resp.Body = struct {
							io.Reader
							io.Closer
						}{body, closeFunc(func() error { body.Close(); way.throw(); return nil })}
					} else {
						resp.Size = 5000 // too large, so that the Exchange ends
					}
					return resp, nil
				})
				req := &fetch.Request{
					URL: &url.URL{Scheme: "https", Host: "h.example"}, MaxBytes: 10,
					CheckHop: func(context.Context, *url.URL, *url.URL) error { here("CheckHop"); return nil },
					Observe:  func(*fetch.Exchange) { here("Observe") },
				}
				got := testkit.Ended(func() {
					resp, err := fetch.Do(t.Context(), f, req)
					if err == nil {
						resp.Body.Close()
					}
				})
				if got != way.want || fetching.Err() == nil {
					t.Errorf("got %v, context %v, want %v, an ended one", got, fetching.Err(), way.want)
				}
				if opened := at == "Observe" || at == "Close"; opened && !body.closed {
					t.Error("the body is open")
				}
			})
		}
	}
}

type closeFunc func() error

func (f closeFunc) Close() error { return f() }
