package throttle

import (
	"iter"
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
	e.owner = ""
	if e.sort == isAsked {
		e.owner = owner(e.name)
	}
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

// dispensable returns the value to forget: one whose time has come, or one of the owner of
// most of them. To have the values of others forgotten takes thousands of domains.
func dispensable[T any](all iter.Seq[T], of func(T) (owner string, over bool)) (least T) {
	owned, most := make(map[string]int), 0
	for v := range all {
		owner, over := of(v)
		if over {
			return v
		}
		if owned[owner]++; owned[owner] > most {
			least, most = v, owned[owner]
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
