package throttle_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/fetchtest"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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

// A web is a Fetcher for hosts that behave by their functions. It counts its
// requests, which have to be within its bounds at all times.
type web struct {
	t *testing.T

	mu       sync.Mutex
	hosts    map[string]func(ctx context.Context, req *fetch.Request) (*fetch.Response, error)
	asked    map[string]int
	inFlight map[string]int
	most     map[string]int // in flight at a time
	all, max int
	order    []string // the URLs, as they were asked for
	times    []time.Time
}

// bubble runs a test with a Throttle around a web, where time passes only while all wait.
func bubble(t *testing.T, hosts map[string]behaviour, opts *throttle.Options, test func(t *testing.T, w *web, f *throttle.Throttle)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWeb(t, hosts)
		test(t, w, throttle.New(w, opts))
	})
}

type behaviour = func(ctx context.Context, req *fetch.Request) (*fetch.Response, error)

func newWeb(t *testing.T, hosts map[string]behaviour) *web {
	return &web{t: t, hosts: hosts, asked: map[string]int{}, inFlight: map[string]int{}, most: map[string]int{}}
}

func (w *web) enter(u *url.URL) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked[u.Host]++
	w.inFlight[u.Host]++
	w.all++
	w.most[u.Host] = max(w.most[u.Host], w.inFlight[u.Host])
	w.max = max(w.max, w.all)
	w.order = append(w.order, u.String())
	w.times = append(w.times, time.Now())
}

func (w *web) leave(host string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.inFlight[host]--
	w.all--
}

func (w *web) count(host string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked[host]
}

// now returns how many are in flight at a host.
func (w *web) now(host string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.inFlight[host]
}

// set changes a host while it is asked.
func (w *web) set(host string, do behaviour) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hosts[host] = do
}

func (w *web) behaviour(host string) behaviour {
	w.mu.Lock()
	defer w.mu.Unlock()
	if do := w.hosts[host]; do != nil {
		return do
	}
	return answer("hello")
}

// A location is the error of a host that redirects.
type location string

func (l location) Error() string { return "redirect" }

func (w *web) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	at := req.URL
	for {
		if err := driver.Contact(ctx, req, at); err != nil {
			return nil, err
		}
		w.enter(at)
		host := at.Host
		resp, err := w.behaviour(host)(ctx, req)
		if to, ok := errors.AsType[location](err); ok {
			w.leave(host)
			at, _ = at.Parse(string(to))
			continue
		}
		if err != nil {
			w.leave(host)
			return nil, err
		}
		resp.URL = at
		b := &served{ReadCloser: resp.Body, close: sync.OnceFunc(func() { w.leave(host) })}
		resp.Body = b
		stop := context.AfterFunc(ctx, b.close) // the connection is closed then
		b.stop = func() { stop() }
		return resp, nil
	}
}

// A served body is in flight until it is closed or at its end.
type served struct {
	io.ReadCloser
	close, stop func()
}

func (b *served) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.stop()
		b.close()
	}
	return n, err
}

func (b *served) Close() error {
	b.stop()
	b.close()
	return b.ReadCloser.Close()
}

func answer(text string) behaviour { return after(0, text) }

// after answers after d.
func after(d time.Duration, text string) behaviour {
	return func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		select {
		case <-time.After(d):
			return &fetch.Response{Size: -1, Body: io.NopCloser(strings.NewReader(text))}, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func fails(err error) behaviour {
	return func(context.Context, *fetch.Request) (*fetch.Response, error) { return nil, err }
}

// hangs is a host that never answers.
func hangs(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	select {
	case <-time.After(req.Timeouts.FirstOctet):
		return nil, driver.NewTimeout("the answer")
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// A status is an answer that is not the object.
type status int

func (s status) Error() string { return "status" }
func (s status) Busy() bool    { return s == 429 || s == 503 }

// latency is how long a busy host takes to answer with 503.
const latency = time.Millisecond

func busyFor(d time.Duration) behaviour {
	return func(context.Context, *fetch.Request) (*fetch.Response, error) {
		time.Sleep(latency)
		return nil, &fetch.Error{Kind: fetch.Unavailable, Err: status(429), After: time.Now().Add(d)}
	}
}

var (
	errBusy     = &fetch.Error{Kind: fetch.Unavailable, Err: status(503)}
	errMissing  = &fetch.Error{Kind: fetch.NotFound, Err: status(404)}
	errRefused  = &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	errNoSuch   = &net.DNSError{Err: "no such host", IsNotFound: true}
	errReset    = &net.OpError{Op: "read", Err: syscall.ECONNRESET}
	errInternal = &fetch.Error{Kind: fetch.Unavailable, Err: status(500)}
)

func request(text string) *fetch.Request {
	u, err := url.Parse(text)
	if err != nil {
		panic(err)
	}
	return &fetch.Request{URL: u}
}

func get(ctx context.Context, f fetch.Fetcher, text string) error {
	resp, err := fetch.Do(ctx, f, request(text))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// wantKind reports an error unless a fetch fails with the Kind want, or succeeds if that is 0.
func wantKind(t testing.TB, f fetch.Fetcher, text string, want fetch.Kind) {
	t.Helper()
	if err := get(t.Context(), f, text); fetch.KindOf(err) != want {
		t.Errorf("%s: got %v, want %v", text, err, want)
	}
}

// A tally counts outcomes by host and Kind.
type tally struct {
	mu    sync.Mutex
	wg    sync.WaitGroup
	kinds map[string]map[fetch.Kind]int
	last  map[string]time.Duration // from the start to the last outcome
	errs  []error
	start time.Time
}

func newTally() *tally {
	return &tally{kinds: map[string]map[fetch.Kind]int{}, last: map[string]time.Duration{}, start: time.Now()}
}

// many gets n URLs at once, with a number in each if there is a "%d" in text.
func many(t testing.TB, f fetch.Fetcher, n int, text string) *tally {
	y := newTally()
	for i := range n {
		y.get(t.Context(), f, strings.Replace(text, "%d", strconv.Itoa(i), 1))
	}
	return y
}

// get gets a URL in a goroutine.
func (y *tally) get(ctx context.Context, f fetch.Fetcher, text string) {
	y.wg.Go(func() {
		err := get(ctx, f, text)
		u, _ := url.Parse(text)
		y.mu.Lock()
		defer y.mu.Unlock()
		if y.kinds[u.Host] == nil {
			y.kinds[u.Host] = map[fetch.Kind]int{}
		}
		y.kinds[u.Host][fetch.KindOf(err)]++
		y.last[u.Host] = time.Since(y.start)
		if err != nil {
			y.errs = append(y.errs, err)
		}
	})
}

// failed returns how many have failed so far.
func (y *tally) failed() int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return len(y.errs)
}

func (y *tally) want(t *testing.T, host string, want map[fetch.Kind]int) {
	t.Helper()
	y.wg.Wait()
	if got := y.kinds[host]; !maps.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", host, got, want)
	}
}

// keyOf is the part of a host after its first dot, or all of it.
func keyOf(u *url.URL) string {
	if _, domain, ok := strings.Cut(u.Hostname(), "."); ok {
		return domain
	}
	return u.Host
}

// All that holds for a Fetcher holds for one with a Throttle around it, also for
// one with limits that are in force.
func TestConformance(t *testing.T) {
	for name, opts := range map[string]*throttle.Options{
		"Default": nil,
		"Limited": {PerHost: 1, Fetches: 2, Rate: 1000},
	} {
		t.Run(name, func(t *testing.T) {
			web := httpfetch.New(&httpfetch.Options{Guard: fetchtest.Guard()})
			fetchtest.Run(t, fetchtest.Harness{
				Fetcher: throttle.New(web, opts),
				Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
					if obj.Fault == fetchtest.Forbidden {
						return request("http://[::1]/")
					}
					return request(serve(t, obj))
				},
				At:      func(host string) *fetch.Request { return request("http://" + host + "/") },
				Watches: true,
			})
		})
	}
}

// serve serves obj and returns its URL.
func serve(t *testing.T, obj fetchtest.Object) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := obj.Body
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		switch obj.Fault {
		case fetchtest.Missing:
			http.NotFound(w, r)
			return
		case fetchtest.Mute:
			<-r.Context().Done()
			panic(http.ErrAbortHandler)
		case fetchtest.Cut, fetchtest.Stalled:
			body = body[:len(body)/2]
		}
		w.Write(body)
		if obj.Fault == fetchtest.Good {
			return
		}
		http.NewResponseController(w).Flush()
		if obj.Fault == fetchtest.Stalled {
			<-r.Context().Done()
			obj.Left()
		}
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(s.Close)
	return s.URL
}
