package throttle

import (
	"cmp"
	"container/list"
	"context"
	"io"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// Options are for [New]. The zero value is fit for a program that fetches the objects of
// many messages.
type Options struct {
	// PerHost bounds the requests to one host at a time. 0 means 2, and a negative number
	// no limit, also for one address.
	PerHost int

	// MaxPerHost is the value up to which PerHost grows for a host that answers, by one
	// for each hundred answers without a 429 or 503. 0 means that it does not grow.
	MaxPerHost int

	// Rate bounds the requests to one host in a second, evenly spread; 0.5 is
	// one in two seconds. 0 means no limit.
	Rate float64

	// Fetches bounds the fetches at a time in all. 0 means no limit.
	Fetches int

	// MaxWait bounds how long a request waits for its turn. 0 means 10 seconds for
	// a host that is down or has asked for a pause. Behind other requests it then
	// waits until its context ends. A negative value means that no request waits.
	MaxWait time.Duration

	// Key returns the key by which hosts share limits: those with the same key
	// share PerHost, Rate and the pauses after 429 and 503. Retry-After, and
	// whether it is down, hold for a scheme, host and port alone. URLs without TLS
	// share nothing with those with TLS, since anybody on the way can answer. nil
	// means that each host and port is for itself.
	Key func(u *url.URL) string

	// State is shared by several Throttles, which then act as one. The first of
	// them gives it its limits, and the Options of the others should be the
	// same. A caller of something that makes a Throttle of Options can ask
	// State about hosts. nil means a State of its own.
	State *State
}

// A State is the knowledge of Throttles about hosts, and the queues of requests that wait. Its
// memory is bounded: hosts that were not asked in a while are forgotten. Of hosts
// that want no requests for now, of hosts that are down, and of all others it remembers
// 4,096 each, so that none of them are forgotten because there are many of another sort.
// The zero State is ready for [Options].State; its methods may be called from
// several goroutines concurrently.
type State struct {
	once sync.Once
	o    Options

	mu        sync.Mutex
	endpoints map[string]*endpoint // by scheme and HostPort
	groups    map[string]*group    // by TLS and Key
	addresses map[netip.Prefix]*address
	inFlight  int
	waiting   int
	ready     list.List          // of *group: those that may have something to start, in turn
	resting   [sorts]list.List   // of *endpoint, the unused ones: least recently used first
	links     map[string]hold    // links that want no requests, by digest
	heard     time.Time          // when a host answered last
	silent    map[*endpoint]bool // that did not answer in time, with no answer of any host meanwhile
}

// begin gives s its limits, once.
func (s *State) begin(o Options) {
	s.once.Do(func() {
		s.o = o
		s.endpoints = make(map[string]*endpoint)
		s.groups = make(map[string]*group)
		s.addresses = make(map[netip.Prefix]*address)
		s.silent = make(map[*endpoint]bool)
	})
}

// A slot is the right to contact a host.
type slot struct {
	at    *endpoint
	to    *url.URL
	first *url.URL // of the fetch, which may have redirected it to to
	since time.Time
	probe bool // at is down, and this shows whether it still is
}

// acquire waits for a slot at the host of u. It calls waits when it is the host that has
// to be waited for.
func (s *State) acquire(ctx context.Context, u *url.URL, waits func()) (slot, error) {
	if ctx.Err() != nil {
		return slot{}, context.Cause(ctx)
	}
	t, w, err := s.enter(u)
	if w == nil {
		return t, err
	}
	return w.wait(ctx, s, waits)
}

// enter returns a slot at the host of u, or a waiter for one.
func (s *State) enter(u *url.URL) (slot, *waiter, error) {
	s.mu.Lock()
	defer s.mu.Unlock() // also if the caller's Key panics
	now := time.Now()
	if until := s.held(u, now); !until.IsZero() {
		return slot{}, nil, deferred(errLink, until)
	}
	e := s.endpoint(u, now)
	first := e.waiters.Len() == 0 && e.group.ring.Len() == 0
	mayStart := e.group.mayStart(now) && e.mayStart(now)
	if first && mayStart && !s.full() {
		return s.start(e, u, now), nil, nil
	}
	w, err := s.enqueue(e, u, now)
	return slot{}, w, err
}

// full reports whether no fetch may be added to those in flight.
func (s *State) full() bool { return s.o.Fetches > 0 && s.inFlight >= s.o.Fetches }

// start counts a request to e.
func (s *State) start(e *endpoint, to *url.URL, now time.Time) slot {
	g := e.group
	if s.o.Rate > 0 {
		g.next = now.Add(g.interval())
	}
	s.inFlight++
	g.inFlight++
	e.inFlight++
	s.rouse(e)
	t := slot{at: e, to: to, since: now, probe: !e.downUntil.IsZero()}
	if t.probe {
		e.probing = true
	}
	return t
}

// release frees a slot. after is the Retry-After of the host, if any.
func (s *State) release(t slot, what outcome, after time.Time) {
	now := time.Now()
	e := t.at
	s.inFlight--
	e.group.inFlight--
	e.inFlight--
	s.settle(t, what, after, now)
	s.rest(e, now)
	s.offerHost(e)
	s.schedule(now)
}

// forget forgets an unused host.
func (s *State) forget(e *endpoint) {
	s.rouse(e)
	delete(s.silent, e)
	delete(s.endpoints, e.id)
	if e.group.members--; e.group.members == 0 {
		delete(s.groups, e.group.id)
	}
}

// offer puts g at the end of the groups that have their turn, if requests wait for it.
func (s *State) offer(g *group) {
	if g.slot == nil && g.ring.Len() > 0 {
		g.slot = s.ready.PushBack(g)
	}
}

// schedule starts the requests that may go, one of each group after the other.
func (s *State) schedule(now time.Time) {
	for s.ready.Len() > 0 && !s.full() {
		g := s.ready.Remove(s.ready.Front()).(*group)
		g.slot = nil
		if s.startOne(g, now) {
			s.offer(g)
		}
	}
}

// startOne starts the request of g whose turn it is. It reports whether there
// was one that may go; otherwise the end of another, or a timer, offers g again.
func (s *State) startOne(g *group, now time.Time) bool {
	for g.ring.Len() > 0 {
		if !g.mayStart(now) {
			g.wakeAt(s, now)
			g.announce()
			return false
		}
		e := g.ring.Front().Value.(*endpoint)
		if !e.mayStart(now) {
			e.withdraw()
			e.wakeAt(s, now)
			e.announce()
			continue
		}
		w := e.waiters.Front().Value.(*waiter)
		w.leave(s)
		if e.ring != nil {
			g.ring.MoveToBack(e.ring)
		}
		w.result <- grant{slot: s.start(e, w.to, now)}
		return true
	}
	return false
}

// again waits until another request of a slot may be sent to its host: a redirect
// within it, or a repetition. It calls waits before that takes time.
func (s *State) again(ctx context.Context, t slot, waits func()) error {
	s.mu.Lock()
	now := time.Now()
	g := t.at.group
	if until := s.held(t.to, now); !until.IsZero() {
		s.mu.Unlock()
		return deferred(errLink, until)
	}
	at := later(now, later(g.next, t.at.asked()))
	w := &waiter{at: t.at, latest: now.Add(s.o.MaxWait)}
	if at.After(now) && !w.patient(at, now) {
		s.mu.Unlock()
		return deferred(errAsked, at)
	}
	if s.o.Rate > 0 {
		g.next = at.Add(g.interval())
	}
	s.mu.Unlock()
	if !at.After(now) {
		return nil
	}
	waits()
	if driver.Pause(ctx, at.Sub(now)) != nil {
		return gaveUp(ctx)
	}
	return nil
}

// soon reports whether a request that was turned away should be repeated:
// it may be sent soon, and before ctx ends.
func (s *State) soon(ctx context.Context, t slot) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	limit := cmp.Or(s.o.MaxWait, knownWait)
	end, ok := ctx.Deadline()
	at := s.asked(t, now)
	return at.Sub(now) <= limit && (!ok || at.Before(end))
}

// asked returns until when the host of t wants no requests, or none for the link.
func (s *State) asked(t slot, now time.Time) time.Time { return later(t.at.asked(), s.held(t.to, now)) }

// endpoint returns the endpoint of u, a new one if it is not known or only of old.
func (s *State) endpoint(u *url.URL, now time.Time) *endpoint {
	id := endpointID(u)
	if e := s.endpoints[id]; e != nil {
		if !e.stale(now) {
			return e
		}
		s.forget(e)
	}
	name := HostPort(u)
	key := name
	if s.o.Key != nil {
		key = s.o.Key(u)
	}
	groupID := key
	if !secure(u) {
		groupID = "plain " + key
	}
	g := s.groups[groupID]
	if g == nil {
		g = &group{id: groupID, key: key, o: &s.o}
		g.window = g.limit(firstWindow)
		s.groups[groupID] = g
	}
	g.members++
	e := &endpoint{id: id, name: name, owner: owner(name), group: g}
	s.endpoints[id] = e
	return e
}

// revive forgets that a host did not answer.
func (s *State) revive(e *endpoint, now time.Time) {
	e.up()
	if e.rest != nil {
		s.rest(e, now)
	}
	s.offerHost(e)
}

// A lease is the permission of one fetch to contact hosts, and then the body of its
// Response. It has one slot at a time.
type lease struct {
	state *State
	ctx   context.Context
	gated func(context.Context, *url.URL) error // the caller's Gate
	req   fetch.Request                         // as it is passed on

	body io.ReadCloser

	// Guarded by the State.
	slot slot // its endpoint is nil without one
	stop func() bool

	address *address // for which it counts; nil for none
	queued  *address // for which it waits; nil for none
	turn    chan struct{}
	domain  string
	late    error // the wait took too long
}

// An address is an IPv4 address, or 64 bits of an IPv6 one, that is contacted. A stranger has
// as many names for an address as he likes, and a file host shares its addresses with others.
type address struct {
	network netip.Prefix
	all     int            // fetches under way
	domains map[string]int // of them, by domain
	queue   []*lease       // that wait
}

// announce lets the requests that wait for e know that they wait for their host.
func (e *endpoint) announce() {
	for elem := e.waiters.Back(); elem != nil; elem = elem.Prev() {
		w := elem.Value.(*waiter)
		if w.announced {
			return // and so are those before it
		}
		w.announced = true
		e.group.unannounced--
		w.result <- grant{waits: true}
	}
}

// sift ends the wait of those for e that have to wait too long by now.
func (e *endpoint) sift(s *State, now time.Time) {
	for elem := e.waiters.Front(); elem != nil; {
		w := elem.Value.(*waiter)
		elem = elem.Next()
		if err := e.refusal(w, now); err != nil {
			w.leave(s)
			w.result <- grant{err: err}
		}
	}
	s.rest(e, now)
}
