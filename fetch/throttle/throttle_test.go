package throttle_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// One hundred references to a host that answers 429 with Retry-After: 600 are two
// requests. The rest is deferred, with the time.
func TestRetryAfter(t *testing.T) {
	bubble(t, map[string]behaviour{"busy": busyFor(10 * time.Minute)}, nil, func(t *testing.T, w *web, f *throttle.Throttle) {
		y := many(t, f, 100, "http://busy/%d")
		y.wg.Wait()
		asked := w.count("busy")
		equal(t, "requests", asked, 2)
		y.want(t, "busy", map[fetch.Kind]int{fetch.Unavailable: asked, fetch.Deferred: 100 - asked})
		until := y.start.Add(latency + 10*time.Minute)
		for _, err := range y.errs {
			if e, ok := errors.AsType[*fetch.Error](err); !ok || !e.After.Equal(until) {
				t.Errorf("%v: got the time %v, want %v", err, e.After, until)
			}
		}
		if took := time.Since(y.start); took != latency {
			t.Errorf("it took %v, want %v", took, latency)
		}
		// No request is sent before the time. One that arrives shortly before it
		// waits for it.
		for _, c := range []struct {
			before time.Duration
			asks   bool
		}{{time.Hour, false}, {11 * time.Second, false}, {10 * time.Second, true}} {
			time.Sleep(time.Until(until.Add(-c.before)))
			err := get(t.Context(), f, "http://busy/")
			if got := w.count("busy") > asked; got != c.asks {
				t.Errorf("%v before the time: got %v and %v, want %v", c.before, err, got, c.asks)
			}
		}
		if at := w.times[asked]; at.Before(until) {
			t.Errorf("got the next request %v before the time, want none before it", until.Sub(at))
		}
	})
}

// A host that names a time soon is asked again then, by all, beginning with one.
func TestRetryAfterSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := time.Now().Add(5 * time.Second)
		w := newWeb(t, map[string]behaviour{"busy": func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			time.Sleep(latency)
			if time.Now().Before(free) {
				return nil, &fetch.Error{Kind: fetch.Unavailable, Err: status(503), After: free}
			}
			return answer("ok")(ctx, req)
		}})
		f := throttle.New(w, nil)
		y := many(t, f, 50, "http://busy/%d")
		y.want(t, "busy", map[fetch.Kind]int{0: 50})
		equal(t, "requests", w.count("busy"), 52)
		for _, at := range w.times[2:] {
			if at.Before(free) {
				t.Errorf("got a request %v after the start, want none before %v", at.Sub(y.start), free.Sub(y.start))
			}
		}
		if !w.times[3].After(w.times[2]) {
			t.Error("got more than one request at first, want one")
		}
	})
}

// A link that the host turned away goes to the end of the queue of its host: all others that
// wait are asked for before it is asked for again.
func TestTurnedAwayLast(t *testing.T) {
	busy := busyFor(time.Second)
	hosts := map[string]behaviour{"one.example": func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		if req.URL.Path == "/busy" {
			return busy(ctx, req)
		}
		return after(latency, "hello")(ctx, req)
	}}
	bubble(t, hosts, &throttle.Options{PerHost: 1}, func(t *testing.T, w *web, f *throttle.Throttle) {
		y := newTally()
		y.get(t.Context(), f, "http://one.example/busy")
		synctest.Wait()
		for i := range 9 {
			y.get(t.Context(), f, "http://one.example/"+strconv.Itoa(i))
		}
		y.wg.Wait()
		for i, u := range w.order {
			if want := i == 0 || i >= 10; strings.HasSuffix(u, "/busy") != want {
				t.Errorf("request %d: got %s of %s", i, u, w.order)
			}
		}
		equal(t, "requests", len(w.order), 12)
	})
}

// Without Retry-After a busy host is left alone for longer each time, and not
// for the same time by everybody.
func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, host := range []string{"busy", "retry"} {
			w := newWeb(t, map[string]behaviour{"busy": fails(errBusy), "retry": busyFor(0)})
			f := throttle.New(w, &throttle.Options{MaxWait: time.Hour})
			for len(w.times) < 12 {
				if err := get(t.Context(), f, "http://"+host+"/"); fetch.KindOf(err) != fetch.Unavailable {
					t.Fatal(err)
				}
			}
			var pauses []time.Duration
			for i, at := range w.times[1:] {
				d := at.Sub(w.times[i])
				pauses = append(pauses, d)
				most := min(time.Second<<i, 5*time.Minute)
				if d < most/2 || d > most+latency { // an answer takes that long
					t.Errorf("%s: pause %d: got %v, want %v to %v", host, i, d, most/2, most)
				}
			}
			if even := slices.IndexFunc(pauses, func(d time.Duration) bool { return d%time.Millisecond != 0 }); even < 0 {
				t.Errorf("%s: got pauses %v, want some chance in them", host, pauses)
			}
			// An answer ends that.
			w.hosts[host] = answer("ok")
			wantKind(t, f, "http://"+host+"/", 0)
			start := time.Now()
			if err := get(t.Context(), f, "http://"+host+"/"); err != nil || time.Since(start) > 0 {
				t.Errorf("%s: got %v after %v, want nil at once", host, err, time.Since(start))
			}
		}
	})
}

// A pause that a host asks for is kept for a day at most. A time that has passed
// asks for nothing.
func TestRetryAfterAbsurd(t *testing.T) {
	const day, century = 24 * time.Hour, 100 * 365 * 24 * time.Hour
	for _, c := range []struct {
		after time.Duration
		free  time.Duration // when it is asked again
	}{{day - time.Hour, day - time.Hour}, {day + time.Hour, day}, {century, day}, {-century, time.Second}} {
		bubble(t, map[string]behaviour{"busy": busyFor(c.after)}, &throttle.Options{MaxWait: -1}, func(t *testing.T, w *web, f *throttle.Throttle) {
			get(t.Context(), f, "http://busy/")
			w.hosts["busy"] = answer("ok")
			if c.free > time.Second {
				time.Sleep(c.free - time.Second)
				wantKind(t, f, "http://busy/", fetch.Deferred)
			}
			time.Sleep(time.Second)
			wantKind(t, f, "http://busy/", 0)
		})
	}
}

// Sixty references to a host that hangs cost three time-outs, and the two hundred
// to other hosts wait for none of them.
func TestHangingHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWeb(t, map[string]behaviour{"hangs": hangs})
		for i := range 20 {
			w.hosts[fmt.Sprintf("good%d", i)] = after(100*time.Millisecond, "ok")
		}
		f := throttle.New(w, &throttle.Options{Fetches: 12})
		y := newTally()
		for i := range 200 {
			if i < 60 {
				y.get(t.Context(), f, fmt.Sprintf("http://hangs/%d", i))
			}
			y.get(t.Context(), f, fmt.Sprintf("http://good%d/%d", i%20, i))
		}
		y.wg.Wait()
		if got := w.count("hangs"); got > 3 {
			t.Errorf("got %d requests to the host that hangs, want at most 3", got)
		}
		y.want(t, "hangs", map[fetch.Kind]int{fetch.Unavailable: 3, fetch.Deferred: 57})
		for i := range 20 {
			host := fmt.Sprintf("good%d", i)
			y.want(t, host, map[fetch.Kind]int{0: 10})
			if took := y.last[host]; took > 10*time.Second {
				t.Errorf("%s: got all after %v, want within 10s", host, took)
			}
		}
		if w.max > 12 {
			t.Errorf("got %d fetches at a time, want at most 12", w.max)
		}
	})
}

func TestDown(t *testing.T) {
	for _, c := range []struct {
		name   string
		do     behaviour
		before int // requests until it is down; 0 for never
	}{
		{"Hangs", hangs, 3},
		{"Refuses", fails(errRefused), 1},
		{"NoSuchHost", fails(errNoSuch), 1},
		{"Resets", fails(errReset), 0},
		{"Missing", fails(errMissing), 0},
		{"InternalError", fails(errInternal), 0},
		{"Blocked", fails(fetch.Blocked), 0},
		{"Untrusted", fails(fetch.Untrusted), 0},
		{"Stalls", stalls, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, map[string]behaviour{"bad": c.do}, nil, func(t *testing.T, w *web, f *throttle.Throttle) {
				n := c.before
				if n == 0 {
					n = 10
				}
				for i := range n {
					if err := get(t.Context(), f, "http://bad/"); err == nil || fetch.KindOf(err) == fetch.Deferred {
						t.Fatalf("request %d: got %v, want an error of the host", i, err)
					}
				}
				start := time.Now()
				err := get(t.Context(), f, "http://bad/")
				if down := w.count("bad") == n; down != (c.before > 0) {
					t.Fatalf("got %v and %d requests, want down after %d", err, w.count("bad"), c.before)
				}
				if c.before == 0 {
					return
				}
				if fetch.KindOf(err) != fetch.Deferred || time.Since(start) > 0 || !fetch.AfterOf(err).Equal(start.Add(time.Minute)) {
					t.Errorf("got %v after %v, want deferred for a minute", err, time.Since(start))
				}
				wantKind(t, f, "http://bad:81/", 0)
				// One request shows whether it is up. Each time that it is not it
				// stays down for twice as long.
				for i, d := range []time.Duration{1, 2, 4, 8, 16, 16} {
					hosts := f.Hosts()
					if len(hosts) != 1 || hosts[0].Name != "bad:80" || hosts[0].Down.Sub(start) != d*time.Minute {
						t.Fatalf("probe %d: got the hosts %v, want one that is down for %d minutes", i, hosts, d)
					}
					time.Sleep(time.Until(hosts[0].Down))
					y := many(t, f, 5, "http://bad/")
					y.wg.Wait()
					start = time.Now()
					if got, want := w.count("bad"), n+1+i; got != want {
						t.Errorf("probe %d: got %d requests, want %d", i, got, want)
					}
				}
				time.Sleep(17 * time.Minute)
				w.hosts["bad"] = answer("ok")
				y := many(t, f, 20, "http://bad/")
				y.want(t, "bad", map[fetch.Kind]int{0: 20})
				equal(t, "hosts that are known", len(f.Hosts()), 0)
			})
		})
	}
}

// stalls is a host whose bodies stop coming.
func stalls(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	return &fetch.Response{Size: 10, Body: stalling{ctx}}, nil
}

type stalling struct{ ctx context.Context }

func (b stalling) Read(p []byte) (int, error) {
	<-b.ctx.Done()
	return 0, context.Cause(b.ctx)
}

func (b stalling) Close() error { return nil }

// An answer between two time-outs, or a body between two that stop coming, starts the count
// anew.
func TestFaultsInARow(t *testing.T) {
	for _, c := range []struct{ fault, good behaviour }{{hangs, fails(errMissing)}, {stalls, answer("ok")}} {
		bubble(t, map[string]behaviour{}, nil, func(t *testing.T, w *web, f *throttle.Throttle) {
			for i := range 20 {
				w.hosts["h"] = []behaviour{c.fault, c.fault, c.good}[i%3]
				if err := get(t.Context(), f, "http://h/"); fetch.KindOf(err) == fetch.Deferred {
					t.Fatalf("request %d: got %v, want what the host says", i, err)
				}
			}
		})
	}
}

// A host that has missed one answer and gives the others has all that wait for
// it.
func TestMissedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := true
		w := newWeb(t, nil)
		w.hosts = map[string]behaviour{"h": func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			w.mu.Lock()
			hang := first
			first = false
			w.mu.Unlock()
			if hang {
				return hangs(ctx, req)
			}
			time.Sleep(40 * time.Second)
			return nil, errMissing
		}}
		f := throttle.New(w, &throttle.Options{PerHost: 6})
		first = false
		for range 6 { // from now on it may have six at a time
			get(t.Context(), f, "http://h/")
		}
		first = true
		y := many(t, f, 20, "http://h/")
		y.want(t, "h", map[fetch.Kind]int{fetch.Unavailable: 1, fetch.NotFound: 19})
	})
}

// A request that was sent before a host was found to be down shows nothing new.
func TestLateRefusal(t *testing.T) {
	bubble(t, map[string]behaviour{"h": func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		if req.URL.Path == "/late" {
			time.Sleep(time.Second)
		}
		return nil, errRefused
	}}, nil, func(t *testing.T, w *web, f *throttle.Throttle) {
		y := newTally()
		y.get(t.Context(), f, "http://h/late")
		synctest.Wait()
		y.get(t.Context(), f, "http://h/")
		y.want(t, "h", map[fetch.Kind]int{fetch.Unavailable: 2})
		if hosts := f.Hosts(); len(hosts) != 1 || hosts[0].Down.Sub(y.start) != time.Minute {
			t.Errorf("got %v, want a host that is down for a minute from %v", hosts, y.start)
		}
	})
}

// A refused connection is the answer of the host to other requests for a minute. After that a host that is down
// still has not answered them (OP-49).
func TestRefusedAMomentAgo(t *testing.T) {
	bubble(t, map[string]behaviour{"h": fails(errRefused), "busy": busyFor(time.Hour)}, nil, func(t *testing.T, w *web, f *throttle.Throttle) {
		refused := func(text string, want bool) {
			t.Helper()
			err := get(t.Context(), f, text)
			if fetch.KindOf(err) != fetch.Deferred || errors.Is(err, throttle.ErrRefused) != want {
				t.Errorf("%s after %v: got %v, want it deferred, and refused: %t", text, time.Since(w.times[0]), err, want)
			}
		}
		wantKind(t, f, "http://h/", fetch.Unavailable)
		refused("http://h/1", true)
		time.Sleep(time.Minute)
		wantKind(t, f, "http://h/probe", fetch.Unavailable)
		refused("http://h/2", true)
		time.Sleep(time.Minute + time.Second) // of the two for which it is down now
		refused("http://h/3", false)
		wantKind(t, f, "http://busy/", fetch.Unavailable)
		refused("http://busy/", false)
	})
}

// While a request shows whether a host is still down, others wait for a while.
func TestProbeThatHangs(t *testing.T) {
	bubble(t, map[string]behaviour{"h": fails(errRefused)}, nil, func(t *testing.T, w *web, f *throttle.Throttle) {
		get(t.Context(), f, "http://h/")
		time.Sleep(time.Minute)
		w.hosts["h"] = hangs
		y := newTally()
		y.get(t.Context(), f, "http://h/probe")
		synctest.Wait()
		if err := get(t.Context(), f, "http://h/"); fetch.KindOf(err) != fetch.Deferred || time.Since(y.start) != 10*time.Second {
			t.Errorf("got %v after %v, want deferred after 10 s", err, time.Since(y.start))
		}
		y.want(t, "h", map[fetch.Kind]int{fetch.Unavailable: 1})
		equal(t, "requests", w.count("h"), 2)
	})
}

// A request that is to be repeated, and then is not, fails with the answer of the
// host to it.
func TestRepetitionDeferred(t *testing.T) {
	bubble(t, map[string]behaviour{"h": func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		if req.URL.Path == "/soon" {
			return busyFor(5*time.Second)(ctx, req)
		}
		time.Sleep(time.Second)
		return busyFor(9*time.Minute)(ctx, req)
	}}, nil, func(t *testing.T, w *web, f *throttle.Throttle) {
		y := newTally()
		y.get(t.Context(), f, "http://h/late")
		y.get(t.Context(), f, "http://h/soon")
		y.want(t, "h", map[fetch.Kind]int{fetch.Unavailable: 2})
		equal(t, "requests", w.count("h"), 2)
	})
}

// The deadlines of callers show nothing of a host.
func TestCallersDeadline(t *testing.T) {
	bubble(t, map[string]behaviour{"h": after(time.Second, "ok")}, nil, func(t *testing.T, w *web, f *throttle.Throttle) {
		for range 10 {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			if err := get(ctx, f, "http://h/"); fetch.KindOf(err) != fetch.Canceled {
				t.Errorf("got %v, want %v", err, fetch.Canceled)
			}
			cancel()
		}
		wantKind(t, f, "http://h/", 0)
	})
}

func TestPerHost(t *testing.T) {
	for _, c := range []struct{ perHost, most int }{{0, 2}, {1, 1}, {2, 2}, {6, 6}, {-1, 100}} {
		bubble(t, map[string]behaviour{"a": after(time.Second, "ok"), "b": after(time.Second, "ok")}, &throttle.Options{PerHost: c.perHost}, func(t *testing.T, w *web, f *throttle.Throttle) {
			y := newTally()
			for i := range 100 {
				y.get(t.Context(), f, fmt.Sprintf("http://a/%d", i))
				y.get(t.Context(), f, fmt.Sprintf("http://b/%d", i))
			}
			synctest.Wait()
			if got, want := w.now("a"), min(2, c.most); got != want {
				t.Errorf("PerHost %d: got %d requests at first, want %d", c.perHost, got, want)
			}
			y.want(t, "a", map[fetch.Kind]int{0: 100})
			if c.perHost > 0 && w.most["a"] != c.most || w.most["a"] > c.most {
				t.Errorf("PerHost %d: got %d requests at a time, want %d", c.perHost, w.most["a"], c.most)
			}
			y.want(t, "b", map[fetch.Kind]int{0: 100})
			if c.perHost >= 0 && (w.most["b"] != w.most["a"] || y.last["b"] != y.last["a"]) {
				t.Errorf("PerHost %d: got at most %d requests at a time until %v for b, want as for a %d until %v", c.perHost, w.most["b"], y.last["b"], w.most["a"], y.last["a"])
			}
		})
	}
}

// A body holds its turn until it is closed, at its end, or its context ends.
func TestTurnOfBody(t *testing.T) {
	for name, end := range map[string]func(*fetch.Response, context.CancelFunc){
		"Close":  func(r *fetch.Response, _ context.CancelFunc) { r.Body.Close() },
		"EOF":    func(r *fetch.Response, _ context.CancelFunc) { io.Copy(io.Discard, r.Body) },
		"Cancel": func(_ *fetch.Response, cancel context.CancelFunc) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := throttle.New(newWeb(t, nil), &throttle.Options{PerHost: 1})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				resp, err := fetch.Do(ctx, f, request("http://h/"))
				noError(t, err)
				defer resp.Body.Close()
				var done atomic.Bool
				go func() {
					wantKind(t, f, "http://h/", 0)
					done.Store(true)
				}()
				time.Sleep(30 * time.Minute)
				if hosts := f.Hosts(); done.Load() || len(hosts) != 1 || hosts[0].InFlight != 1 || hosts[0].Waiting != 1 {
					t.Errorf("the body is open: got the second request done %v and hosts %v, want false, and one in flight and one waiting", done.Load(), hosts)
				}
				end(resp, cancel)
				synctest.Wait()
				if !done.Load() {
					t.Error("the turn is over: got the second request waiting, want it done")
				}
				resp.Body.Close()
				resp.Body.Close()
				equal(t, "hosts that are known", len(f.Hosts()), 0)
			})
		})
	}
}

func TestMaxWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := throttle.New(newWeb(t, map[string]behaviour{"h": after(time.Minute, "ok")}), &throttle.Options{PerHost: 1, MaxWait: 5 * time.Second})
		y := many(t, f, 10, "http://h/")
		y.want(t, "h", map[fetch.Kind]int{0: 1, fetch.Deferred: 9})
		for _, err := range y.errs {
			if after := fetch.AfterOf(err); after.Sub(y.start) < 5*time.Second {
				t.Errorf("got the time %v of %v, want one at least 5s after the start", after, err)
			}
		}
		// None waits.
		f = throttle.New(newWeb(t, map[string]behaviour{"h": after(time.Minute, "ok")}), &throttle.Options{PerHost: 1, MaxWait: -1})
		y = many(t, f, 10, "http://h/")
		synctest.Wait()
		equal(t, "requests that did not wait", y.failed(), 9)
		y.want(t, "h", map[fetch.Kind]int{0: 1, fetch.Deferred: 9})
	})
}

// It is not the host's fault if the time for a whole fetch is spent in the
// queue.
func TestTotalInQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := throttle.New(newWeb(t, nil), &throttle.Options{PerHost: 1})
		resp, err := fetch.Do(t.Context(), f, request("http://h/"))
		noError(t, err)
		defer resp.Body.Close()
		for range 5 {
			req := request("http://h/")
			req.Timeouts.Total = time.Minute
			if _, err := fetch.Do(t.Context(), f, req); fetch.KindOf(err) != fetch.Deferred {
				t.Errorf("got %v, want deferred", err)
			}
		}
		resp.Body.Close()
		wantKind(t, f, "http://h/", 0)
		// Nor in the pause before a redirect within a host.
		f = throttle.New(newWeb(t, map[string]behaviour{"h": fails(location("/next"))}), &throttle.Options{Rate: 0.01, MaxWait: time.Hour})
		for range 3 {
			req := request("http://h/")
			req.Timeouts.Total = time.Minute
			time.Sleep(5 * time.Minute)
			_, err = fetch.Do(t.Context(), f, req)
		}
		equal(t, "the outcome of the third", fetch.KindOf(err), fetch.Deferred)
		equal(t, "hosts that are down", len(f.Hosts()), 0)
	})
}

func TestRate(t *testing.T) {
	bubble(t, map[string]behaviour{"h": after(3*time.Second, "ok"), "hop": fails(location("/next"))}, &throttle.Options{PerHost: 50, Rate: 2}, func(t *testing.T, w *web, f *throttle.Throttle) {
		y := many(t, f, 20, "http://h/")
		y.want(t, "h", map[fetch.Kind]int{0: 20})
		for i, at := range w.times[1:] {
			if d := at.Sub(w.times[i]); d < 500*time.Millisecond {
				t.Errorf("request %d: got it %v after the one before, want at least 500ms", i+1, d)
			}
		}
		// A redirect within a host is a request, too.
		w.times = nil
		n := 0
		w.hosts["hop"] = func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			if n++; n < 5 {
				return nil, location(fmt.Sprintf("/%d", n))
			}
			return answer("ok")(ctx, req)
		}
		wantKind(t, f, "http://hop/", 0)
		equal(t, "five requests", w.times[4].Sub(w.times[0]), 2*time.Second)
		// Where it is known that the wait is too long, it is not started.
		f = throttle.New(w, &throttle.Options{Rate: 1, MaxWait: 5500 * time.Millisecond})
		w.hosts["h"] = answer("ok")
		y = many(t, f, 20, "http://h/")
		synctest.Wait()
		equal(t, "requests deferred at once", y.failed(), 14)
		y.want(t, "h", map[fetch.Kind]int{0: 6, fetch.Deferred: 14})
	})
}

// A redirect to another host gives up the turn at the first, waits for its own at
// the second, and uses the facts that are known about that one.
func TestRedirect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWeb(t, map[string]behaviour{
			"a":    fails(location("http://b/")),
			"b":    after(time.Second, "ok"),
			"c":    fails(location("http://down/")),
			"down": fails(errRefused),
		})
		f := throttle.New(w, &throttle.Options{PerHost: 1})
		y := newTally()
		for range 10 {
			y.get(t.Context(), f, "http://a/")
			y.get(t.Context(), f, "http://b/")
		}
		y.want(t, "a", map[fetch.Kind]int{0: 10})
		y.want(t, "b", map[fetch.Kind]int{0: 10})
		if w.most["a"] != 1 || w.most["b"] != 1 {
			t.Errorf("got %v requests at a time, want 1", w.most)
		}
		for i := range 5 {
			err := get(t.Context(), f, "http://c/")
			want := fetch.Deferred
			if i == 0 {
				want = fetch.Unavailable
			}
			if fetch.KindOf(err) != want {
				t.Errorf("redirect %d: got %v, want %v", i, err, want)
			}
		}
		equal(t, "requests to the host that is down", w.count("down"), 1)
		equal(t, "requests to the host that redirects", w.count("c"), 5)
	})
}

// A circle of redirects among hosts, each with one turn, does not lock up.
func TestRedirectCircle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWeb(t, map[string]behaviour{})
		n := 0
		for i := range 3 {
			to := fmt.Sprintf("http://h%d/", (i+1)%3)
			w.hosts[fmt.Sprintf("h%d", i)] = func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
				w.mu.Lock()
				n++
				more := n < 500
				w.mu.Unlock()
				time.Sleep(time.Millisecond)
				if more {
					return nil, location(to)
				}
				return answer("ok")(ctx, req)
			}
		}
		f := throttle.New(w, &throttle.Options{PerHost: 1, Fetches: 2})
		y := newTally()
		for i := range 30 {
			y.get(t.Context(), f, fmt.Sprintf("http://h%d/", i%3))
		}
		for i := range 3 {
			y.want(t, fmt.Sprintf("h%d", i), map[fetch.Kind]int{0: 10})
		}
		if w.max > 2 {
			t.Errorf("got %d fetches at a time, want at most 2", w.max)
		}
	})
}

// Within a host requests go in the order in which they came; and hosts in turn,
// however many wait for one of them.
func TestFair(t *testing.T) {
	bubble(t, map[string]behaviour{"a": after(time.Second, "ok"), "b": after(time.Second, "ok")}, &throttle.Options{PerHost: 1, Fetches: 1}, func(t *testing.T, w *web, f *throttle.Throttle) {
		y := newTally()
		for i := range 100 {
			y.get(t.Context(), f, fmt.Sprintf("http://a/%03d", i))
			synctest.Wait()
		}
		for i := range 10 {
			y.get(t.Context(), f, fmt.Sprintf("http://b/%03d", i))
			synctest.Wait()
		}
		y.wg.Wait()
		if took := y.last["b"]; took > 22*time.Second {
			t.Errorf("the ten requests to b: got them done after %v, want within 22s", took)
		}
		for i, u := range w.order[2:20] {
			if u[:len("http://a")] == w.order[i+1][:len("http://a")] {
				t.Errorf("got the order %v, want a and b in turn after the first", w.order[:21])
				break
			}
		}
		for _, host := range []string{"a", "b"} {
			var order []string
			for _, u := range w.order {
				if strings.HasPrefix(u, "http://"+host+"/") {
					order = append(order, u)
				}
			}
			if !slices.IsSorted(order) {
				t.Errorf("got the order %v, want that of the requests", order)
			}
		}
	})
}

// Hosts with one key share its limits. Which of them is down is known of each.
func TestKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWeb(t, map[string]behaviour{
			"a.share": after(time.Second, "ok"), "b.share": after(time.Second, "ok"), "gone.share": fails(errNoSuch),
			"hangs.share": hangs,
		})
		f := throttle.New(w, &throttle.Options{PerHost: 2, Key: keyOf})
		y := newTally()
		for i := range 10 {
			y.get(t.Context(), f, fmt.Sprintf("http://a.share/%d", i))
			y.get(t.Context(), f, fmt.Sprintf("http://b.share/%d", i))
		}
		y.want(t, "a.share", map[fetch.Kind]int{0: 10})
		y.want(t, "b.share", map[fetch.Kind]int{0: 10})
		equal(t, "requests at a time", w.max, 2)
		if got, want := max(y.last["a.share"], y.last["b.share"]), 10*time.Second; got != want {
			t.Errorf("it took %v, want %v", got, want)
		}
		// They have their turns one after the other.
		y = many(t, f, 100, "http://a.share/%d")
		synctest.Wait()
		for i := range 10 {
			y.get(t.Context(), f, fmt.Sprintf("http://b.share/%d", i))
		}
		y.want(t, "b.share", map[fetch.Kind]int{0: 10})
		if got, want := y.last["b.share"], 12*time.Second; got > want {
			t.Errorf("the few were done after %v, want at most %v", got, want)
		}
		get(t.Context(), f, "http://gone.share/")
		wantKind(t, f, "http://gone.share/", fetch.Deferred)
		wantKind(t, f, "http://a.share/", 0)
		// One host of a key that hangs does not keep the others back for good.
		y = many(t, f, 20, "http://hangs.share/%d")
		synctest.Wait()
		y.get(t.Context(), f, "http://a.share/")
		y.want(t, "hangs.share", map[fetch.Kind]int{fetch.Unavailable: 3, fetch.Deferred: 17})
		y.want(t, "a.share", map[fetch.Kind]int{0: 1})
		// Retry-After holds for the host that sent it.
		w.hosts["a.share"] = busyFor(9 * time.Minute)
		get(t.Context(), f, "http://a.share/")
		for host, want := range map[string]fetch.Kind{"a.share": fetch.Deferred, "b.share": 0} {
			wantKind(t, f, "http://"+host+"/", want)
		}
	})
}

// Cancellation at any point ends the request, and no turn is lost.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWeb(t, map[string]behaviour{
			"slow": after(3*time.Second, strings.Repeat("x", 1000)), "hop": fails(location("http://slow/")),
			"busy": busyFor(4 * time.Second), "down": fails(errRefused), "hangs": hangs,
		})
		hosts := []string{"slow", "hop", "busy", "down", "hangs", "slow"}
		f := throttle.New(w, &throttle.Options{PerHost: 2, Fetches: 5, Rate: 3})
		y := newTally()
		r := rand.New(rand.NewPCG(1, 2))
		for i := range 2000 {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Duration(r.Int64N(int64(20*time.Second))), cancel)
			y.get(ctx, f, fmt.Sprintf("http://%s/%d", hosts[i%len(hosts)], i))
			if i%10 == 0 {
				time.Sleep(time.Duration(r.Int64N(int64(time.Second))))
			}
		}
		y.wg.Wait()
		time.Sleep(time.Hour)
		equal(t, "hosts that are known", len(f.Hosts()), 0)
		equal(t, "fetches in flight at the end", w.all, 0)
		// All turns are there.
		y = many(t, f, 20, "http://slow/")
		y.want(t, "slow", map[fetch.Kind]int{0: 20})
	})
}

// Many requests can wait.
func TestManyWaiters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 10_000
		w := newWeb(t, map[string]behaviour{"h": after(time.Millisecond, "ok")})
		f := throttle.New(w, nil)
		y := newTally()
		ctx, cancel := context.WithCancel(t.Context())
		for i := range n {
			if i%2 == 0 {
				y.get(ctx, f, "http://h/canceled")
			} else {
				y.get(t.Context(), f, "http://h/")
			}
		}
		cancel()
		y.wg.Wait()
		if got := y.kinds["h"]; got[0] < n/2 || got[0]+got[fetch.Canceled] != n {
			t.Errorf("got %v, want at least half of %d whole, and the others canceled", got, n)
		}
		// All are turned away at once when the host goes down.
		w.hosts["h"] = after(time.Second, "ok")
		y = many(t, f, n, "http://h/")
		synctest.Wait()
		w.set("h", fails(errRefused))
		y.wg.Wait()
		if got := y.kinds["h"]; got[fetch.Deferred] < n-10 {
			t.Errorf("got %v, want at least %d deferred", got, n-10)
		}
	})
}

// Hosts that are not in use are forgotten, the least recently used first.
func TestMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWeb(t, map[string]behaviour{})
		w.hosts["first"] = fails(errRefused)
		w.hosts["used"] = fails(errRefused)
		f := throttle.New(w, &throttle.Options{Key: keyOf})
		get(t.Context(), f, "http://first/")
		get(t.Context(), f, "http://used/")
		const n = 10_000
		for i := range n {
			host := fmt.Sprintf("h%d.share", i)
			w.hosts[host] = fails(errRefused)
			get(t.Context(), f, "http://"+host+"/")
			delete(w.hosts, host)
			get(t.Context(), f, "http://used/")
		}
		hosts := f.Hosts()
		if len(hosts) > 5000 {
			t.Errorf("got %d hosts that are remembered, want at most 5000", len(hosts))
		}
		if w.count("used") != 1 || !slices.ContainsFunc(hosts, func(h throttle.Host) bool { return h.Name == "used:80" }) {
			t.Errorf("got %d requests to a host in use, want 1 and the host remembered", w.count("used"))
		}
		if slices.ContainsFunc(hosts, func(h throttle.Host) bool { return h.Name == "first:80" }) {
			t.Error("a host that nobody used: got it remembered, want it forgotten")
		}
		// Requests that waited for their hosts, and were deferred when another host of the Key was busy.
		f = throttle.New(w, &throttle.Options{Key: keyOf})
		for i := range 5000 {
			w.hosts[fmt.Sprintf("h%d.busy", i)] = busyFor(time.Minute)
		}
		many(t, f, 5000, "http://h%d.busy/").wg.Wait()
		if n := len(f.Hosts()); n > 4096 {
			t.Errorf("got %d hosts that are remembered, want at most 4096", n)
		}
	})
}

// A pause that a host asked for holds, however many other hosts are asked in the
// meantime: hosts that answer, names that do not resolve, and hosts of one domain that
// ask for patience as well. The memory for those is bounded.
func TestMemoryOfPatience(t *testing.T) {
	for _, tt := range []struct {
		name   string
		host   string // with a number in it
		others func(i int) behaviour
		times  int
		most   int // hosts that are down or want no requests
	}{
		{"Answers", "h%x.example", func(int) behaviour { return answer("ok") }, 4200, 1},
		{"NoNames", "d%x.example", func(int) behaviour { return fails(errNoSuch) }, 4200, 4097},
		{"Busy", "h%x.evil.example", func(int) behaviour { return busyFor(24 * time.Hour) }, 4200, 4096},
		{"BusyAddresses", "[2001:db8:0:%x::1]", func(int) behaviour { return busyFor(24 * time.Hour) }, 4200, 4096},
		{"Mixed", "h%x.evil.example", func(i int) behaviour {
			return []behaviour{answer("ok"), fails(errRefused), busyFor(time.Hour)}[i%3]
		}, 3 * 4200, 2 * 4096},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, map[string]behaviour{"good.test": busyFor(10 * time.Hour)}, nil, func(t *testing.T, w *web, f *throttle.Throttle) {
				get(t.Context(), f, "http://good.test/")
				for i := range tt.times {
					host := fmt.Sprintf(tt.host, i)
					w.hosts[host] = tt.others(i)
					get(t.Context(), f, "http://"+host+"/")
					delete(w.hosts, host)
				}
				if err := get(t.Context(), f, "http://good.test/"); fetch.KindOf(err) != fetch.Deferred || w.count("good.test") != 1 {
					t.Errorf("got %v and %d requests, want deferred and 1", err, w.count("good.test"))
				}
				if n := len(f.Hosts()); n > tt.most {
					t.Errorf("got %d hosts that are remembered, want at most %d", n, tt.most)
				}
			})
		})
	}
}

// The facts about a host from an hour ago are forgotten.
func TestStale(t *testing.T) {
	bubble(t, map[string]behaviour{"h": fails(errRefused)}, nil, func(t *testing.T, w *web, f *throttle.Throttle) {
		for range 4 {
			get(t.Context(), f, "http://h/")
			time.Sleep(20 * time.Minute)
		}
		time.Sleep(2 * time.Hour)
		err := get(t.Context(), f, "http://h/")
		if hosts := f.Hosts(); len(hosts) != 1 || time.Until(hosts[0].Down) != time.Minute {
			t.Errorf("got %v and %v, want a host that is down for a minute, as at first", err, hosts)
		}
		// A pause of more than that is not forgotten.
		w.hosts["busy"] = busyFor(23 * time.Hour)
		get(t.Context(), f, "http://busy/")
		time.Sleep(22 * time.Hour)
		wantKind(t, f, "http://busy/", fetch.Deferred)
	})
}

// Throttles with one State act as one.
func TestState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWeb(t, map[string]behaviour{"h": after(time.Second, "ok")})
		state := new(throttle.State)
		if hosts := state.Hosts(); hosts != nil {
			t.Errorf("got the hosts %v of nothing, want none", hosts)
		}
		opts := &throttle.Options{PerHost: 1, State: state}
		f, g := throttle.New(w, opts), throttle.New(w, opts)
		y := newTally()
		for range 5 {
			y.get(t.Context(), f, "http://h/")
			y.get(t.Context(), g, "http://h/")
		}
		synctest.Wait()
		if hosts := state.Hosts(); len(hosts) != 1 || hosts[0].InFlight != 1 || hosts[0].Waiting != 9 {
			t.Errorf("got %v, want 1 of them", hosts)
		}
		y.want(t, "h", map[fetch.Kind]int{0: 10})
		equal(t, "at a time", w.max, 1)
	})
}

// A request that a budget refuses waits for nothing; a request that waits costs
// nothing.
func TestBudget(t *testing.T) {
	bubble(t, map[string]behaviour{"h": after(time.Second, "ok"), "down": fails(errRefused)}, &throttle.Options{PerHost: 1}, func(t *testing.T, w *web, f *throttle.Throttle) {
		get(t.Context(), f, "http://down/")
		budget := fetch.NewBudget(fetch.BudgetLimits{Fetches: 1})
		ask := func(text string) error {
			req := request(text)
			req.Budget = budget
			resp, err := fetch.Do(t.Context(), f, req)
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			_, err = io.Copy(io.Discard, resp.Body)
			return err
		}
		if err := ask("http://down/"); fetch.KindOf(err) != fetch.Deferred {
			t.Errorf("got %v, want %v", err, fetch.Deferred)
		}
		if _, fetches := budget.Used(); fetches != 0 {
			t.Errorf("got %d fetches, want 0", fetches)
		}
		if err := ask("http://h/"); err != nil {
			t.Error(err)
		}
		go get(t.Context(), f, "http://h/")
		synctest.Wait()
		start := time.Now()
		if err := ask("http://h/"); fetch.KindOf(err) != fetch.Deferred || time.Since(start) > 0 {
			t.Errorf("got %v after %v, want deferred at once", err, time.Since(start))
		}
	})
}

// A Fetcher that contacts no host does not wait.
func TestNoContact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := throttle.New(fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
			return &fetch.Response{URL: req.URL, Size: -1, Body: io.NopCloser(strings.NewReader("x"))}, nil
		}), &throttle.Options{PerHost: 1})
		for range 10 {
			resp, err := fetch.Do(t.Context(), f, request("http://h/"))
			noError(t, err)
			defer resp.Body.Close()
		}
	})
}

// A request reports the phase Waiting when it waits for its host, and not when it waits
// for any other fetch to end. A caller with other work can do that then.
func TestWaiting(t *testing.T) {
	bubble(t, map[string]behaviour{"a": after(2*time.Second, ""), "b": after(3*time.Second, ""), "c": after(2*time.Second, "")}, &throttle.Options{PerHost: 1, Fetches: 2}, func(t *testing.T, w *web, f *throttle.Throttle) {
		start := time.Now()
		var mu sync.Mutex
		var got []string
		var wg sync.WaitGroup
		for _, url := range []string{"http://a/1", "http://b/1", "http://b/2", "http://c/1", "http://c/2"} {
			req := request(url)
			req.Progress = func(e fetch.Event) {
				if e.Phase == fetch.Waiting {
					mu.Lock()
					defer mu.Unlock()
					got = append(got, fmt.Sprint(url, " ", time.Since(start)))
				}
			}
			wg.Go(func() {
				resp, err := fetch.Do(t.Context(), f, req)
				if err != nil {
					t.Errorf("%s: got error %v, want none", url, err)
					return
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			})
			synctest.Wait()
		}
		wg.Wait()
		want := []string{"http://b/2 0s", "http://c/2 3s"}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// A time that a host gives by the wall clock is kept by the monotonic clock: when the wall
// clock jumps, no request waits for longer, or is sent sooner.
func TestClockJumps(t *testing.T) {
	until := time.Now().Add(time.Hour).Round(0)
	w := newWeb(t, map[string]behaviour{"busy": func(context.Context, *fetch.Request) (*fetch.Response, error) {
		return nil, &fetch.Error{Kind: fetch.Unavailable, Err: status(503), After: until}
	}})
	f := throttle.New(w, nil)
	get(t.Context(), f, "http://busy/1")
	err := get(t.Context(), f, "http://busy/1")
	at := fetch.AfterOf(err)
	// Round takes the reading of the other clock off, if there is one.
	if fetch.KindOf(err) != fetch.Deferred || !at.Equal(until) || at == at.Round(0) {
		t.Errorf("got %v and the time %#v, want %v, by the clock that nobody sets", err, at, until)
	}
}

// A long Retry-After holds for the link, until several links agree.
func TestLongRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWeb(t, nil)
		banned := map[string]bool{"/0": true}
		w.hosts = map[string]behaviour{"h": func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			if banned[req.URL.Path] {
				return busyFor(5*time.Hour)(ctx, req)
			}
			return answer("ok")(ctx, req)
		}}
		f := throttle.New(w, nil)
		ask := func(path string, want fetch.Kind) {
			t.Helper()
			wantKind(t, f, "http://h"+path, want)
		}
		ask("/0", fetch.Unavailable)
		ask("/0#again", fetch.Deferred)
		ask("/good", 0)
		for i := range 4 { // an answer between them shows that it is about the link
			link := fmt.Sprintf("/a%d", i)
			banned[link] = true
			ask(link, fetch.Unavailable)
			ask("/good", 0)
		}
		for i := range 3 {
			link := fmt.Sprintf("/b%d", i)
			banned[link] = true
			ask(link, fetch.Unavailable)
		}
		ask("/good", fetch.Deferred)
		time.Sleep(5 * time.Hour)
		ask("/good", 0)
		banned["/share"] = true
		for i := range 4 { // with another target each time it is one link
			w.hosts["share"] = fails(location(fmt.Sprintf("http://h/once%d", i)))
			wantKind(t, f, "http://share/share", fetch.Unavailable)
		}
		ask("/good", 0)
	})
}

// The memory for links is bounded.
func TestManyLongRetryAfters(t *testing.T) {
	bubble(t, map[string]behaviour{"h": answer("ok")}, &throttle.Options{MaxWait: time.Hour}, func(t *testing.T, w *web, f *throttle.Throttle) {
		for i := range 4096 + 1 {
			w.hosts["h"] = busyFor(5 * time.Hour)
			get(t.Context(), f, fmt.Sprintf("http://h/%d", i))
			w.hosts["h"] = answer("ok")
			get(t.Context(), f, "http://h/good")
		}
		before, held := w.count("h"), 0
		for i := range 4096 + 1 {
			if err := get(t.Context(), f, fmt.Sprintf("http://h/%d", i)); fetch.KindOf(err) == fetch.Deferred {
				held++
			}
		}
		if held != 4096 || w.count("h") != before+1 {
			t.Errorf("got %d links held, want 4096", held)
		}
	})
}

// An answer without TLS, which anybody on the way can give, does not count for the same
// host with TLS.
func TestPlainRulesNothing(t *testing.T) {
	bubble(t, map[string]behaviour{"h": busyFor(9 * time.Minute)}, &throttle.Options{MaxWait: -1, Key: func(*url.URL) string { return "one" }}, func(t *testing.T, w *web, f *throttle.Throttle) {
		get(t.Context(), f, "http://h/")
		w.hosts["h"] = answer("ok")
		for u, want := range map[string]fetch.Kind{"http://h/": fetch.Deferred, "http://h:443/": fetch.Deferred, "https://h/": 0, "https://h:80/": 0} {
			wantKind(t, f, u, want)
		}
	})
}

// A host that answers gets more requests at a time, by one for each hundred answers, until
// it is busy.
func TestGrowth(t *testing.T) {
	bubble(t, map[string]behaviour{"h": after(time.Second, "ok")}, &throttle.Options{PerHost: 6, MaxPerHost: 24, MaxWait: time.Hour}, func(t *testing.T, w *web, f *throttle.Throttle) {
		most := func(fetches int) int {
			w.most["h"] = 0
			y := many(t, f, fetches, "http://h/%d")
			y.wg.Wait()
			return w.most["h"]
		}
		for _, c := range []struct{ fetches, want int }{{99, 6}, {1, 1}, {30, 7}, {2000, 24}, {100, 24}} {
			if got := most(c.fetches); got != c.want {
				t.Errorf("%d fetches: got %d at a time, want %d", c.fetches, got, c.want)
			}
		}
		w.hosts["h"] = busyFor(time.Second)
		get(t.Context(), f, "http://h/")
		w.hosts["h"] = after(time.Second, "ok")
		equal(t, "after a 429: at a time", most(60), 6)
	})
}

// Faults of our own network and resolver are not the host's.
func TestOurNetwork(t *testing.T) {
	for host, err := range map[string]error{
		"no-route":    &net.OpError{Op: "dial", Err: syscall.ENETUNREACH},
		"no-host":     &net.OpError{Op: "dial", Err: syscall.EHOSTUNREACH},
		"no-resolver": &net.DNSError{Err: "server misbehaving", IsTemporary: true},
		"no-answer":   &net.DNSError{Err: "i/o timeout", IsTimeout: true},
	} {
		bubble(t, map[string]behaviour{host: fails(err)}, nil, func(t *testing.T, w *web, f *throttle.Throttle) {
			for range 10 {
				get(t.Context(), f, "http://"+host+"/")
			}
			w.hosts[host] = answer("ok")
			wantKind(t, f, "http://"+host+"/", 0)
		})
	}
}

// While no host answers, the network or the proxy may be away: hosts that are silent then
// are down for a minute at most, and are asked again when any host answers. If another host
// answered meanwhile, the time-out is the host's.
func TestSilence(t *testing.T) {
	for _, c := range []struct {
		name  string
		ours  bool
		hosts []string
	}{{"All", true, []string{"a", "b"}}, {"OneAlone", false, []string{"a"}}, {"NotAll", false, []string{"a", "b", "answers"}}} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, map[string]behaviour{"a": hangs, "b": hangs, "answers": after(29*time.Second, "ok")}, nil, func(t *testing.T, w *web, f *throttle.Throttle) {
				for range 20 {
					y := newTally()
					for _, host := range c.hosts {
						y.get(t.Context(), f, "http://"+host+"/")
					}
					y.wg.Wait()
					time.Sleep(time.Minute)
				}
				for _, h := range f.Hosts() {
					if left := time.Until(h.Down); c.ours && left > time.Minute {
						t.Errorf("%s: got it down for %v, want a minute at most", h.Name, left)
					}
				}
				w.set("a", answer("ok"))
				asked := w.count("a")
				noError(t, get(t.Context(), f, "http://other/"))
				err := get(t.Context(), f, "http://a/")
				if c.ours && err != nil || !c.ours && (fetch.KindOf(err) != fetch.Deferred || w.count("a") != asked) {
					t.Errorf("after an answer of another host: got %v, want that a is asked %v", err, c.ours)
				}
			})
		})
	}
}

// unreached is a host to which no connection is made in time.
func unreached(ctx context.Context, _ *fetch.Request) (*fetch.Response, error) {
	time.Sleep(15 * time.Second)
	if rand.N(2) == 0 {
		return nil, &net.OpError{Op: "dial", Err: syscall.ETIMEDOUT}
	}
	return nil, driver.NewTimeout("the connection")
}

// A time-out to connect is the host's fault only if another host answered since the first of
// them in a row. Otherwise this machine's network may be away: however few hosts are asked,
// none is called down, and each is asked again soon, and at once when any host answers.
func TestNetworkAway(t *testing.T) {
	for _, n := range []int{1, 2, 50} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			bubble(t, map[string]behaviour{}, nil, func(t *testing.T, w *web, f *throttle.Throttle) {
				round := func(do behaviour) *tally {
					y := newTally()
					for i := range n {
						host := fmt.Sprintf("h%d", i)
						w.set(host, do)
						y.get(t.Context(), f, "http://"+host+"/")
					}
					y.wg.Wait()
					return y
				}
				for range 3 {
					round(unreached)
				}
				if y := round(answer("ok")); y.failed() > 0 || time.Since(y.start) > 10*time.Second {
					t.Errorf("got %v after %v, want that all are asked within 10s", y.errs, time.Since(y.start))
				}
				for range 20 {
					for _, err := range round(unreached).errs {
						if strings.Contains(err.Error(), "is down") || time.Until(fetch.AfterOf(err)) > time.Minute {
							t.Fatalf("got %v, want no host that is down, and a minute at most", err)
						}
					}
					time.Sleep(10 * time.Second)
				}
				for _, h := range f.Hosts() {
					if !h.Down.IsZero() {
						t.Errorf("%s: got it down until %v, want it not down", h.Name, h.Down)
					}
				}
				noError(t, get(t.Context(), f, "http://other/"))
				if y := round(answer("ok")); y.failed() > 0 || time.Since(y.start) > 0 {
					t.Errorf("got %v after %v, want that all are asked at once", y.errs, time.Since(y.start))
				}
			})
		})
	}
	t.Run("AnotherAnswers", func(t *testing.T) {
		bubble(t, map[string]behaviour{"a": unreached}, nil, func(t *testing.T, w *web, f *throttle.Throttle) {
			for range 3 {
				get(t.Context(), f, "http://other/")
				get(t.Context(), f, "http://a/")
			}
			start := time.Now()
			if err := get(t.Context(), f, "http://a/"); !fetch.AfterOf(err).Equal(start.Add(time.Minute)) || !strings.Contains(err.Error(), "is down") {
				t.Errorf("got %v, want the host down for a minute", err)
			}
		})
	})
}

// An operator can have everything forgotten that keeps hosts from being asked.
func TestReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		state := new(throttle.State)
		w := newWeb(t, map[string]behaviour{"down": fails(errRefused), "busy": busyFor(9 * time.Minute), "link": busyFor(time.Hour)})
		f := throttle.New(w, &throttle.Options{State: state, MaxWait: -1})
		patient := throttle.New(w, &throttle.Options{State: state})
		for _, host := range []string{"down", "busy", "link"} {
			get(t.Context(), f, "http://"+host+"/")
			w.set(host, answer("ok"))
			if err := get(t.Context(), patient, "http://"+host+"/"); fetch.KindOf(err) != fetch.Deferred {
				t.Errorf("%s: got %v, want deferred", host, err)
			}
		}
		state.Reset()
		if hosts := state.Hosts(); len(hosts) > 0 {
			t.Errorf("got the hosts %v, want none", hosts)
		}
		for _, host := range []string{"down", "busy", "link"} {
			wantKind(t, f, "http://"+host+"/", 0)
		}
	})
}

// Only a busy host's request is repeated, not one that failed for another reason, even if
// the error has a time.
func TestNotBusyIsNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, c := range map[string]struct {
			err  error
			want int
		}{
			"Busy":    {status(503), 3},
			"NotBusy": {errors.New("status 500"), 1},
		} {
			w := newWeb(t, map[string]behaviour{"h": func(context.Context, *fetch.Request) (*fetch.Response, error) {
				return nil, &fetch.Error{Kind: fetch.Unavailable, Err: c.err, After: time.Now().Add(time.Second)}
			}})
			get(t.Context(), throttle.New(w, nil), "http://h/")
			equal(t, name+": requests", w.count("h"), c.want)
		}
	})
}
