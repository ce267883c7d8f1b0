package cache_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
)

// The target of a redirect is asked for anew after MinFresh, however long the
// answer at its end is good: it speaks for its own URL. The validators of one URL
// are not taken for the validators of another.
func TestRedirectLeadsElsewhere(t *testing.T) {
	const tag, date = `"1"`, "Mon, 05 Jan 2026 10:00:00 GMT"
	for _, tt := range []struct {
		name   string
		header http.Header // of both files, and of an answer 304
	}{
		{"Fresh", http.Header{"Cache-Control": {"max-age=31536000, immutable"}}},
		{"SameTag", http.Header{"Etag": {tag}, "Cache-Control": {"no-cache"}}},
		{"SameDate", http.Header{"Last-Modified": {date}, "Cache-Control": {"no-cache"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var version, bodies atomic.Int64
			version.Store(1)
			var leaked atomic.Pointer[string]
			u := serve(t, func(rw http.ResponseWriter, r *http.Request) {
				file := fmt.Sprintf("/v%d", version.Load())
				asked := r.Header.Get("If-None-Match") + r.Header.Get("If-Modified-Since")
				if r.URL.Path != file {
					if asked != "" {
						leaked.Store(&asked)
					}
					http.Redirect(rw, r, file, http.StatusFound)
					return
				}
				maps.Copy(rw.Header(), tt.header)
				if asked != "" {
					rw.WriteHeader(http.StatusNotModified)
					return
				}
				bodies.Add(1)
				io.WriteString(rw, file)
			})
			d, _ := newDir(t, 1<<20)
			for i, step := range []struct {
				version int64
				want    string
				bodies  int64
			}{{1, "/v1", 1}, {1, "/v1", 1}, {2, "/v2", 2}} {
				version.Store(step.version)
				c := cache.SetNow(cache.New(newWeb(t), d, nil), func() time.Time { return time.Now().Add(time.Duration(i) * time.Hour) })
				wantBody(t, c, request(t, u+"/latest"), step.want)
				if n := bodies.Load(); len(tt.header) == 2 && n != step.bodies {
					t.Errorf("%d: got %d bodies sent, want %d", i, n, step.bodies)
				}
				c.Wait()
			}
			if s := leaked.Load(); s != nil {
				t.Errorf("got the validator %q sent to another URL than it is of, want none", *s)
			}
		})
	}
}

// A fetcher that keeps the conditions through redirects does no harm.
func TestNotModifiedElsewhere(t *testing.T) {
	u := serve(t, func(rw http.ResponseWriter, r *http.Request) {
		set(rw, "ETag", `"1"`, "Cache-Control", "no-cache")
		if r.Header.Get("If-None-Match") != "" {
			rw.WriteHeader(http.StatusNotModified)
			return
		}
		io.WriteString(rw, r.URL.Path)
	})
	w := newWeb(t)
	path := "/v1"
	moving := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		r := *req
		r.URL = request(t, u+path).URL
		if r.Conditions != nil {
			c := *r.Conditions
			c.URL = ""
			r.Conditions = &c
		}
		return w.Fetch(ctx, &r)
	})
	c := newCache(t, moving)
	for _, path = range []string{"/v1", "/v2"} {
		wantBody(t, c, request(t, u+"/latest"), path)
	}
}
