package fleet

import (
	"context"
	"errors"
	"sync"
	"time"
)

// An outage is the time in which the bucket does not take bodies: from a Put that failed to the next one
// that does not. While it lasts a probe is made once in probeTime, whether there are requests or not.
type outage struct {
	probe func(context.Context) error // stores an object
	ctx   context.Context             // until close
	stop  context.CancelFunc

	probes sync.WaitGroup

	mu   sync.Mutex
	over chan struct{} // closed when the outage ends; nil if there is none
}

func newOutage(probe func(context.Context) error) *outage {
	o := &outage{probe: probe}
	o.ctx, o.stop = context.WithCancel(context.Background())
	return o
}

// close ends the probes.
func (o *outage) close() {
	o.mu.Lock()
	o.stop()
	o.mu.Unlock()
	o.probes.Wait()
}

// note notes the outcome of a Put. One that its context ended shows nothing of the bucket.
func (o *outage) note(ctx context.Context, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case err == nil:
		o.end()
	case ctx.Err() != nil, o.over != nil, o.ctx.Err() != nil:
	default:
		over := make(chan struct{})
		o.over = over
		o.probes.Go(func() { o.watch(over) })
	}
}

// end ends the outage. The caller has the lock.
func (o *outage) end() {
	if o.over != nil {
		close(o.over)
		o.over = nil
	}
}

// watch makes probes until the outage is over.
func (o *outage) watch(over <-chan struct{}) {
	again := time.NewTicker(probeTime)
	defer again.Stop()
	for {
		select {
		case <-over:
			return
		case <-o.ctx.Done():
			return
		case <-again.C:
		}
		ctx, cancel := context.WithTimeout(o.ctx, probeTime)
		err := o.probe(ctx)
		cancel()
		if err == nil {
			o.note(o.ctx, nil)
		}
	}
}

func (o *outage) lasts() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.over != nil
}

// await waits for the end of an outage, for a time at most. The error is one of a bucket that is away: no host
// is contacted for a body that would be lost.
func (o *outage) await(ctx context.Context, most time.Duration) error {
	o.mu.Lock()
	over := o.over
	o.mu.Unlock()
	if over == nil {
		return nil
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-over:
		return nil
	case <-timer.C:
		return away(Bucket, errNoPut)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

var errNoPut = errors.New("it did not take the last body")
