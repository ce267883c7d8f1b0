package throttle

import (
	"container/list"
	"time"
)

// An endpoint is one host and port. All fields are guarded by the State.
type endpoint struct {
	name  string
	group *group

	inFlight int
	waiters  list.List // of *waiter

	mute    int // requests in a row that were not answered in time
	stalled int // bodies in a row that stopped coming

	downSince time.Time
	downUntil time.Time // the zero Time: not down
	why       error     // it is down
	downs     int       // times in a row
	probing   bool      // a request shows whether it is down still

	used   time.Time     // when it came to rest
	ring   *list.Element // in group.ring
	queued *list.Element // in group.queued
	rest   *list.Element // in State.resting; nil while it is in use
	sort   sort          // of State.resting
	owner  string        // while it rests as isAsked
	timer  *time.Timer
}

// mayStart reports whether the host may have another request. One that has not
// answered has no more of them than it may leave without an answer before it is
// down.
func (e *endpoint) mayStart(now time.Time) bool {
	if !e.downUntil.IsZero() {
		return !e.probing && !now.Before(e.downUntil)
	}
	missed := max(e.mute, e.stalled)
	return missed == 0 || e.group.o.DownAfter < 0 || e.inFlight < max(1, e.group.o.DownAfter-missed)
}

// stale reports whether what is known of the host is old, and nobody uses it.
func (e *endpoint) stale(now time.Time) bool {
	return e.rest != nil && now.Sub(later(e.used, later(e.downUntil, e.group.notBefore))) > memory
}

// offer lets the group choose e, if somebody waits for it.
func (e *endpoint) offer() {
	if e.ring == nil && e.waiters.Len() > 0 {
		e.ring = e.group.ring.PushBack(e)
	}
}

// withdraw is the opposite of offer.
func (e *endpoint) withdraw() {
	if e.ring != nil {
		e.group.ring.Remove(e.ring)
		e.ring = nil
	}
}

// up notes an answer.
func (e *endpoint) up() {
	e.mute = 0
	if !e.downUntil.IsZero() {
		e.downSince, e.downUntil, e.why, e.downs, e.probing = time.Time{}, time.Time{}, nil, 0, false
		e.stalled = 0
	}
}

// down notes that the host is down since now.
func (e *endpoint) down(why error, now time.Time) {
	d := e.group.o.DownTime << min(e.downs, 16)
	if limit := maxDown * e.group.o.DownTime; d > limit || d <= 0 {
		d = limit
	}
	e.downs++
	e.downSince, e.downUntil, e.why, e.probing = now, now.Add(d), why, false
	e.mute, e.stalled = 0, 0
}

// wakeAt has e offered again when it is time to see whether it is down still.
func (e *endpoint) wakeAt(s *State, now time.Time) {
	if e.probing || !e.downUntil.After(now) {
		return
	}
	wake(&e.timer, e.downUntil.Sub(now), func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		e.offer()
		s.offer(e.group)
		s.schedule(time.Now())
	})
}
