package throttle

import (
	"cmp"
	"slices"
	"time"
)

// A Host is the state of a host, for a page or a line of status.
type Host struct {
	Name     string    // host and port
	Key      string    // see Options.Key
	InFlight int       // requests and bodies that are under way
	Waiting  int       // requests that wait for their turn
	Down     time.Time // until when it counts as down; the zero Time if it does not
	After    time.Time // until when it wants no requests, or is put off; the zero Time if it is not
}

// Hosts returns the hosts that are contacted now, are waited for, are down, or
// want no requests for now. They are sorted by name.
func (s *State) Hosts() []Host {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	var hosts []Host
	for _, e := range s.endpoints {
		h := Host{Name: e.name, Key: e.group.key, InFlight: e.inFlight, Waiting: e.waiters.Len()}
		after := e.asked()
		switch {
		case e.why == errAway:
			after = later(after, e.downUntil)
		case e.downUntil.After(now) || e.probing:
			h.Down = e.downUntil
		}
		if after.After(now) {
			h.After = after
		}
		inUse := h.InFlight > 0 || h.Waiting > 0
		if inUse || !h.Down.IsZero() || !h.After.IsZero() {
			hosts = append(hosts, h)
		}
	}
	slices.SortFunc(hosts, func(a, b Host) int { return cmp.Compare(a.Name, b.Name) })
	return hosts
}

// Reset forgets that hosts are down, busy or want no requests for now, so that all of them
// are asked again: for an operator whose own network was at fault. Requests that wait for
// such a time go on.
func (s *State) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.links = nil
	for _, e := range s.endpoints {
		e.stalled = 0
		e.notBefore = time.Time{}
		e.group.strikes = 0
		e.group.notBefore = time.Time{}
		s.revive(e, now)
	}
	s.schedule(now)
}
