package throttle

import (
	"context"
	"errors"
	"io"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/netx/dialing"
)

// ask sends the request. If a function of the caller panics, the slot is free again.
func (p *lease) ask(next layer) (resp *fetch.Response, err error) {
	returned := false
	defer func() {
		if !returned {
			p.finish(nothing)
		}
	}()
	resp, err = next.Fetch(dialing.WithAsk(p.ctx, p.dial), &p.req)
	if err == nil {
		p.open(resp)
	}
	returned = true
	return resp, err
}

// gate is the Gate of the Request. The caller's is asked after the wait, and answers for the time of the contact.
func (p *lease) gate(ctx context.Context, to *url.URL) error {
	if err := p.enter(ctx, to); err != nil || p.gated == nil {
		return err
	}
	return p.gated(ctx, to)
}

// enter waits until the host of a URL may be asked.
func (p *lease) enter(ctx context.Context, to *url.URL) error {
	p.state.mu.Lock()
	t := p.slot
	same := t.at != nil && t.at.id == endpointID(to)
	if same {
		p.slot.to = to
		t.to = to
	}
	p.state.mu.Unlock()
	if same {
		return p.state.again(ctx, t, p.waits)
	}
	p.finish(alive) // it has sent us on
	t, err := p.state.acquire(ctx, to, p.waits)
	if err == nil {
		p.state.mu.Lock()
		t.first = p.req.URL
		p.slot = t
		if p.body != nil {
			p.watch()
		}
		p.state.mu.Unlock()
	}
	return err
}

// waits reports that the fetch has to wait.
func (p *lease) waits() { driver.Report(&p.req, fetch.Event{Phase: fetch.Waiting, Total: -1}) }

// fail ends a fetch that has failed, and returns its error. It reports whether it should be
// repeated: the host has named a time, and that is soon.
func (p *lease) fail(err error) (bool, error) {
	what := judge(p.ctx, err)
	after := fetch.AfterOf(err)
	p.state.mu.Lock()
	t := p.slot
	late := p.late
	p.state.mu.Unlock()
	if late != nil {
		what = nothing
		err = late // whatever the fetcher makes of it
	}
	p.end(what, after)
	named := what == busy && !after.IsZero() || errors.Is(late, errAsked)
	if t.at == nil || !named {
		return false, err
	}
	return p.state.soon(p.ctx, t), err
}

// open makes p the body of resp.
func (p *lease) open(resp *fetch.Response) {
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	if p.slot.at == nil {
		return // there was no contact
	}
	p.body = resp.Body
	resp.Body = p
	p.state.answered(p.slot)
	p.watch()
}

// watch frees the slot when the context ends, if the body is not closed before. The caller
// has the lock.
func (p *lease) watch() {
	p.stop = context.AfterFunc(p.ctx, func() { p.end(p.lost(), time.Time{}) })
}

// lost returns the outcome if the context ends.
func (p *lease) lost() outcome {
	if timedOut(context.Cause(p.ctx)) {
		return stalled
	}
	return nothing
}

// Read implements [io.Reader].
func (p *lease) Read(b []byte) (int, error) {
	n, err := p.body.Read(b)
	switch {
	case err == io.EOF:
		p.finish(whole)
	case err == nil:
	case p.ctx.Err() != nil:
		p.finish(p.lost())
	case timedOut(err):
		p.finish(stalled)
	default:
		p.finish(nothing)
	}
	return n, err
}

// Close implements [io.Closer].
func (p *lease) Close() error {
	defer p.finish(nothing)
	return p.body.Close()
}

func (p *lease) finish(what outcome) { p.end(what, time.Time{}) }

// end ends the slot, if there is one.
func (p *lease) end(what outcome, after time.Time) {
	s := p.state
	s.mu.Lock()
	t := p.slot
	stop := p.stop
	p.slot = slot{}
	p.stop = nil
	s.vacate(p)
	if t.at != nil {
		s.release(t, what, after)
	}
	s.mu.Unlock()
	if stop != nil {
		stop()
	}
}

// nat64 is the prefix through which IPv4 addresses are reached (RFC 6052 section 2.1).
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// room reports whether a may have another fetch. A domain without one under way does not wait
// for domains with many.
func (s *State) room(a *address, domain string) bool {
	most := max(perAddress, 2*s.o.PerHost, 2*s.o.MaxPerHost)
	if s.o.PerHost < 0 || a.all < most {
		return true
	}
	return a.all < 2*most && a.domains[domain] == 0
}

// domain returns the domain of a host, or its address and port.
func (e *endpoint) domain() string {
	if _, err := netip.ParseAddr((&url.URL{Host: e.name}).Hostname()); err == nil {
		return e.name
	}
	return e.owner
}

// dial is asked with the address of each contact; see [dialing.WithAsk]. A lease counts for
// one address, the last. While it waits for that, it does not count as a fetch.
func (p *lease) dial(ctx context.Context, addr netip.Addr) error {
	addr = addr.Unmap().WithZone("")
	if a := addr.As16(); nat64.Contains(addr) {
		addr = netip.AddrFrom4([4]byte(a[12:]))
	}
	network, err := addr.Prefix(min(addr.BitLen(), 64))
	if err != nil {
		return nil // there is no address
	}
	s := p.state
	s.mu.Lock()
	if p.slot.at == nil || p.address != nil && p.address.network == network {
		s.mu.Unlock()
		return nil
	}
	if p.queued == nil || p.queued.network != network {
		s.vacate(p)
		s.approach(p, network)
	}
	turn := p.turn
	s.mu.Unlock()
	var late <-chan time.Time
	if s.o.MaxWait != 0 {
		late = time.After(max(s.o.MaxWait, 0))
	}
	over := false
	select {
	case <-turn:
	case <-ctx.Done():
		over = p.ctx.Err() != nil
	case <-late:
		over = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	switch at := p.address; {
	case at == nil || at.network != network:
		err = deferred(ErrTurn, now.Add(guess))
	case s.asked(p.slot, now).After(now):
		over = true
		err = deferred(errAsked, s.asked(p.slot, now))
	default:
		return nil
	}
	if p.turn == turn {
		s.vacate(p)
	}
	if over {
		p.late = err
	}
	return err
}

// approach counts p for an address, or queues it. Its turn is closed when it no longer waits.
func (s *State) approach(p *lease, network netip.Prefix) {
	a := s.addresses[network]
	if a == nil {
		a = &address{network: network, domains: make(map[string]int)}
		s.addresses[network] = a
	}
	p.domain = p.slot.at.domain()
	p.turn = make(chan struct{})
	p.queued = a
	a.queue = append(a.queue, p)
	s.inFlight--
	s.admit(a)
	s.schedule(time.Now())
}

// admit counts the leases that wait for a, as far as there is room: the domain with the fewest
// first.
func (s *State) admit(a *address) {
	for len(a.queue) > 0 {
		p := slices.MinFunc(a.queue, func(p, q *lease) int { return a.domains[p.domain] - a.domains[q.domain] })
		if !s.room(a, p.domain) {
			return
		}
		s.dequeue(p)
		p.address = a
		a.all++
		a.domains[p.domain]++
	}
	if a.all == 0 {
		delete(s.addresses, a.network)
	}
}

// dequeue ends the wait of p for an address.
func (s *State) dequeue(p *lease) {
	p.queued.queue = slices.DeleteFunc(p.queued.queue, func(q *lease) bool { return p == q })
	p.queued = nil
	s.inFlight++
	close(p.turn)
}

// vacate ends the wait of p for an address, and no longer counts it for one.
func (s *State) vacate(p *lease) {
	if a := p.queued; a != nil {
		s.dequeue(p)
		s.admit(a)
	}
	if a := p.address; a != nil {
		p.address = nil
		a.all--
		if a.domains[p.domain]--; a.domains[p.domain] == 0 {
			delete(a.domains, p.domain)
		}
		s.admit(a)
	}
}

// Fetch implements [fetch.Fetcher]. A request that a host answers with 429 or 503 and a
// Retry-After within [Options].MaxWait is repeated, at most twice.
func (t *Throttle) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	var first error
	for try := 0; ; try++ {
		p := &lease{state: t.state, ctx: ctx, gated: driver.OfRequest(req).Gate, req: *req}
		driver.OfRequest(&p.req).Gate = p.gate
		resp, err := p.ask(t.layer)
		if err == nil {
			return resp, nil
		}
		again, err := p.fail(err)
		if first != nil && fetch.KindOfFetch(err) == fetch.Deferred {
			return nil, first // has more information
		}
		if !again || try >= maxRepeats {
			return nil, err
		}
		first = err
	}
}
