package throttle

import (
	"context"
	"net/netip"
	"net/url"
	"slices"
	"time"
)

// An address is an IPv4 address, or 64 bits of an IPv6 one, that is contacted. A stranger has
// as many names for an address as he likes, and a file host shares its addresses with others.
type address struct {
	network netip.Prefix
	all     int            // fetches under way
	domains map[string]int // of them, by domain
	queue   []*lease       // that wait
}

// room reports whether a may have another fetch. A domain without one under way does not wait
// for domains with many.
func (s *State) room(a *address, domain string) bool {
	most := max(perAddress, 2*s.o.PerHost, 2*s.o.MaxPerHost)
	return s.o.PerHost < 0 || a.all < most || a.all < 2*most && a.domains[domain] == 0
}

// domain returns the domain of a host, or its address and port.
func (e *endpoint) domain() string {
	if _, err := netip.ParseAddr((&url.URL{Host: e.name}).Hostname()); err == nil {
		return e.name
	}
	return owner(e.name)
}

// dial is asked with the address of each contact; see [fetch.WithDial]. A lease counts for
// one address, the last. While it waits for that, it does not count as a fetch.
func (p *lease) dial(ctx context.Context, addr netip.Addr) error {
	addr = addr.Unmap().WithZone("")
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
	if p.address != nil && p.address.network == network {
		return nil
	}
	if p.turn == turn {
		s.vacate(p)
	}
	err = deferred(ErrTurn, time.Now().Add(guess))
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
	p.domain, p.turn, p.queued = p.slot.at.domain(), make(chan struct{}), a
	a.queue = append(a.queue, p)
	s.inFlight--
	s.admit(a)
	s.schedule(time.Now())
}

// admit counts those that wait for a, as far as there is room: the domain with the fewest
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
