package throttle_test

import (
	"context"
	"errors"
	"io"
	"net/url"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/testkit"
)

// A thrownBody calls functions when it is read and closed.
type thrownBody struct {
	io.ReadCloser
	here func(string)
}

func (b *thrownBody) Read(p []byte) (int, error) { b.here("Read"); return b.ReadCloser.Read(p) }
func (b *thrownBody) Close() error               { b.ReadCloser.Close(); b.here("Close"); return nil }

// TestThrows has functions of the caller that panic, or end their goroutine, where a request
// waits or has a slot. The slot is free after that, and the queue empty.
func TestThrows(t *testing.T) {
	boom := errors.New("boom")
	for _, way := range []struct {
		name  string
		throw func()
		want  any
	}{
		{"Panic", func() { panic(boom) }, boom},
		{"Exit", runtime.Goexit, "exited"},
	} {
		for _, at := range []string{"Key", "Gate", "Fetch", "Read", "Close", "Waiting", "WaitingEnds"} {
			t.Run(way.name+at, func(t *testing.T) {
				place := at
				here := func(at string) {
					if at == place {
						place = ""
						way.throw()
					}
				}
				hosts := map[string]behaviour{"h.example": func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
					here("Fetch")
					resp, err := answer("hello")(ctx, req)
					resp.Body = &thrownBody{resp.Body, here}
					return resp, err
				}}
				opts := &throttle.Options{PerHost: 1, Key: func(u *url.URL) string { here("Key"); return u.Host }}
				bubble(t, hosts, opts, func(t *testing.T, w *web, f *throttle.Throttle) {
					at := &url.URL{Scheme: "https", Host: "h.example"}
					var first *fetch.Response
					get := func(req *fetch.Request) {
						resp, err := fetch.Do(t.Context(), f, req)
						noError(t, err)
						defer resp.Body.Close()
						_, err = io.ReadAll(resp.Body)
						noError(t, err)
					}
					if place == "Waiting" || place == "WaitingEnds" {
						var err error
						first, err = fetch.Do(t.Context(), f, &fetch.Request{URL: at})
						noError(t, err)
					}
					got := testkit.Ended(func() {
						req := &fetch.Request{
							URL: at,
							Progress: func(e fetch.Event) {
								if e.Phase != fetch.Waiting {
									return
								}
								here("Waiting")
								first.Body.Close() // gives the slot to the one that throws
								here("WaitingEnds")
							},
						}
						driver.OfRequest(req).Gate = func(context.Context, *url.URL) error { here("Gate"); return nil }
						get(req)
					})
					equal(t, "end", got, way.want)
					if first != nil {
						first.Body.Close()
					}
					synctest.Wait()
					equal(t, "busy hosts", len(f.Hosts()), 0)
					get(&fetch.Request{URL: at})
				})
			})
		}
	}
}
