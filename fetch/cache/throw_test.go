package cache_test

import (
	"context"
	"errors"
	"io"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/testkit"
)

var errBoom = errors.New("boom")

// throws are the ways in which a caller's function does not return.
var throws = []struct {
	name  string
	throw func()
	want  any
}{
	{"Panic", func() { panic(errBoom) }, errBoom},
	{"Exit", runtime.Goexit, "exited"},
}

// A thrower is a Store and a Fetcher below a Cache. It throws once, in one place.
type thrower struct {
	cache.Store
	at   string
	do   func()
	open atomic.Int64 // items, drafts and bodies
}

func (c *thrower) here(at string) {
	if at == c.at {
		c.at = ""
		c.do()
	}
}

// A thrownCloser is an item, a draft or a body.
type thrownCloser struct {
	*thrower
	io.Closer
}

func (c *thrower) opened(x io.Closer) thrownCloser { c.open.Add(1); return thrownCloser{c, x} }
func (c thrownCloser) Close() error                { c.open.Add(-1); return c.Closer.Close() }

type (
	thrownBody struct {
		io.Reader
		thrownCloser
	}
	thrownDraft struct {
		cache.Draft
		closer thrownCloser
	}
	thrownItem struct {
		cache.Item
		closer thrownCloser
	}
)

func (b *thrownBody) Read(p []byte) (int, error)   { b.here("Read"); return b.Reader.Read(p) }
func (d *thrownDraft) Write(p []byte) (int, error) { d.closer.here("Write"); return d.Draft.Write(p) }
func (d *thrownDraft) Close() error                { return d.closer.Close() }
func (d *thrownDraft) Commit(key string, meta []byte) error {
	d.closer.here("Commit")
	return d.Draft.Commit(key, meta)
}
func (i *thrownItem) Open() io.ReadCloser { i.closer.here("Open"); return i.Item.Open() }
func (i *thrownItem) Close() error        { return i.closer.Close() }

func (c *thrower) Get(key string) (cache.Item, error) {
	c.here("Get")
	it, err := c.Store.Get(key)
	if err != nil {
		return nil, err
	}
	return &thrownItem{it, c.opened(it)}, nil
}

func (c *thrower) Create(size int64) (cache.Draft, error) {
	c.here("Create")
	d, err := c.Store.Create(size)
	return &thrownDraft{d, c.opened(d)}, err
}

func (c *thrower) Update(key string, it cache.Item, meta []byte) error {
	c.here("Update")
	return c.Store.Update(key, it.(*thrownItem).Item, meta)
}

func (c *thrower) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	c.here("Fetch")
	if req.Conditions != nil {
		resp := answer(req, "")
		resp.NotModified, resp.Header = true, map[string][]string{"Etag": {`"1"`}, "Cache-Control": {"no-cache"}}
		return resp, nil
	}
	if err := driver.Hop(ctx, req, req.URL, req.URL); err != nil {
		return nil, err
	}
	resp := answer(req, "hello")
	resp.Header = map[string][]string{"Etag": {`"1"`}, "Cache-Control": {"no-cache"}}
	resp.Body = &thrownBody{strings.NewReader("hello"), c.opened(io.NopCloser(nil))}
	return resp, nil
}

// TestThrows has functions of the caller and of the store that panic, or end their goroutine.
// That happens to the one who asked. Nothing stays open, one who waited gets an error, and the
// next request is served.
func TestThrows(t *testing.T) {
	for _, way := range throws {
		for _, at := range []string{"Fetch", "CheckHop", "Read", "Create", "Write", "Commit"} {
			t.Run(way.name+at, func(t *testing.T) {
				waiting := make(chan struct{})
				c := &thrower{Store: cache.Memory(1 << 20), at: at}
				f := cache.New(c, c, nil)
				req := func() *fetch.Request {
					return &fetch.Request{URL: &url.URL{Scheme: "https", Host: "h.example"}, CheckHop: func(context.Context, *url.URL, *url.URL) error {
						c.here("CheckHop")
						return nil
					}}
				}
				waited := make(chan error, 1)
				c.do = func() {
					go func() {
						r := req()
						r.Progress = func(e fetch.Event) {
							if e.Phase == fetch.Waiting {
								close(waiting)
							}
						}
						_, _, err := get(t.Context(), f, r)
						waited <- err
					}()
					<-waiting
					way.throw()
				}
				if got := testkit.Ended(func() { get(t.Context(), f, req()) }); got != way.want {
					t.Errorf("got %v, want %v", got, way.want)
				}
				if err := <-waited; !errors.Is(err, fetch.Local) {
					t.Errorf("who waited got %v, want %v", err, fetch.Local)
				}
				wantBody(t, f, req(), "hello")
				f.Wait()
				if n := c.open.Load(); n != 0 {
					t.Errorf("%d are open", n)
				}
			})
		}
	}
}

// TestThrowsWithStored has functions that panic when there is a stored answer, which the
// server confirms.
func TestThrowsWithStored(t *testing.T) {
	for _, way := range throws {
		for _, at := range []string{"Get", "Fetch", "Update", "Open", "Header"} {
			t.Run(way.name+at, func(t *testing.T) {
				c := &thrower{Store: cache.Memory(1 << 20), do: way.throw}
				f := cache.New(c, c, &cache.Options{Header: func(context.Context, *fetch.Request) map[string][]string {
					c.here("Header")
					return nil
				}})
				req := &fetch.Request{URL: &url.URL{Scheme: "https", Host: "h.example"}}
				wantBody(t, f, req, "hello")
				c.at = at
				if got := testkit.Ended(func() { get(t.Context(), f, req) }); got != way.want {
					t.Errorf("got %v, want %v", got, way.want)
				}
				wantBody(t, f, req, "hello")
				f.Wait()
				if n := c.open.Load(); n != 0 {
					t.Errorf("%d are open", n)
				}
			})
		}
	}
}

// TestThrowsLater has a store that panics after the reader of the body has gone on. Wait
// panics then, once.
func TestThrowsLater(t *testing.T) {
	for _, way := range throws {
		synctest.Test(t, func(t *testing.T) {
			c := &thrower{Store: cache.Memory(1 << 20), at: "Commit", do: func() {
				time.Sleep(time.Hour)
				way.throw()
			}}
			f := cache.New(c, c, nil)
			wantBody(t, f, &fetch.Request{URL: &url.URL{Scheme: "https", Host: "h.example"}}, "hello")
			for _, want := range []any{way.want, "returned"} {
				if got := testkit.Ended(f.Wait); got != want {
					t.Errorf("%s: got %v, want %v", way.name, got, want)
				}
			}
			if n := c.open.Load(); n != 0 {
				t.Errorf("%d are open", n)
			}
		})
	}
}
