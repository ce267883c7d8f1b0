package throttle

import (
	"container/list"
	"time"
)

// An endpoint is one scheme, host and port. All fields are guarded by the State.
type endpoint struct {
	id    string // by which the State knows it
	name  string // host and port
	group *group

	inFlight int
	waiters  list.List // of *waiter

	mute    int // requests in a row that were not answered in time
	stalled int // bodies in a row that stopped coming

	notBefore time.Time // by Retry-After
	long      []hold    // links with a long Retry-After, without a good answer between them

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
	if now.Before(e.notBefore) {
		return false
	}
	if !e.downUntil.IsZero() {
		return !e.probing && !now.Before(e.downUntil)
	}
	missed := max(e.mute, e.stalled)
	return missed == 0 || e.inFlight < max(1, downAfter-missed)
}

// asked returns the time before which e wants no requests.
func (e *endpoint) asked() time.Time { return later(e.notBefore, e.group.notBefore) }

// stale reports whether e is unused and the knowledge of it is old.
func (e *endpoint) stale(now time.Time) bool {
	return e.rest != nil && now.Sub(later(e.used, later(e.downUntil, e.asked()))) > memory
}

// offer lets the group choose e, if requests wait for it.
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
	e.mute, e.long = 0, nil
	if !e.downUntil.IsZero() {
		e.downSince, e.downUntil, e.why, e.downs, e.probing = time.Time{}, time.Time{}, nil, 0, false
		e.stalled = 0
	}
}

// down notes that the host is down since now.
func (e *endpoint) down(why error, now time.Time) {
	d := downTime * time.Duration(min(1<<min(e.downs, 16), maxDown))
	e.downs++
	e.downSince, e.downUntil, e.why, e.probing = now, now.Add(d), why, false
	e.mute, e.stalled = 0, 0
}

// wakeAt has e offered again when it may be asked, to see whether it is still down.
func (e *endpoint) wakeAt(s *State, now time.Time) {
	at := later(e.downUntil, e.notBefore)
	if e.probing || !at.After(now) {
		return
	}
	s.wake(&e.timer, at.Sub(now), func() {
		e.offer()
		s.offer(e.group)
	})
}
