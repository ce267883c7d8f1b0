package cache_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("EXTBODY_CACHE_VICTIM"); dir != "" {
		victim(dir)
		return
	}
	goleak.VerifyTestMain(m)
}

// noError ends the test if err is not nil.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// equal reports an error unless got is want; what names the value.
func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// web is a fetcher that reaches loopback, and counts the requests.
type web struct {
	driver.Inspector
	asked atomic.Int64
}

func newWeb(t testing.TB) *web {
	guard := &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}
	w := &web{Inspector: httpfetch.New(&httpfetch.Options{Guard: guard})}
	t.Cleanup(w.CloseIdleConnections)
	return w
}

func (w *web) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	w.asked.Add(1)
	return w.Inspector.Fetch(ctx, req)
}

// counted starts a server and returns its URL and the number of requests so far.
func counted(t testing.TB, h http.HandlerFunc) (string, *atomic.Int64) {
	asked := new(atomic.Int64)
	return serve(t, func(rw http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		h(rw, r)
	}), asked
}

// serve starts a server and returns its URL.
func serve(t testing.TB, h http.HandlerFunc) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func request(t testing.TB, text string) *fetch.Request {
	t.Helper()
	u, err := url.Parse(text)
	noError(t, err)
	return &fetch.Request{URL: u}
}

func get(ctx context.Context, f fetch.Fetcher, req *fetch.Request) (string, *fetch.Response, error) {
	resp, err := fetch.Do(ctx, f, req)
	if err != nil {
		return "", nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), resp, err
}

// newDir returns a store in a directory of its own, and its path.
func newDir(t testing.TB, max int64) (cache.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c")
	return openDir(t, path, max), path
}

// stores returns a store of each kind.
func stores(t testing.TB, max int64) map[string]cache.Store {
	d, _ := newDir(t, max)
	return map[string]cache.Store{"Dir": d, "Memory": cache.Memory(max)}
}

// newCache returns a cache in memory, which the end of the test waits for.
func newCache(t testing.TB, next fetch.Fetcher) *cache.Cache {
	c := cache.New(next, cache.Memory(1<<20), nil)
	t.Cleanup(c.Wait)
	return c
}

// send writes a part of an answer at once.
func send[T string | []byte](rw http.ResponseWriter, part T) {
	rw.Write([]byte(part))
	rw.(http.Flusher).Flush()
}

// sendAll writes an answer in pieces of n octets.
func sendAll(rw http.ResponseWriter, text string, n int) {
	for part := range slices.Chunk([]byte(text), n) {
		send(rw, part)
	}
}

// set sets fields of an answer: names and values in turn.
func set(rw http.ResponseWriter, fields ...string) {
	for f := range slices.Chunk(fields, 2) {
		rw.Header().Set(f[0], f[1])
	}
}

// together runs do n times at once and waits for all.
func together(n int, do func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}

// login gives req the credentials of a user, or an error in their place.
func login(req *fetch.Request, user string, err error) *fetch.Request {
	req.Credentials = func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
		return &fetch.Userinfo{User: user}, err
	}
	return req
}

// answer is a response to req with this body.
func answer(req *fetch.Request, text string) *fetch.Response {
	return &fetch.Response{URL: req.URL, Status: 200, Size: -1, Body: io.NopCloser(strings.NewReader(text))}
}

// wantBody reports an error unless req gives the body want.
func wantBody(t testing.TB, f fetch.Fetcher, req *fetch.Request, want string) {
	t.Helper()
	if got, _, err := get(t.Context(), f, req); err != nil || got != want {
		t.Errorf("%s: got %d octets, %.30q, %v, want %d, %.30q, nil", req.URL, len(got), got, err, len(want), want)
	}
}

// wantKind reports an error unless req fails with the Kind want, or succeeds if that is 0.
func wantKind(t testing.TB, f fetch.Fetcher, req *fetch.Request, want fetch.Kind) {
	t.Helper()
	if _, _, err := get(t.Context(), f, req); fetch.KindOf(err) != want {
		t.Errorf("%s: got %v, want %v", req.URL, err, want)
	}
}

func openDir(t testing.TB, path string, max int64) cache.Store {
	t.Helper()
	d, err := cache.Dir(path, max)
	noError(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

// body returns n octets that no two offsets share a pattern in.
func body(n int) []byte {
	b := make([]byte, n)
	x := uint32(7)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

// One URL in 500 messages is one request and one stored body, also when ten of
// them ask at the same time.
func TestOneURLInManyMessages(t *testing.T) {
	d, path := newDir(t, 1<<20)
	for name, store := range map[string]cache.Store{"Dir": d, "Memory": cache.Memory(1 << 20)} {
		t.Run(name, func(t *testing.T) {
			want := string(body(100_000))
			w := newWeb(t)
			u := serve(t, func(rw http.ResponseWriter, _ *http.Request) { io.WriteString(rw, want) })
			c := cache.New(w, store, nil)
			together(10, func(int) {
				for range 50 {
					wantBody(t, c, request(t, u+"/a.png"), want)
				}
			})
			c.Wait()
			equal(t, "requests", w.asked.Load(), 1)
			if name == "Dir" {
				equal(t, "stored bodies", len(files(t, filepath.Join(path, "objects"))), 1)
			}
		})
	}
}

func files(t testing.TB, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, path)
		}
		return err
	})
	noError(t, err)
	return names
}

// A second run sends no body again, by freshness or by asking whether it has
// changed.
func TestSecondRun(t *testing.T) {
	for _, tt := range []struct {
		name    string
		header  http.Header
		later   time.Duration
		asked   int64
		bodies  int64
		changes bool
	}{
		{"NoWord", http.Header{}, time.Minute, 1, 1, false},
		{"NoWordLater", http.Header{}, time.Hour, 2, 2, false},
		{"Fresh", http.Header{"Cache-Control": {"max-age=7200"}}, time.Hour, 1, 1, false},
		{"StrongTag", http.Header{"Etag": {`"a"`}}, time.Hour, 2, 1, false},
		{"WeakTag", http.Header{"Etag": {`W/"a"`}}, time.Hour, 2, 1, false},
		{"NoCache", http.Header{"Etag": {`"a"`}, "Cache-Control": {"no-cache"}}, 0, 2, 1, false},
		{"NoStore", http.Header{"Etag": {`"a"`}, "Cache-Control": {"no-store"}}, 0, 2, 2, false},
		{"Changed", http.Header{"Etag": {`"a"`}}, time.Hour, 2, 2, true},
		{"VouchedStrong", http.Header{"Etag": {`"a"`}, "Content-Md5": {"XUFAKrxLKna5cZ2REBfFkg=="}}, time.Hour, 2, 1, false},
		{"VouchedWeak", http.Header{"Etag": {`W/"a"`}, "Content-Md5": {"XUFAKrxLKna5cZ2REBfFkg=="}}, time.Hour, 2, 2, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var bodies, asked atomic.Int64
			u := serve(t, func(rw http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				maps.Copy(rw.Header(), tt.header)
				if tag := tt.header.Get("Etag"); tag != "" && r.Header.Get("If-None-Match") == tag && !tt.changes {
					rw.WriteHeader(http.StatusNotModified)
					return
				}
				bodies.Add(1)
				io.WriteString(rw, "hello")
			})
			path := filepath.Join(t.TempDir(), "c")
			for i := range 2 {
				d := openDir(t, path, 1<<20)
				c := cache.SetNow(cache.New(newWeb(t), d, nil), func() time.Time { return time.Now().Add(time.Duration(i) * tt.later) })
				got, resp, err := get(t.Context(), c, request(t, u+"/?token=s3cr3t"))
				if err != nil || got != "hello" {
					t.Errorf("run %d: got %q, %v, want %q, nil", i, got, err, "hello")
				} else if tag := resp.Header.Get("Etag"); tag != tt.header.Get("Etag") {
					t.Errorf("run %d: got ETag %q, want %q", i, tag, tt.header.Get("Etag"))
				}
				c.Wait()
				d.Close()
			}
			if asked.Load() != tt.asked || bodies.Load() != tt.bodies {
				t.Errorf("got %d requests and %d bodies, want %d and %d", asked.Load(), bodies.Load(), tt.asked, tt.bodies)
			}
			for _, name := range files(t, path) {
				info, _ := os.Stat(name)
				if info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" || strings.Contains(name, "s3cr3t") {
					t.Errorf("%s: got mode %o, want 600 and a name that tells nothing", name, info.Mode().Perm())
				}
			}
		})
	}
}

// A stored answer is the one that the next fetcher returned. One that Do refuses is
// not stored, and the next fetch of it returns the same.
func TestSameResponse(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		header     []string
		kind       fetch.Kind
		asked      int64
	}{
		{"Stored", "hello", []string{"X-Any", "1", "Repr-Digest", "sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:"}, 0, 2},
		{"Refused", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x01\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00", []string{
			"Content-Disposition", "attachment; filename=x", "Content-Encoding", "gzip", "Cache-Control", "max-age=100", "Age", "3",
			"Repr-Digest", "sha-256=:FyP0PK/v02h7DYP3BvRuQOzPxvlkQLXDjgsCNJyzjW8=:",
		}, fetch.DigestMismatch, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := serve(t, func(rw http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/" {
					http.Redirect(rw, r, "/b%2Fc?x=1", http.StatusFound)
					return
				}
				set(rw, append(tt.header, "Content-Type", "image/png; a=b")...)
				io.WriteString(rw, tt.body)
			})
			w := newWeb(t)
			want, err := w.Fetch(t.Context(), asDo(request(t, u)))
			noError(t, err)
			want.Body.Close()
			d, _ := newDir(t, 1<<20)
			c := cache.New(w, d, nil)
			for i := range 2 {
				_, resp, err := get(t.Context(), c, request(t, u))
				if fetch.KindOf(err) != tt.kind || err == nil && (len(resp.Checks) != 1 || resp.Checks[0].Status != fetch.Match) {
					t.Errorf("got %+v, %v, want a match or %v", resp, err, tt.kind)
				}
				again, err := c.Fetch(t.Context(), asDo(request(t, u)))
				noError(t, err)
				again.Body.Close()
				same(t, fmt.Sprint("time ", i), again, want)
				if again.Header.Get("Age") == "" {
					t.Error("got no Age, want one")
				}
				c.Wait()
			}
			equal(t, "requests", w.asked.Load(), tt.asked)
		})
	}
}

// OP-39. A digest in an answer 304 is compared with the stored octets, also where the answer 200 had none.
func TestDigestOfNotModified(t *testing.T) {
	sum := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
	}
	for _, tt := range []struct {
		name, first, field, value string
		asked                     int64
		want                      string
	}{
		{"Same", "", "Repr-Digest", sum("hello"), 2, "hello"},
		{"SameAsBefore", sum("hello"), "Repr-Digest", sum("hello"), 2, "hello"},
		{"Other", "", "Repr-Digest", sum("other"), 3, "other"},
		{"OtherThanBefore", sum("hello"), "Repr-Digest", sum("other"), 3, "other"},
		{"Content", "", "Content-Digest", sum("other"), 3, "other"},
		{"NoContent", "", "Content-Digest", sum(""), 2, "hello"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var first atomic.Bool
			u, asked := counted(t, func(rw http.ResponseWriter, r *http.Request) {
				set(rw, "ETag", `"a"`, "Cache-Control", "no-cache")
				switch {
				case r.Header.Get("If-None-Match") != "":
					set(rw, tt.field, tt.value)
					rw.WriteHeader(http.StatusNotModified)
				case first.CompareAndSwap(false, true):
					if tt.first != "" {
						set(rw, "Repr-Digest", tt.first)
					}
					io.WriteString(rw, "hello")
				default:
					io.WriteString(rw, "other")
				}
			})
			c := newCache(t, newWeb(t))
			wantBody(t, c, request(t, u), "hello")
			wantBody(t, c, request(t, u), tt.want)
			equal(t, "requests", asked.Load(), tt.asked)
		})
	}
}

// asDo resolves the limits as Do does.
func asDo(req *fetch.Request) *fetch.Request {
	req.MaxBytes, req.MaxRedirects = -1, 10
	req.Timeouts = req.Timeouts.WithDefaults()
	return req
}

func same(t *testing.T, name string, got, want *fetch.Response) {
	t.Helper()
	g, w := *got, *want
	for _, r := range []*fetch.Response{&g, &w} {
		r.Body = nil
		driver.OfResponse(r).Resume = nil
		driver.OfResponse(r).Unasked = nil // of the connection
		r.RequestTime, r.ResponseTime = time.Time{}, time.Time{}
		r.Header = clean(r.Header)
		for i := range r.Hops {
			u := *r.Hops[i]
			r.Hops[i] = &u
		}
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("%s: got\n%+v, want\n%+v", name, g, w)
	}
}

func clean[M ~map[string][]string](h M) M {
	c := make(M)
	for k, v := range h {
		if k != "Age" && k != "Date" {
			c[k] = v
		}
	}
	return c
}

func TestKey(t *testing.T) {
	u, asked := counted(t, func(rw http.ResponseWriter, _ *http.Request) {
		io.WriteString(rw, "x")
	})
	base := func() *fetch.Request { return request(t, u+"/a?b=1") }
	for _, tt := range []struct {
		name   string
		change func(*fetch.Request)
		ctx    context.Context
		want   int64
	}{
		{"Same", func(*fetch.Request) {}, t.Context(), 1},
		{"Fragment", func(r *fetch.Request) { r.URL.Fragment = "k" }, t.Context(), 1},
		{"ContentID", func(r *fetch.Request) { r.ContentID = "<a@b>" }, t.Context(), 1},
		{"MaxBytes", func(r *fetch.Request) { r.MaxBytes = 7 }, t.Context(), 1},
		{"Text", func(r *fetch.Request) { r.Text = r.URL.String() }, t.Context(), 1},
		{"TextOfAnother", func(r *fetch.Request) { r.Text, r.URL.Path = r.URL.String(), "/c" }, t.Context(), 2},
		{"Query", func(r *fetch.Request) { r.URL.RawQuery = "b=2" }, t.Context(), 2},
		{"EscapedSlash", func(r *fetch.Request) { r.URL.RawPath, r.URL.Path = "/%61", "/a" }, t.Context(), 2},
		{"EmptyQuery", func(r *fetch.Request) { r.URL.RawQuery, r.URL.ForceQuery = "", true }, t.Context(), 2},
		{"Accept", func(r *fetch.Request) { r.Accept = []string{"image/png"} }, t.Context(), 2},
		{"MediaType", func(r *fetch.Request) { r.MediaType = "image/png" }, t.Context(), 2},
		{"TransferType", func(r *fetch.Request) { r.TransferType = "a" }, t.Context(), 2},
		{"Login", func(r *fetch.Request) { r.Login = fetch.LoginAnonymous }, t.Context(), 2},
		{"Partition", func(*fetch.Request) {}, cache.WithPartition(t.Context(), "other"), 2},
		{"Conditions", func(r *fetch.Request) { r.Conditions = &fetch.Conditions{ETag: `"a"`} }, t.Context(), 2},
	} {
		asked.Store(0)
		c := newCache(t, newWeb(t))
		wantKind(t, c, base(), 0)
		c.Wait()
		req := base()
		tt.change(req)
		if _, _, err := get(tt.ctx, c, req); err != nil {
			t.Errorf("%s: got error %v, want none", tt.name, err)
		}
		c.Wait()
		equal(t, tt.name+": requests", asked.Load(), tt.want)
	}
}

// CheckHop and MaxRedirects hold for stored answers as for fresh ones.
func TestRedirectsOfStored(t *testing.T) {
	u := serve(t, func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(rw, r, "/b", http.StatusFound)
			return
		}
		io.WriteString(rw, "x")
	})
	c := newCache(t, newWeb(t))
	for i := range 2 {
		var hops []string
		req := request(t, u+"/")
		req.CheckHop = func(_ context.Context, from, to *url.URL) error {
			hops = append(hops, from.Path+">"+to.Path)
			return nil
		}
		if _, _, err := get(t.Context(), c, req); err != nil || !reflect.DeepEqual(hops, []string{"/>/b"}) {
			t.Errorf("%d: got hops %v, %v, want %q, nil", i, hops, err, "/>/b")
		}
		req = request(t, u+"/")
		req.CheckHop = func(context.Context, *url.URL, *url.URL) error { return errors.New("no") }
		wantKind(t, c, req, fetch.Denied)
		req = request(t, u+"/")
		req.MaxRedirects = -1
		wantKind(t, c, req, fetch.Protocol)
	}
}

func TestOffline(t *testing.T) {
	control := "max-age=1"
	u := serve(t, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Cache-Control", control)
		io.WriteString(rw, "x")
	})
	for _, tt := range []struct {
		control string
		want    fetch.Kind
	}{
		{"max-age=1", 0},
		{"max-age=1, must-revalidate", fetch.Deferred},
		{"max-age=9999, no-cache", fetch.Deferred},
		{"no-store", fetch.Deferred},
		{"max-age=999999", 0},
	} {
		control = tt.control
		store := cache.Memory(1 << 20)
		c := cache.New(newWeb(t), store, nil)
		wantBody(t, c, request(t, u+"/?"+url.QueryEscape(control)), "x")
		c.Wait()
		w := newWeb(t)
		c = cache.SetNow(cache.New(w, store, &cache.Options{Offline: true}), func() time.Time { return time.Now().Add(time.Hour) })
		wantKind(t, c, request(t, u+"/?"+url.QueryEscape(control)), tt.want)
		if w.asked.Load() > 0 {
			t.Errorf("%s: got %d requests, want none", tt.control, w.asked.Load())
		}
	}
}

func TestNegative(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status int
		header http.Header
		later  time.Duration
		want   int64
	}{
		{"NotFound", 404, nil, time.Minute, 1},
		{"NotFoundLater", 404, nil, time.Hour, 2},
		{"ClockSetBack", 404, nil, -time.Minute, 2},
		{"NoStore", 404, http.Header{"Cache-Control": {"no-store"}}, 0, 2},
		{"NoCache", 404, http.Header{"Cache-Control": {"no-cache"}}, 0, 2},
		{"Short", 404, http.Header{"Cache-Control": {"max-age=30"}}, time.Minute, 2},
		{"ShortStill", 404, http.Header{"Cache-Control": {"max-age=70"}}, time.Minute, 1},
		{"Long", 404, http.Header{"Cache-Control": {"max-age=99999"}}, time.Hour, 2},
		{"Gone", 410, nil, time.Minute, 1},
		{"Forbidden", 403, nil, 0, 2},
		{"Error", 500, nil, 0, 2},
	} {
		u, asked := counted(t, func(rw http.ResponseWriter, _ *http.Request) {
			maps.Copy(rw.Header(), tt.header)
			rw.WriteHeader(tt.status)
		})
		now := time.Now()
		c := cache.SetNow(newCache(t, newWeb(t)), func() time.Time { return now })
		_, _, first := get(t.Context(), c, request(t, u))
		now = now.Add(tt.later)
		_, _, second := get(t.Context(), c, request(t, u))
		if first == nil || second == nil || fetch.KindOf(first) != fetch.KindOf(second) {
			t.Errorf("%s: got %v, then %v, want one Kind", tt.name, first, second)
		}
		equal(t, tt.name+": requests", asked.Load(), tt.want)
	}
}

// A host whose port refuses is not tried again for a while.
func TestDown(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	w := newWeb(t)
	c := newCache(t, w)
	for range 3 {
		wantKind(t, c, request(t, s.URL), fetch.Unavailable)
	}
	equal(t, "attempts", w.asked.Load(), 1)
}

// A file of ftp is asked about by its size and time, and kept only where the
// server has both.
func TestFTP(t *testing.T) {
	const modified = "Sun, 01 Mar 2026 12:00:00 GMT"
	for _, tt := range []struct {
		name     string
		size     int64
		modified string
		changes  bool
		bodies   int
	}{
		{"Both", 5, modified, false, 1},
		{"Changed", 5, modified, true, 2},
		{"NoSize", -1, modified, false, 2},
		{"NoTime", 5, "", false, 2},
	} {
		bodies := 0
		next := fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
			resp := &fetch.Response{URL: req.URL, Size: tt.size}
			if tt.modified != "" {
				resp.Header = map[string][]string{"Last-Modified": {tt.modified}}
			}
			if c := req.Conditions; c != nil && c.LastModified == tt.modified && c.Size == tt.size && !tt.changes {
				resp.NotModified, resp.Size, resp.Body = true, 0, http.NoBody
				return resp, nil
			}
			bodies++
			resp.Body = io.NopCloser(strings.NewReader("hello"))
			return resp, nil
		})
		now := time.Date(2026, 3, 1, 12, 0, 5, 0, time.UTC)
		c := cache.SetNow(newCache(t, next), func() time.Time { return now })
		for range 2 {
			wantBody(t, c, request(t, "ftp://h.example/"+tt.name+";type=i"), "hello")
			c.Wait()
			now = now.Add(48 * time.Hour)
		}
		equal(t, tt.name+": transfers", bodies, tt.bodies)
	}
}

// An observer gets the exchanges of the fetch that served it, by its own goroutine and before the
// end of the body. With the option it gets the ones that are kept with a stored answer too.
func TestObserve(t *testing.T) {
	u := serve(t, func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Etag", `"a"`)
		switch {
		case r.URL.Path == "/":
			http.Redirect(rw, r, "/b", http.StatusFound)
		case r.URL.Path == "/missing":
			http.NotFound(rw, r)
		case r.Header.Get("If-None-Match") != "":
			rw.WriteHeader(http.StatusNotModified)
		default:
			if r.URL.Path == "/long" {
				rw.Header().Set("X", strings.Repeat("x", 64<<10))
			}
			io.WriteString(rw, "x")
		}
	})
	for _, keep := range []bool{false, true} {
		now := time.Now()
		c := cache.SetNow(cache.New(newWeb(t), cache.Memory(1<<20), &cache.Options{Exchanges: keep}), func() time.Time { return now })
		for _, tt := range []struct {
			name, path string
			brief      bool
			later      time.Duration
			want, kept []int // status codes; negative without a head
		}{
			{"Missing", "/missing", false, 0, []int{404}, nil},
			{"KnownMissing", "/missing", false, 0, nil, nil},
			{"Fresh", "/", false, 0, []int{302, 200}, nil},
			{"Stored", "/", false, 0, nil, []int{302, 200}},
			{"Brief", "/", true, 0, nil, nil},
			{"LongHead", "/long", false, 0, []int{200}, nil},
			{"LongHeadStored", "/long", false, 0, nil, []int{-200}},
			{"Revalidated", "/", false, time.Hour, []int{302, 304}, []int{302, 200}},
		} {
			now = now.Add(tt.later)
			want := tt.want
			if keep {
				want = slices.Concat(want, tt.kept)
			}
			var got []int
			req := request(t, u+tt.path)
			driver.OfRequest(req).Brief = tt.brief
			req.Observe = func(x *fetch.Exchange) {
				if len(x.ResponseHead) == 0 {
					x.Status = -x.Status
				}
				got = append(got, x.Status)
			}
			resp, err := fetch.Do(t.Context(), c, req)
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
				if !slices.Equal(got, want) {
					t.Errorf("%s, keep %t: got %v at the end of the body, want %v", tt.name, keep, got, want)
				}
				resp.Body.Close()
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, keep %t: got %v, %v, want %v", tt.name, keep, got, err, want)
			}
		}
		c.Wait()
	}
}

// A body that nothing but the end of the connection ends may have broken off. It is
// not stored, and a reader gets a mark.
func TestUndelimited(t *testing.T) {
	asked := 0
	u := serve(t, func(rw http.ResponseWriter, _ *http.Request) {
		asked++
		c, _, err := rw.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		io.WriteString(c, "HTTP/1.0 200 OK\r\nCache-Control: max-age=1000\r\nETag: \"a\"\r\n\r\nhalf")
		c.Close()
	})
	d, _ := newDir(t, 1<<20)
	c := cache.New(newWeb(t), d, nil)
	for range 2 {
		got, resp, err := get(t.Context(), c, request(t, u))
		if err != nil || got != "half" || !resp.Undelimited {
			t.Errorf("got %q, %v, want half of an undelimited body", got, err)
		}
		c.Wait()
	}
	equal(t, "requests", asked, 2)
}

// An answer that the next Fetcher would have refused is refused also through the
// Cache.
func TestAudit(t *testing.T) {
	c := cache.New(newWeb(t).Inspector, cache.Memory(1<<20), nil)
	for text, want := range map[string]fetch.Kind{"http://127.0.0.1/x": 0, "http://10.0.0.1/x": fetch.Blocked} {
		if err := c.Audit(&fetch.Response{URL: request(t, text).URL}); fetch.KindOf(err) != want {
			t.Errorf("%s: got %v, want %v", text, err, want)
		}
	}
}
