package cache

import (
	"context"
	"errors"
	"io"
	"net/url"
	"runtime"
	"slices"
	"sync"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache/rfc9111"
)

// errAgain says that what others share does not serve a request.
var errAgain = errors.New("cache: ask again")

// A flight is one fetch, and those who wait for it or read along. Callbacks of
// a request are called by the goroutine that fetches or reads with it, never by
// that of the flight, so that none is called after its caller has left.
type flight struct {
	cache *Cache
	lead  *ask // whose request is sent
	ctx   context.Context
	stop  context.CancelCauseFunc

	mu     sync.Mutex
	change chan struct{} // closed whenever something below changes; nil if nobody waits
	riders []*ask        // who waits or reads

	hops      []hop
	events    []fetch.Event
	exchanges []*fetch.Exchange
	question  *question // for lead; nil if none is open
	answered  []*question
	leadGone  bool

	// The outcome, before the body.
	resp    *fetch.Response // nil until it is known
	err     error
	outcome outcome
	codings []string // of resp, which Do does not see
	private bool     // only lead may have it
	shares  bool     // who comes later may read along

	spool
}

// An outcome is what riders do when there is neither an answer nor an error.
type outcome uint8

const (
	waiting  outcome = iota
	askAgain         // look again for what is stored, and ask the server again
	useValid         // use what is stored: the server said that it is still good
	useStale         // use what is stored, though the server fails
)

// A hop is a redirect that someone has to agree to.
type hop struct {
	from, to *url.URL
	agreed   bool
}

// A question is a login that the server asks for.
type question struct {
	challenge fetch.Challenge
	answer    *fetch.Userinfo
	err       error
	done      bool
}

// maxEvents bounds the events that are kept for who joins later.
const maxEvents = 256

// fly joins the flight for a, or begins one.
func (c *Cache) fly(a *ask) (*fetch.Response, error) {
	c.mu.Lock()
	f := c.flights[a.flight]
	if f == nil || !f.join(a) {
		f = &flight{cache: c, lead: a, riders: []*ask{a}}
		f.demand = make(chan struct{}, 1)
		f.ctx, f.stop = context.WithCancelCause(context.WithoutCancel(a.ctx))
		c.flights[a.flight] = f
		c.running.Go(func() {
			grow()
			f.run()
		})
	}
	c.mu.Unlock()
	return f.ride(a)
}

// grow gives a new goroutine at once a stack that is large enough for a fetch. To make it
// twice as large four times, each time with more on it to be moved, took a twentieth of
// all that many small fetches take.
//
//go:noinline
func grow() {
	var room [12 << 10]byte
	runtime.KeepAlive(&room)
}

// join adds a rider, unless it is too late for that.
func (f *flight) join(a *ask) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	landed := f.err != nil || f.outcome != waiting || f.resp != nil && !f.shares
	abandoned := len(f.riders) == 0 && f.end != io.EOF
	if landed || abandoned || f.end != nil && f.end != io.EOF {
		return false
	}
	f.riders = append(f.riders, a)
	return true
}

// leave takes a rider off. With the last one the fetch ends.
func (f *flight) leave(a *ask) {
	f.mu.Lock()
	f.riders = slices.DeleteFunc(f.riders, func(r *ask) bool { return r == a })
	last := len(f.riders) == 0
	if a == f.lead {
		f.leadGone = true
	}
	f.changed()
	f.mu.Unlock()
	if last {
		f.cache.forget(f)
		f.stop(errAbandoned)
		f.release()
	}
}

var errAbandoned = &fetch.Error{Kind: fetch.Canceled, Err: errors.New("nobody reads it any more")}

// forget makes sure that nobody else joins f.
func (c *Cache) forget(f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flights[f.lead.flight] == f {
		delete(c.flights, f.lead.flight)
	}
}

// changed wakes those who wait. The caller has the lock.
func (f *flight) changed() {
	if f.change != nil {
		close(f.change)
		f.change = nil
	}
}

// next returns what is closed at the next change. The caller has the lock.
func (f *flight) next() <-chan struct{} {
	if f.change == nil {
		f.change = make(chan struct{})
	}
	return f.change
}

// ride waits for the answer on behalf of a.
func (f *flight) ride(a *ask) (*fetch.Response, error) {
	hops, events := 0, 0
	for {
		f.mu.Lock()
		switch {
		case events < len(f.events):
			e := f.events[events]
			events++
			f.mu.Unlock()
			a.req.Report(e)
			continue
		case hops < len(f.hops):
			h := f.hops[hops]
			f.mu.Unlock()
			if err := checkHop(a.ctx, a.req, h.from, h.to); err != nil {
				f.leave(a)
				return nil, err
			}
			f.mu.Lock()
			f.hops[hops].agreed = true
			hops++
			f.changed()
			f.mu.Unlock()
			continue
		case f.question != nil && a == f.lead:
			q := f.question
			f.mu.Unlock()
			answer, err := a.req.Credentials(a.ctx, q.challenge)
			f.mu.Lock()
			q.answer, q.err, q.done = answer, err, true
			f.question = nil
			f.changed()
			f.mu.Unlock()
			continue
		case f.resp != nil || f.err != nil || f.outcome != waiting:
			return f.arrive(a) // which unlocks
		}
		change := f.next()
		f.mu.Unlock()
		if a != f.lead {
			a.req.Report(fetch.Event{Phase: fetch.Waiting, Total: -1})
		}
		select {
		case <-change:
		case <-a.ctx.Done():
			f.leave(a)
			return nil, context.Cause(a.ctx)
		}
	}
}

// arrive returns the outcome of the flight for a. The caller has the lock, which
// arrive gives back.
func (f *flight) arrive(a *ask) (*fetch.Response, error) {
	resp, err, outcome := f.resp, f.err, f.outcome
	others := a != f.lead && f.private
	f.mu.Unlock()
	switch {
	case outcome != waiting:
		defer f.leave(a)
		if outcome != askAgain {
			tell(a, f.said())
		}
		return f.cache.reuse(a, outcome)
	case others && err != nil:
		f.leave(a)
		return nil, errAgain
	case err != nil:
		tell(a, f.said())
		f.leave(a)
		return nil, err
	case others,
		a != f.lead && !rfc9111.Matches(resp.Header, rfc9111.Nominated(resp.Header, f.lead.header), a.header),
		len(resp.Hops) > max(a.req.MaxRedirects, 0):
		a.alone = true
		f.leave(a)
		return nil, errAgain
	}
	return f.cache.response(a, clone(resp), &rider{flight: f, ask: a}), nil
}

// reuse answers with what is stored, whether it is fresh or not.
func (c *Cache) reuse(a *ask, outcome outcome) (*fetch.Response, error) {
	if outcome == askAgain {
		return nil, errAgain
	}
	old := c.find(a)
	if old == nil {
		return nil, errAgain
	}
	age := old.verdict.Age
	if outcome == useValid {
		age = -1
	}
	resp, err := c.serve(a, old, age)
	if resp == nil && err == nil {
		err = errAgain
	}
	return resp, err
}

// said returns the exchanges that have ended.
func (f *flight) said() []*fetch.Exchange {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.exchanges
}

// tell passes exchanges to Observe.
func tell(a *ask, exchanges []*fetch.Exchange) {
	if a.req.Observe == nil {
		return
	}
	for _, x := range exchanges {
		a.req.Observe(x)
	}
}

// request returns the request that is sent: that of the one who began, with
// callbacks that reach all. Limits on octets are for each reader.
func (f *flight) request(cond *fetch.Conditions) *fetch.Request {
	r := *f.lead.req
	r.Conditions = cond
	r.MaxBytes = -1
	r.Budget = nil // octets are charged where they are read
	r.CheckHop = f.checkHop
	r.Progress = f.progress
	if r.Observe != nil {
		r.Observe = f.observe
	}
	if r.Credentials != nil {
		r.Credentials = f.credentials
	}
	return &r
}

// fetch calls the next fetcher. Contacts are charged to the one who began, and where
// the rest of a body is asked for to another rider if that one cannot afford it.
func (f *flight) fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	r := *req
	r.Budget = f.lead.req.Budget
	resp, err := f.cache.next.Fetch(ctx, &r)
	for _, a := range f.others() {
		if fetch.KindOf(err) != fetch.Deferred || !fetch.AfterOf(err).IsZero() {
			break
		}
		r.Budget = a.req.Budget
		resp, err = f.cache.next.Fetch(ctx, &r)
	}
	if err != nil {
		return nil, err
	}
	// What is stored and shared are the octets as they were sent. The digests
	// are over those, and each reader undoes the codings.
	f.codings, resp.Codings = resp.Codings, nil
	return resp, nil
}

// others returns who reads along; nobody before the body has begun.
func (f *flight) others() []*ask {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.resp == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(f.riders), func(r *ask) bool { return r == f.lead })
}

// checkHop waits until one rider agrees to a redirect. Those who do not, leave;
// when nobody is left, the context ends.
func (f *flight) checkHop(ctx context.Context, from, to *url.URL) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.resp != nil {
		return errMoved
	}
	f.hops = append(f.hops, hop{from: from, to: to})
	i := len(f.hops) - 1
	f.changed()
	return f.await(ctx, func() bool { return f.hops[i].agreed })
}

// errMoved is the error of a body whose rest is somewhere else now.
var errMoved = &fetch.Error{Kind: fetch.Truncated, Err: errors.New("a redirect where the rest of the body was asked for")}

// await waits until a condition holds. The caller has the lock.
func (f *flight) await(ctx context.Context, condition func() bool) error {
	for !condition() {
		change := f.next()
		f.mu.Unlock()
		select {
		case <-change:
		case <-ctx.Done():
		}
		f.mu.Lock()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// credentials asks the one who began, once for each challenge. What comes is
// for nobody else.
func (f *flight) credentials(ctx context.Context, ch fetch.Challenge) (*fetch.Userinfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.private = true
	for _, q := range f.answered {
		if sameChallenge(q.challenge, ch) {
			return q.answer, q.err
		}
	}
	if f.resp != nil {
		return nil, fetch.Credentials // nobody waits any more who could be asked
	}
	q := &question{challenge: ch}
	f.question = q
	f.answered = append(f.answered, q)
	f.changed()
	err := f.await(ctx, func() bool { return q.done || f.leadGone })
	if err == nil && !q.done {
		err = errAbandoned
	}
	if err != nil {
		q.err = err
	}
	return q.answer, q.err
}

func sameChallenge(a, b fetch.Challenge) bool {
	return a.Scheme == b.Scheme && a.Host == b.Host && a.Port == b.Port && a.User == b.User && a.Realm == b.Realm
}

// progress keeps the steps before the body. Those of the body are reported by
// each reader's own Do.
func (f *flight) progress(e fetch.Event) {
	if e.Phase == fetch.Receiving || e.Phase == fetch.Verified {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.events) < maxEvents {
		f.events = append(f.events, e)
		f.changed()
	}
}

func (f *flight) observe(x *fetch.Exchange) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.exchanges = append(f.exchanges, x)
}

// run is the flight.
func (f *flight) run() {
	c := f.cache
	old := c.find(f.lead)
	if old != nil {
		defer old.item.Close()
	}
	// Another flight may have landed since the store was asked.
	if old != nil && old.verdict.Fresh || old == nil && c.negative(f.lead.key) != nil {
		f.land(askAgain, nil)
		return
	}
	resp, err := f.ask(old)
	if err == nil && resp.NotModified {
		resp.Body.Close()
		if old != nil && c.freshen(f.lead, old, resp) {
			f.land(useValid, nil)
			return
		}
		resp, err = f.ask(nil) // of another object: what is stored is of no use
		if err == nil && resp.NotModified {
			resp.Body.Close()
			err = fetch.Protocol
		}
	}
	switch {
	case err == nil:
		resp.Codings = f.codings
		f.carry(resp)
	case old != nil && old.verdict.OnError && fetch.KindOf(err) == fetch.Unavailable:
		f.land(useStale, nil)
	default:
		err = anonymous(err)
		c.remember(f.lead, err)
		f.land(waiting, err)
	}
}

// ask sends the request, with conditions if there is something stored that they
// can be made of.
func (f *flight) ask(old *found) (*fetch.Response, error) {
	var cond *fetch.Conditions
	if old != nil {
		etag, modified, strong := rfc9111.Validators(old.meta.Header)
		// What the server vouched for with a digest is vouched for again only by
		// a validator that changes with the octets. The Last-Modified of ftp has
		// the size beside it.
		if strong || len(old.meta.Digests) == 0 {
			cond = &fetch.Conditions{URL: old.meta.URL, ETag: etag, LastModified: modified, Size: max(old.meta.Size, 0)}
		}
		if etag == "" && modified == "" {
			cond = nil
		}
	}
	return fetch.Do(f.ctx, fetch.Func(f.fetch), f.request(cond))
}

// anonymous returns err without the URL of the request that was sent, since
// others get it as well.
func anonymous(err error) error {
	if e, ok := err.(*fetch.Error); ok {
		c := *e
		c.Op, c.URL = "", ""
		return &c
	}
	return err
}

// land ends a flight without a body.
func (f *flight) land(o outcome, err error) {
	f.cache.forget(f)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.outcome, f.err = o, err
	// What depends on the one who began says nothing to the others.
	switch fetch.KindOf(err) {
	case fetch.Denied, fetch.Deferred, fetch.Canceled, fetch.Credentials, fetch.Local:
		f.private = true
	}
	f.stop(nil)
	f.changed()
}

// freshen takes over what an answer 304 says of what is stored, and reports
// whether it speaks of that.
func (c *Cache) freshen(a *ask, old *found, resp *fetch.Response) bool {
	m := old.meta
	if resp.URL.String() != m.URL || !rfc9111.Selects(m.Header, resp.Header) {
		return false
	}
	if now, was := resp.Header.Get("Repr-Digest"), m.Header["Repr-Digest"]; now != "" && len(was) > 0 && now != was[0] {
		return false
	}
	fresh := *m
	fresh.Header = c.policy.Updated(m.Header, resp.Header)
	fresh.Requested, fresh.Received = resp.RequestTime, resp.ResponseTime
	c.stamp(&fresh)
	if resp.MediaType != "" {
		fresh.MediaType = resp.MediaType
	}
	// Without the update the server is asked again next time.
	_ = c.store.Update(a.key, old.item, fresh.encode())
	return true
}

// stamp sets the times of an answer that has none, and all by Options.Now if
// there is one: what is compared has to come from one clock.
func (c *Cache) stamp(m *meta) {
	if m.Received.IsZero() || c.ownClock {
		delay := max(m.Received.Sub(m.Requested), 0)
		m.Received = c.opts.Now()
		m.Requested = m.Received.Add(-delay)
	}
}
