package cache_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/driver"
)

// The rest of a body in another content coding than its start is refused, and nothing
// of it is stored.
func TestRestInAnotherCoding(t *testing.T) {
	want := body(100_000)
	u := serve(t, func(rw http.ResponseWriter, r *http.Request) {
		set(rw, "ETag", `"v"`, "Cache-Control", "max-age=60")
		if r.Header.Get("Range") != "" {
			set(rw, "Content-Encoding", "gzip", "Content-Range", fmt.Sprintf("bytes %s%d/%d", strings.TrimPrefix(r.Header.Get("Range"), "bytes="), len(want)-1, len(want)))
			rw.WriteHeader(http.StatusPartialContent)
			from, _ := strconv.Atoi(strings.Trim(r.Header.Get("Range"), "bytes=-"))
			rw.Write(want[from:])
			return
		}
		rw.Header().Set("Content-Length", strconv.Itoa(len(want)))
		send(rw, want[:1000])
		panic(http.ErrAbortHandler)
	})
	for range 2 {
		c := newCache(t, newWeb(t))
		got, _, err := get(t.Context(), c, request(t, u))
		if fetch.KindOf(err) != fetch.Truncated || len(got) > 1000 {
			t.Errorf("got %d octets, %v, want at most 1000, %v", len(got), err, fetch.Truncated)
		}
	}
}

// An answer that came after a login changes nothing that is stored, and an error after a
// login is not remembered.
func TestLoginChangesNothing(t *testing.T) {
	var private atomic.Bool
	var asked atomic.Int64
	next := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		asked.Add(1)
		resp := answer(req, "public")
		resp.Header = map[string][]string{"Etag": {`"a"`}, "Cache-Control": {"no-cache"}}
		if !private.Load() {
			return resp, nil
		}
		who, err := req.Credentials(ctx, fetch.Challenge{Scheme: "https", Host: "h"})
		if err != nil {
			return nil, err
		}
		if req.URL.Path == "/missing" {
			return nil, fetch.NotFound
		}
		resp.NotModified, resp.Status, resp.Size, resp.Body = true, 304, 0, http.NoBody
		resp.Header = map[string][]string{"Etag": {`"a"`}, "Cache-Control": {"max-age=9999"}, "X-User": {who.User}}
		return resp, nil
	})
	c := newCache(t, next)
	wantKind(t, c, request(t, "https://h/"), 0)
	private.Store(true)
	wantBody(t, c, login(request(t, "https://h/"), "u", nil), "public")
	private.Store(false)
	before := asked.Load()
	_, resp, err := get(t.Context(), c, request(t, "https://h/"))
	if err != nil || resp.Header.Get("X-User") != "" || asked.Load() == before {
		t.Errorf("the stored answer after a login: got %v, %v, %d requests, want it unchanged and validated", resp, err, asked.Load()-before)
	}
	private.Store(true)
	before = asked.Load()
	for _, user := range []string{"u", "v"} {
		wantKind(t, c, login(request(t, "https://h/missing"), user, nil), fetch.NotFound)
	}
	equal(t, "two users: requests", asked.Load()-before, 2)
}

// A body whose rest came after a login is not stored.
func TestLoginForTheRest(t *testing.T) {
	asked := 0
	next := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		asked++
		resp := &fetch.Response{URL: req.URL, Status: 200, Size: 10,
			Body: io.NopCloser(io.MultiReader(strings.NewReader("hello"), iotest.ErrReader(io.ErrUnexpectedEOF)))}
		driver.OfResponse(resp).Resume = &fetch.Conditions{ETag: `"a"`}
		if c := req.Conditions; c != nil && c.Offset > 0 {
			if _, err := req.Credentials(ctx, fetch.Challenge{Scheme: "https", Host: "h"}); err != nil {
				return nil, err
			}
			resp.Offset, resp.Size, resp.Body = 5, 5, io.NopCloser(strings.NewReader("world"))
		}
		return resp, nil
	})
	c := newCache(t, next)
	for range 2 {
		wantBody(t, c, login(request(t, "https://h/"), "", nil), "helloworld")
		c.Wait()
	}
	equal(t, "requests", asked, 4)
}

// After a revalidation the redirects are those that led to it.
func TestHopsAfterRevalidation(t *testing.T) {
	var moved atomic.Bool
	u := serve(t, func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/" && moved.Load():
			http.Redirect(rw, r, "/new", http.StatusFound)
		case r.URL.Path == "/":
			http.Redirect(rw, r, "/old", http.StatusFound)
		case r.URL.Path != "/file":
			http.Redirect(rw, r, "/file", http.StatusFound)
		case r.Header.Get("If-None-Match") != "":
			rw.WriteHeader(http.StatusNotModified)
		default:
			rw.Header().Set("Etag", `"a"`)
			io.WriteString(rw, "x")
		}
	})
	now := time.Now()
	c := cache.SetNow(newCache(t, newWeb(t)), func() time.Time { return now })
	for i, want := range []string{"/old", "/new", "/new"} {
		if i == 1 {
			moved.Store(true)
			now = now.Add(time.Hour)
		}
		var asked []string
		req := request(t, u+"/")
		req.CheckHop = func(_ context.Context, _, to *url.URL) error {
			asked = append(asked, to.Path)
			return nil
		}
		_, resp, err := get(t.Context(), c, req)
		if err != nil || len(resp.Hops) != 2 || resp.Hops[1].Path != want || !slices.Equal(asked, []string{want, "/file"}) {
			t.Errorf("%d: got %v, asked about %v, hops %v, want %s", i, err, asked, resp.Hops, want)
		}
		c.Wait()
	}
}

// A host that a redirect leads to and that refuses is not remembered for the URL that
// redirected.
func TestRefusedTarget(t *testing.T) {
	var asked atomic.Int64
	u := serve(t, func(rw http.ResponseWriter, r *http.Request) {
		if asked.Add(1); asked.Load() == 1 {
			http.Redirect(rw, r, "http://127.0.0.1:1/", http.StatusFound)
			return
		}
		io.WriteString(rw, "x")
	})
	c := newCache(t, newWeb(t))
	wantKind(t, c, request(t, u), fetch.Unavailable)
	wantBody(t, c, request(t, u), "x")
}

// Two lists of media types that look the same when they are joined are two requests.
func TestKeyOfAcceptLists(t *testing.T) {
	var asked atomic.Int64
	u := serve(t, func(rw http.ResponseWriter, _ *http.Request) { asked.Add(1) })
	c := newCache(t, newWeb(t))
	for _, accept := range [][]string{{"a/b", "c/d"}, {"a/b,c/d"}, {"a/b"}, {}} {
		req := request(t, u)
		req.Accept = accept
		wantKind(t, c, req, 0)
	}
	equal(t, "requests", asked.Load(), 4)
}

// The memory for missing objects is small, however much servers sent.
func TestNegativesAreSmall(t *testing.T) {
	u := serve(t, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("X-Long", strings.Repeat("x", 100<<10))
		rw.WriteHeader(http.StatusNotFound)
	})
	c := newCache(t, newWeb(t))
	for i := range 2 {
		_, _, err := get(t.Context(), c, request(t, u))
		if fetch.KindOf(err) != fetch.NotFound || !strings.Contains(err.Error(), "404") {
			t.Errorf("%d: got %v, want not-found and the status", i, err)
		}
		_, has := errors.AsType[interface {
			error
			Answer() (int, map[string][]string)
		}](err)
		if has != (i == 0) {
			t.Errorf("%d: got the header kept: %v, want it of the first answer alone", i, has)
		}
	}
	next := fetch.Func(func(context.Context, *fetch.Request) (*fetch.Response, error) {
		return nil, &fetch.Error{Kind: fetch.NotFound, Err: fmt.Errorf("%s", strings.Repeat("é", 100<<10))}
	})
	c = newCache(t, next)
	for i := range 2 {
		_, _, err := get(t.Context(), c, request(t, "ftp://h.example/a"))
		if fetch.KindOf(err) != fetch.NotFound || i == 1 && len(err.Error()) > 1000 {
			t.Errorf("%d: got an error of %d octets, %v, want a short one", i, len(err.Error()), fetch.KindOf(err))
		}
	}
}

// An answer 404 that varies by a field is not remembered where requests may differ in it.
func TestNegativeVary(t *testing.T) {
	u, asked := counted(t, func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Vary", "X-Who")
		rw.WriteHeader(http.StatusNotFound)
	})
	who := "a"
	c := cache.New(newWeb(t), cache.Memory(1<<20), &cache.Options{
		Header: func(context.Context, *fetch.Request) map[string][]string { return map[string][]string{"X-Who": {who}} },
	})
	for _, who = range []string{"a", "b"} {
		get(t.Context(), c, request(t, u))
	}
	equal(t, "requests", asked.Load(), 2)
}

// A caller who does not read on does not hold up the others, even one that is itself
// among them.
func TestLeaderDoesNotRead(t *testing.T) {
	want := string(body(300_000))
	u := serve(t, func(rw http.ResponseWriter, _ *http.Request) { io.WriteString(rw, want) })
	c := newCache(t, newWeb(t))
	first, err := fetch.Do(t.Context(), c, request(t, u))
	noError(t, err)
	defer first.Body.Close()
	wantBody(t, c, request(t, u), want)
}

// An error of the server is the error of all who wait, and their requests are not
// sent one after the other. An answer that may not be stored is fetched by each at
// the same time.
func TestWaitersAreNotInTurn(t *testing.T) {
	const waiters = 8
	for _, tt := range []struct {
		name   string
		handle http.HandlerFunc
		most   int64
		want   fetch.Kind
	}{
		{"Error", func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusForbidden) }, 1, fetch.Forbidden},
		{"NoStore", func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Cache-Control", "no-store")
			io.WriteString(rw, "x")
		}, waiters, 0},
		{"NoCache", func(rw http.ResponseWriter, _ *http.Request) {
			set(rw, "Cache-Control", "no-cache", "Etag", `"a"`)
			io.WriteString(rw, "x")
		}, waiters, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// The first answer waits for those who will wait for it, and each later one for another beside it.
			var requests, open atomic.Int64
			var once sync.Once
			beside := make(chan bool)
			var joined sync.WaitGroup
			joined.Add(waiters - 1)
			u, asked := counted(t, func(rw http.ResponseWriter, r *http.Request) {
				if requests.Add(1) == 1 {
					joined.Wait()
				} else {
					if open.Add(1) > 1 {
						once.Do(func() { close(beside) })
					}
					select {
					case <-beside:
					case <-time.After(2 * time.Second):
					}
					open.Add(-1)
				}
				tt.handle(rw, r)
			})
			c := newCache(t, newWeb(t))
			together(waiters, func(int) {
				req := request(t, u)
				waits := sync.OnceFunc(joined.Done)
				req.Progress = func(e fetch.Event) {
					if e.Phase == fetch.Waiting {
						waits()
					}
				}
				wantKind(t, c, req, tt.want)
			})
			c.Wait()
			if asked.Load() > tt.most {
				t.Errorf("got %d requests, want at most %d", asked.Load(), tt.most)
			}
			select {
			case <-beside:
			default:
				if asked.Load() > 2 {
					t.Error("got the later requests one after the other, want them side by side")
				}
			}
		})
	}
}

// OP-55: the answer to a call with an account is neither stored nor given to another request.
func TestCall(t *testing.T) {
	url, asked := counted(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=3600")
		io.WriteString(w, "octets for "+r.Header.Get("Authorization"))
	})
	c := cache.New(newWeb(t), cache.Memory(1<<20), nil)
	for _, token := range []string{"Bearer a", "Bearer b", ""} {
		req := request(t, url)
		if token != "" {
			driver.OfRequest(req).Call = map[string]string{"Authorization": token}
		}
		text, _, err := get(t.Context(), c, req)
		noError(t, err)
		equal(t, token, text, "octets for "+token)
		c.Wait()
	}
	equal(t, "requests", asked.Load(), 3)
}
