package throttle

import (
	"container/list"
	"iter"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

// An endpoint is one scheme, host and port. All fields are guarded by the State.
type endpoint struct {
	id    string // by which the State knows it
	name  string // host and port
	owner string // of name, by the function owner
	group *group

	inFlight int
	waiters  list.List // of *waiter

	mute      int       // requests in a row that were not answered in time
	muteSince time.Time // when the first of them was sent
	stalled   int       // bodies in a row that stopped coming

	notBefore time.Time // by Retry-After
	long      []hold    // links with a long Retry-After, without a good answer between them

	outage

	used   time.Time     // when it was last in use
	ring   *list.Element // in group.ring
	queued *list.Element // in group.queued
	rest   *list.Element // in State.resting; nil while it is in use
	sort   sort          // of State.resting
	timer  *time.Timer
}

// An outage is how long a host counts as down, and why. A host that is up has the zero outage.
type outage struct {
	downSince time.Time
	downUntil time.Time // the zero Time: not down
	why       error     // it is down; errAway if it is only put off
	downs     int       // times in a row
	probing   bool      // a request shows whether it is down still
}

// A hold is a link that wants no requests until a time.
type hold struct {
	link  string // its digest
	first string // the digest of the URL that led to it
	owner string // of its host
	until time.Time
}

// mayStart reports whether the host may have another request. After k requests in a row without an
// answer, at most downAfter-k requests are in flight, and at least one.
func (e *endpoint) mayStart(now time.Time) bool {
	if now.Before(e.notBefore) {
		return false
	}
	if !e.downUntil.IsZero() {
		return !e.probing && !now.Before(e.downUntil)
	}
	missed := max(e.mute, e.stalled)
	return missed == 0 || e.inFlight < max(1, downAfter-missed)
}

// asked returns the time before which e wants no requests.
func (e *endpoint) asked() time.Time { return later(e.notBefore, e.group.notBefore) }

// stale reports whether e is unused and the knowledge of it is old.
func (e *endpoint) stale(now time.Time) bool {
	return e.rest != nil && now.Sub(later(e.used, later(e.downUntil, e.asked()))) > memory
}

// offerHost lets the group of e choose e, and s the group, if requests wait for them.
func (s *State) offerHost(e *endpoint) {
	if e.ring == nil && e.waiters.Len() > 0 {
		e.ring = e.group.ring.PushBack(e)
	}
	s.offer(e.group)
}

// withdraw keeps the group from choosing e.
func (e *endpoint) withdraw() {
	if e.ring != nil {
		e.group.ring.Remove(e.ring)
		e.ring = nil
	}
}

// up notes an answer.
func (e *endpoint) up() {
	e.mute = 0
	e.long = nil
	if !e.downUntil.IsZero() {
		e.outage = outage{}
		e.stalled = 0
	}
}

// down notes that the host is down since now, or is put off if this machine's network may be
// away.
func (e *endpoint) down(why error, now time.Time) {
	downs := e.downs
	if (why == errAway) != (e.why == errAway) {
		downs = 0
	}
	times := time.Duration(1) << min(downs, 16)
	d := downTime * min(times, maxDown)
	if why == errAway {
		d = min(awayTime*times, downTime)
	}
	e.outage = outage{downSince: now, downUntil: now.Add(d), why: why, downs: downs + 1}
	e.mute = 0
	e.stalled = 0
}

// cause returns why a request is not sent to a host that is down.
func (e *endpoint) cause(now time.Time) error {
	if e.why == errRefuse && now.Sub(e.downSince) <= downTime {
		return ErrRefused
	}
	return e.why
}

// wakeAt has e offered again when it may be asked, to see whether it is still down.
func (e *endpoint) wakeAt(s *State, now time.Time) {
	at := later(e.downUntil, e.notBefore)
	if e.probing || !at.After(now) {
		return
	}
	s.wake(&e.timer, at.Sub(now), func() { s.offerHost(e) })
}

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
func (g *group) interval() time.Duration { return time.Duration(float64(time.Second) / g.o.Rate) }

func (g *group) mayStart(now time.Time) bool {
	return g.inFlight < g.window && !now.Before(g.notBefore) && !now.Before(g.next)
}

// answered lets one more request at a time go to a host that answers, and
// forgets that it was busy if the answer is to a later request.
func (g *group) answered(since time.Time) {
	if g.strikes > 0 && since.Before(g.struck) {
		return
	}
	g.strikes = 0
	g.good++
	g.window = g.limit(g.window + 1)
}

// strike notes a 429 or 503, unless the request had been sent before the last one was
// noted. All hosts of the group are left alone for a while.
func (g *group) strike(since, now time.Time) {
	if g.strikes == 0 || !since.Before(g.struck) {
		g.strikes++
		g.struck = now
		g.window = 1
		g.good = 0
	}
	g.notBefore = later(g.notBefore, now.Add(backoff(g.strikes)))
}

// wakeAt offers g again at the time for which it waits, if it waits for one.
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

// A sort is the state of an unused host. A mail can refer to thousands of hosts, and hosts
// that answer, or names that do not resolve, cost its writer nothing. So no host is
// forgotten because there are many of another sort.
type sort uint8

const (
	atRest  sort = iota // nothing
	isDown              // it is down: any name that does not resolve is
	isAsked             // the time before which it wants no requests
	sorts
)

func (e *endpoint) sortOf(now time.Time) sort {
	switch {
	case e.asked().After(now):
		return isAsked
	case e.downUntil.After(now):
		return isDown
	}
	return atRest
}

// rest makes e one of the hosts that may be forgotten, if it is unused, and forgets another
// one of its sort if there are too many.
func (s *State) rest(e *endpoint, now time.Time) {
	if e.inFlight > 0 || e.waiters.Len() > 0 || s.endpoints[e.id] != e {
		return
	}
	s.rouse(e)
	e.used = now
	e.sort = e.sortOf(now)
	of := &s.resting[e.sort]
	e.rest = of.PushBack(e)
	if of.Len() <= maxResting {
		return
	}
	least := of.Front().Value.(*endpoint)
	if e.sort == isAsked {
		least = dispensable(func(yield func(*endpoint) bool) {
			for elem := of.Front(); elem != nil && yield(elem.Value.(*endpoint)); elem = elem.Next() {
			}
		}, func(e *endpoint) (string, bool) { return e.owner, e.sortOf(now) == atRest })
	}
	s.forget(least)
}

// dispensable returns the value to forget: one whose time is over, or one of the owner of
// most of them. To have the values of others forgotten takes thousands of domains.
func dispensable[T any](all iter.Seq[T], of func(T) (owner string, over bool)) (least T) {
	owned := make(map[string]int)
	most := 0
	for v := range all {
		owner, over := of(v)
		if over {
			return v
		}
		if owned[owner]++; owned[owner] > most {
			least = v
			most = owned[owner]
		}
	}
	return least
}

// rouse ends the rest of e.
func (s *State) rouse(e *endpoint) {
	if e.rest != nil {
		s.resting[e.sort].Remove(e.rest)
		e.rest = nil
	}
}

// owner returns the registrable domain of a name, and the network of an address, which one
// owner has many of.
func owner(hostport string) string {
	host := (&url.URL{Host: hostport}).Hostname()
	if addr, err := netip.ParseAddr(host); err == nil {
		bits := 24
		if addr.Is6() {
			bits = 48
		}
		network, _ := addr.WithZone("").Prefix(bits)
		return network.String()
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(strings.TrimSuffix(host, ".")); err == nil {
		return domain
	}
	return host
}
