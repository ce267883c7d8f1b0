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
	After    time.Time // until when it wants no requests; the zero Time if it takes them
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
		if e.downUntil.After(now) || e.probing {
			h.Down = e.downUntil
		}
		if at := e.asked(); at.After(now) {
			h.After = at
		}
		if h.InFlight > 0 || h.Waiting > 0 || !h.Down.IsZero() || !h.After.IsZero() {
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
		e.stalled, e.notBefore = 0, time.Time{}
		e.group.strikes, e.group.notBefore = 0, time.Time{}
		s.revive(e, now)
	}
	s.schedule(now)
}

// revive forgets that a host did not answer.
func (s *State) revive(e *endpoint, now time.Time) {
	e.up()
	if e.rest != nil {
		s.rest(e, now)
	}
	e.offer()
	s.offer(e.group)
}
