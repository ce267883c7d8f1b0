package fleet

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

var errFull = errors.New("the bucket is full")

// A bucketOutage is an outage of a bucket that is away until a time.
type bucketOutage struct {
	*outage
	probes []time.Duration // since the start
}

// awayFor returns an outage of a bucket that takes bodies after d, and that did not take one now.
func awayFor(t *testing.T, d time.Duration) *bucketOutage {
	begun := time.Now()
	b := new(bucketOutage)
	b.outage = newOutage(func(context.Context) error {
		b.probes = append(b.probes, time.Since(begun))
		if time.Since(begun) < d {
			return errFull
		}
		return nil
	})
	t.Cleanup(b.close)
	b.note(t.Context(), errFull)
	return b
}

// burst has n requests wait, and returns their errors.
func (b *bucketOutage) burst(ctx context.Context, n int, most time.Duration) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = b.await(ctx, most) })
	}
	wg.Wait()
	return errs
}

// The first requests after an outage wait for a probe, and none of them fails. A probe is made once in
// 5 seconds also while there are no requests, and the outage is seen until then (OP-49).
func TestBurstAfterOutage(t *testing.T) {
	for _, c := range []struct {
		name   string
		away   time.Duration // of the bucket
		begin  time.Duration // of the burst
		most   time.Duration // that it waits
		failed int           // of 300
		after  time.Duration // from the begin to the last
		probes []time.Duration
	}{
		{"Back", time.Second, 4 * time.Second, probeTime, 0, time.Second, []time.Duration{5 * time.Second}},
		{"BackUnused", 12 * time.Second, 16 * time.Second, probeTime, 0, 0, []time.Duration{5 * time.Second, 10 * time.Second, 15 * time.Second}},
		{"Hurried", time.Second, time.Second, time.Second, 300, time.Second, []time.Duration{5 * time.Second}},
		{"Away", time.Minute, 7 * time.Second, 2 * time.Second, 300, 2 * time.Second, []time.Duration{5 * time.Second}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := awayFor(t, c.away)
				time.Sleep(c.begin)
				synctest.Wait()
				if back := c.begin > c.away+probeTime || c.after == 0; b.lasts() == back {
					t.Errorf("before the burst: got an outage %t, want %t", b.lasts(), !back)
				}
				begun := time.Now()
				errs := b.burst(t.Context(), 300, c.most)
				failed := 0
				for _, err := range errs {
					if part, ok := errors.AsType[*Away](err); ok && part.Of == Bucket {
						failed++
					}
				}
				if failed != c.failed || time.Since(begun) != c.after {
					t.Errorf("got %d of 300 failed after %v, want %d after %v", failed, time.Since(begun), c.failed, c.after)
				}
				if c.name != "Hurried" && !slices.Equal(b.probes, c.probes) {
					t.Errorf("got probes after %v, want %v", b.probes, c.probes)
				}
			})
		})
	}
}

// An outage ends with the first body that the bucket takes, and a Put that was given up does not count. No probe is
// made after the end.
func TestOutageEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := awayFor(t, time.Hour)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		b.note(ended, context.Canceled)
		if !b.lasts() {
			t.Error("got no outage after a Put that was given up, want the one before")
		}
		b.note(t.Context(), nil)
		time.Sleep(time.Minute)
		if b.lasts() || len(b.probes) > 0 || b.await(t.Context(), 0) != nil {
			t.Errorf("got an outage %t and %d probes, want none after a body", b.lasts(), len(b.probes))
		}
		b.note(ended, context.Canceled)
		if b.lasts() {
			t.Error("got an outage after a Put that was given up, want none")
		}
	})
}

// A request waits for the bucket for 5 seconds, or for the time of its client if that is less.
func TestPatience(t *testing.T) {
	for seconds, want := range map[float64]time.Duration{0: probeTime, -1: probeTime, 1: time.Second, 60: probeTime} {
		if got := (&job{Patience: seconds}).patience(); got != want {
			t.Errorf("%v s: got %v, want %v", seconds, got, want)
		}
	}
}

// A client that hears that the tier could not take a request fails its check until another one is answered.
func TestMissedRequest(t *testing.T) {
	c := new(Client)
	c.note(&result{Failure: newFailure(away(Bucket, errNoPut))})
	if m := c.missed.Load(); m == nil || m.err.Error() != "the bucket of the fleet is away: it did not take the last body" {
		t.Errorf("got %v, want the bucket to be away", m)
	}
	c.note(&result{Failure: newFailure(fetch.NotFound)})
	if c.missed.Load() == nil {
		t.Error("got no fault after an answer without a body, want it")
	}
	c.note(&result{Answer: new(answer)})
	if c.missed.Load() != nil {
		t.Error("got a fault after an answer, want none")
	}
}

// The refusal of a host stays one on its way through the tier.
func TestRefusedFailure(t *testing.T) {
	for cause, want := range map[error]bool{throttle.ErrRefused: true, throttle.ErrTurn: false} {
		f := newFailure(&fetch.Error{Kind: fetch.Deferred, Err: cause, After: time.Now().Add(time.Minute)})
		if got := errors.Is(f.error(0), throttle.ErrRefused); got != want {
			t.Errorf("%v: got %t, want %t", cause, got, want)
		}
	}
}
