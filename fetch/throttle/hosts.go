package throttle

import (
	"cmp"
	"slices"
	"time"
)

// A Host is what there is to say of a host, for a page or a line of status.
type Host struct {
	Name     string    // host and port
	Key      string    // with what it shares its limits; see Options.Key
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
		if e.group.notBefore.After(now) {
			h.After = e.group.notBefore
		}
		if h.InFlight > 0 || h.Waiting > 0 || !h.Down.IsZero() || !h.After.IsZero() {
			hosts = append(hosts, h)
		}
	}
	slices.SortFunc(hosts, func(a, b Host) int { return cmp.Compare(a.Name, b.Name) })
	return hosts
}
