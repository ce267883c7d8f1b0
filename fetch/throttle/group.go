package throttle

import (
	"container/list"
	"time"
)

// A group is the hosts that share a Key, mostly one. All fields are guarded by
// the State.
type group struct {
	id      string // by which the State knows it
	key     string
	o       *Options
	members int // endpoints that are known

	inFlight    int
	waiting     int
	unannounced int       // of those waiting, see endpoint.announce
	window      int       // requests that it may have in flight
	good        int       // answers since the last 429 or 503
	next        time.Time // by Rate
	notBefore   time.Time // after 429 and 503
	strikes     int       // 429 and 503 without another answer between them
	struck      time.Time // when the last of them was counted

	queued list.List     // of *endpoint: those with waiters
	ring   list.List     // of *endpoint: of those, the ones that may start, in turn
	slot   *list.Element // in State.ready
	timer  *time.Timer
}

// announce lets the requests that wait for g know that they wait for their host.
func (g *group) announce() {
	for elem := g.queued.Front(); elem != nil && g.unannounced > 0; elem = elem.Next() {
		elem.Value.(*endpoint).announce()
	}
}

// limit returns n within the limit on requests at a time.
func (g *group) limit(n int) int {
	if g.o.PerHost < 0 {
		return n
	}
	return min(n, max(g.o.PerHost, min(g.o.PerHost+g.good/growth, g.o.MaxPerHost)))
}

// interval is the time between two requests by Rate.
func (g *group) interval() time.Duration {
	return time.Duration(float64(time.Second) / g.o.Rate)
}

func (g *group) mayStart(now time.Time) bool {
	return g.inFlight < g.window && !now.Before(g.notBefore) && !now.Before(g.next)
}

// answered lets one more request at a time go to a host that answers, and
// forgets that it was busy if the answer is to a later request.
func (g *group) answered(since time.Time) {
	if g.strikes > 0 {
		if since.Before(g.struck) {
			return
		}
		g.strikes = 0
	}
	g.good++
	g.window = g.limit(g.window + 1)
}

// strike notes a 429 or 503, unless the request had been sent before the last one was
// noted. All hosts of the group are left alone for a while.
func (g *group) strike(since, now time.Time) {
	if g.strikes == 0 || !since.Before(g.struck) {
		g.strikes++
		g.struck = now
		g.window, g.good = 1, 0
	}
	g.notBefore = later(g.notBefore, now.Add(backoff(g.strikes)))
}

// wakeAt has g offered again when the time has come for which it waits, if it
// does.
func (g *group) wakeAt(s *State, now time.Time) {
	at := later(g.notBefore, g.next)
	if g.inFlight >= g.window || !at.After(now) {
		return
	}
	s.wake(&g.timer, at.Sub(now), func() { s.offer(g) })
}

// wake sets a timer that offers something and starts the requests that may go.
func (s *State) wake(t **time.Timer, d time.Duration, offer func()) {
	if *t != nil {
		(*t).Reset(d)
		return
	}
	*t = time.AfterFunc(d, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		offer()
		s.schedule(time.Now())
	})
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
