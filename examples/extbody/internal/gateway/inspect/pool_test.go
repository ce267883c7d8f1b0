package inspect

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// hangingLinks returns a message of a source that refers to n files of a host that hangs.
func hangingLinks(source string, n int) *Message {
	m := numbered("https://slow.example/"+source+"-%d", n)
	m.Source = source
	return m
}

// However many links some clients send that hang, the one link of another client is
// looked at, and the others are when there is room again.
func TestFairTurns(t *testing.T) {
	for _, test := range []struct {
		name             string
		sources, each    int
		fetches, pending int
	}{
		{"TwoClients", 2, 100, 128, 2000},
		{"AllPending", 20, 100, 128, 2000},
		{"FewTurns", 3, 10, 4, 20},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &web{gate: make(chan struct{})}
				in := newInspector(t, w, new(scanning), PoolOptions{Fetches: test.fetches, Pending: test.pending, Timeout: time.Hour})
				in.Wait = time.Second
				for i := range test.sources {
					in.Inspect(t.Context(), hangingLinks(fmt.Sprint("s", i), test.each))
				}
				in.Pool.mu.Lock()
				running, waiting := len(in.Pool.running), len(in.Pool.queue)
				in.Pool.mu.Unlock()
				if running > max(test.fetches, test.sources) || running+waiting > test.pending {
					t.Errorf("got %d under way and %d that wait, want at most %d and %d in all", running, waiting, test.fetches, test.pending)
				}
				m := refers("evil.example")
				m.Source = "honest"
				begun := time.Now()
				if rep := in.Inspect(t.Context(), m); rep.Verdict != Malware || time.Since(begun) > 0 {
					t.Errorf("got %s after %v, want %s at once", rep.Verdict, time.Since(begun), Malware)
				}
				close(w.gate)
				synctest.Wait()
				if n := in.Pool.Pending(); n != 0 {
					t.Errorf("got %d that are still looked for, want none", n)
				}
				rep := in.Inspect(t.Context(), hangingLinks("s0", test.each))
				for _, r := range rep.Refs {
					if r.State != Known {
						t.Fatalf("got %s, want all known", r.State)
					}
				}
			})
		})
	}
}

// lasting returns work that takes so many seconds, or so many after it is stopped.
func lasting(takes, stops int) func(context.Context, bool) *finding {
	return func(ctx context.Context, _ bool) *finding {
		select {
		case <-ctx.Done():
			time.Sleep(time.Duration(stops) * time.Second)
			return &finding{Kind: fetch.Canceled}
		case <-time.After(time.Duration(takes) * time.Second):
			return &finding{State: Known}
		}
	}
}

// Tasks that were displaced count again when they wait again: a newcomer displaces one of them.
func TestDisplacedWaitAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(PoolOptions{Fetches: 3, Pending: 4, Timeout: time.Hour})
		defer p.Close()
		ask := func(source string, takes int) *task {
			time.Sleep(time.Millisecond)
			x, _ := p.ask(question{id: fmt.Sprint(source, time.Now()), source: source, sender: new(sender), work: lasting(takes, 30)})
			synctest.Wait()
			return x
		}
		ask("s", 10)
		ask("s", 100)
		ask("s", 100)
		ask("a", 100) // displaces one of s, and b another
		ask("b", 100)
		time.Sleep(20 * time.Second) // the last one of s ends
		ask("c", 100)
		ask("d", 100)
		if x := ask("e", 1); x.finding == nil {
			t.Fatal("got a place where no source has two, want none")
		}
		time.Sleep(20 * time.Second) // two of s wait again
		if x := ask("e", 1); x.finding != nil {
			t.Error("got no place where a source has two, want one")
		}
	})
}

// TestFullPool asks at random, and fetches end at random. After each step no task that waits could
// begin, and most bounds the tasks of each source.
func TestFullPool(t *testing.T) {
	for seed := range uint64(200) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			fetches := 1 + r.IntN(5)
			p := NewPool(PoolOptions{Fetches: fetches, Pending: fetches + r.IntN(8), PerSource: 3 + r.IntN(6), Timeout: time.Hour})
			senders := make([]sender, 16)
			for i := range 150 {
				n, takes, stops := r.IntN(len(senders)), r.IntN(20), r.IntN(60)
				source := ""
				if n > 3 {
					source = fmt.Sprint("s", n/2)
				}
				p.ask(question{id: fmt.Sprint(r.IntN(1000)), source: source, sender: &senders[n], work: lasting(takes, stops)})
				time.Sleep(time.Duration(r.IntN(3)) * time.Second / 2)
				synctest.Wait()
				p.mu.Lock()
				for _, w := range p.queue {
					if own := w.load.running; len(p.running) < p.opts.Fetches || own == 0 || heaviest(func(l *load) int { return l.running }, own, p.running) != nil {
						t.Fatalf("seed %d, step %d: a task of a source with %d under way waits", seed, i, own)
					}
				}
				for _, w := range slices.Concat(p.queue, p.running) {
					if w.load.tasks > p.most {
						t.Fatalf("seed %d, step %d: got most %d, want at least %d", seed, i, p.most, w.load.tasks)
					}
				}
				p.mu.Unlock()
			}
			p.Close()
		})
	}
}

// Messages of unknown clients are sources of their own.
func TestFairTurnsUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newInspector(t, &web{gate: make(chan struct{})}, nil, PoolOptions{Fetches: 4, Pending: 40, PerSource: 30, Timeout: time.Hour})
		in.Wait = time.Second
		in.Inspect(t.Context(), hangingLinks("", 19))
		if rep := in.Inspect(t.Context(), refers("good.example")); rep.Verdict != Clean {
			t.Errorf("got %s, want %s", rep.Verdict, Clean)
		}
	})
}

// A body for which there was no room was not tried.
func TestUntriedBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newInspector(t, &web{gate: make(chan struct{})}, nil, PoolOptions{Fetches: 1, Pending: 2, Timeout: time.Hour})
		in.Wait = time.Second
		for i, want := range []bool{false, true} {
			rep := in.Inspect(t.Context(), hangingLinks("s", i+1))
			if rep.Untried() != want {
				t.Errorf("message %d: got %t, want %t", i, rep.Untried(), want)
			}
		}
	})
}

// While others wait, a server has less time for its answer, and one that needs more is pending.
// A request that the throttle never sent does not count as a try.
func TestBusyPool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newInspector(t, new(web), nil, PoolOptions{Fetches: 2, Timeout: time.Hour})
		in.Resolver = answering(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			if req.URL.Host == "turn.example" {
				return nil, &fetch.Error{Kind: fetch.Deferred, Err: throttle.ErrTurn, After: time.Now().Add(10 * time.Second)}
			}
			time.Sleep(req.Timeouts.FirstOctet)
			return nil, driver.NewTimeout("the answer")
		})
		in.Wait = time.Hour
		if rep := in.Inspect(t.Context(), refers("turn.example")); rep.Verdict != Pending || !rep.Untried() {
			t.Errorf("a request that was not sent: got %s, untried %t, want %s, true", rep.Verdict, rep.Untried(), Pending)
		}
		rep := in.Inspect(t.Context(), hangingLinks("s", 4))
		var states []State
		for _, r := range rep.Refs {
			states = append(states, r.State)
		}
		if want := []State{Failed, Failed, StillToCome, Failed}; !slices.Equal(states, want) || rep.Untried() {
			t.Errorf("got %v, untried %t, want %v, false", states, rep.Untried(), want)
		}
	})
}

// A body whose octets were others before is suspicious, and stays so.
func TestChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bodies := []string{"one", "one", "", "two", "two", "", "one", "one"}
		in := newInspector(t, new(web), nil, PoolOptions{})
		in.Resolver = answering(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
			body := bodies[0]
			bodies = bodies[1:]
			if body == "" {
				return nil, &fetch.Error{Op: "fetch", Kind: fetch.Unavailable}
			}
			return served(req, body), nil
		})
		for i, want := range []Verdict{Clean, Clean, Unavailable, Suspicious, Suspicious, Suspicious, Suspicious, Suspicious} {
			if rep := in.Inspect(t.Context(), refers("a.example")); rep.Verdict != want {
				t.Errorf("look %d: got %s, want %s", i, rep.Verdict, want)
			}
			time.Sleep(11 * time.Minute)
		}
	})
}

// The memory for outcomes is bounded in octets, whatever servers write.
func TestRememberedOctets(t *testing.T) {
	long := strings.Repeat("x", 240_000)
	in := newInspector(t, new(web), nil, PoolOptions{Octets: 5000})
	in.Resolver = answering(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, MediaType: "text/" + long, Header: map[string][]string{"Content-Disposition": {"attachment; filename=a." + long}}, Size: 1, Body: io.NopCloser(strings.NewReader("x"))}, nil
	})
	for i := range 50 {
		in.Inspect(t.Context(), refers(fmt.Sprintf("h%d.example", i)))
	}
	n, octets := in.Pool.Remembered()
	if n < 1 || octets > 5000 {
		t.Errorf("got %d outcomes of %d octets, want at most 5000", n, octets)
	}
	for _, task := range in.Pool.tasks {
		if f := task.finding; f.size() > 2000 || len(f.Served) > 300 {
			t.Errorf("got a finding of %d octets, type of %d, want them cut", f.size(), len(f.Served))
		}
	}
}
