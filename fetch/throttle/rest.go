package throttle

import (
	"net/netip"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

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
	if e.inFlight > 0 || e.waiters.Len() > 0 {
		return
	}
	s.rouse(e)
	e.used = now
	e.sort = e.sortOf(now)
	of := &s.resting[e.sort]
	e.rest = of.PushBack(e)
	if e.sort == isAsked {
		e.owner = owner(e.name)
		s.asked[e.owner]++
	}
	if of.Len() <= maxResting {
		return
	}
	if e.sort == isAsked {
		s.forget(s.dispensable(now))
	} else {
		s.forget(of.Front().Value.(*endpoint))
	}
}

// dispensable returns the host of the sort isAsked to forget: one whose time has come, or
// one of the owner of most of them. To have other hosts forgotten takes thousands of
// domains.
func (s *State) dispensable(now time.Time) *endpoint {
	var least *endpoint
	for elem := s.resting[isAsked].Front(); elem != nil; elem = elem.Next() {
		e := elem.Value.(*endpoint)
		if e.sortOf(now) == atRest {
			return e
		}
		if least == nil || s.asked[e.owner] > s.asked[least.owner] {
			least = e
		}
	}
	return least
}

// rouse ends the rest of e.
func (s *State) rouse(e *endpoint) {
	if e.rest == nil {
		return
	}
	s.resting[e.sort].Remove(e.rest)
	e.rest = nil
	if e.sort == isAsked {
		if s.asked[e.owner]--; s.asked[e.owner] == 0 {
			delete(s.asked, e.owner)
		}
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
