package cache

import (
	"context"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A flight is a fetch in progress. The request that began it, the leader, stores the
// body while it is read. Requests for the same thing wait, and are then served from the
// store.
type flight struct {
	cache *Cache
	key   string

	done    chan struct{} // closed when the following are set
	once    sync.Once
	outcome outcome
	err     error             // of the leader, if outcome is failed
	said    []*fetch.Exchange // with err

	mu         sync.Mutex
	idling     bool      // the leader's caller, not the network, has the turn
	since      time.Time // of the last change of idling
	idle, busy time.Duration
}

// An outcome is the next step of waiters when a flight has ended.
type outcome uint8

const (
	lookUp    outcome = iota // look in the store, and fetch if it has no answer
	apart                    // fetch, each for itself
	takeTurns                // one of them leads the next flight
	failed                   // take the error of the leader
)

// maxIdle bounds how long waiters wait for a leader whose caller does not read on.
const maxIdle = time.Second

// join returns the flight for a, and whether a leads it.
func (c *Cache) join(a *ask) (f *flight, leads bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.flights[a.flightKey]; f != nil {
		return f, false
	}
	f = &flight{cache: c, key: a.flightKey, done: make(chan struct{}), since: time.Now()}
	c.flights[f.key] = f
	return f, true
}

// end ends a flight. Only the first call counts. A nil flight has no waiters.
func (f *flight) end(o outcome) {
	if f == nil {
		return
	}
	f.once.Do(func() {
		f.outcome = o
		f.cache.mu.Lock()
		delete(f.cache.flights, f.key)
		f.cache.mu.Unlock()
		close(f.done)
	})
}

// fail ends the flight of a with the error of its leader. Waiters take the error unless it
// depends on who asked.
func (f *flight) fail(a *ask, err error) {
	if f == nil {
		return
	}
	switch kind := fetch.KindOf(err); {
	case kind == fetch.Canceled:
		f.end(takeTurns)
	case a.private, kind == fetch.Denied, kind == fetch.Deferred, kind == fetch.Credentials, kind == fetch.Local:
		f.end(apart)
	default:
		select {
		case <-f.done:
		default:
			f.err, f.said = anonymous(err), a.said
		}
		f.end(failed)
	}
}

// anonymous returns err without the URL of the leader's request.
func anonymous(err error) error {
	if e, ok := err.(*fetch.Error); ok {
		c := *e
		c.Op, c.URL = "", ""
		return &c
	}
	return err
}

// wait waits for the end of f on behalf of a.
func (f *flight) wait(a *ask) error {
	a.req.Report(fetch.Event{Phase: fetch.Waiting, Total: -1})
	check := time.NewTicker(maxIdle / 4)
	defer check.Stop()
	for {
		select {
		case <-f.done:
			a.alone = f.outcome == lookUp || f.outcome == apart
			if f.outcome != failed {
				return nil
			}
			if a.req.Observe != nil {
				for _, x := range f.said {
					a.req.Observe(x)
				}
			}
			return f.err
		case <-a.ctx.Done():
			return context.Cause(a.ctx)
		case now := <-check.C:
			if a.alone = f.slow(now); a.alone {
				return nil
			}
		}
	}
}

// turn notes whether from now on the leader's caller has the turn.
func (f *flight) turn(idling bool) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	f.count(now)
	f.idling, f.since = idling, now
}

func (f *flight) count(now time.Time) {
	if d := now.Sub(f.since); f.idling {
		f.idle += d
	} else {
		f.busy += d
	}
	f.since = now
}

// slow reports whether waiters wait for the leader's caller, and not for the server. A
// caller may wait for itself.
func (f *flight) slow(now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count(now)
	return f.idle > maxIdle && f.idle > f.busy
}
