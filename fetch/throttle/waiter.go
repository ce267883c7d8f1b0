package throttle

import (
	"container/list"
	"context"
	"net/url"
	"time"
)

// A waiter is a request in the queue of a host.
type waiter struct {
	at        *endpoint
	to        *url.URL
	elem      *list.Element // in at.waiters; nil when it has its result, or gave up
	latest    time.Time     // when it gives up; the zero Time if only with its context
	result    chan grant
	announced bool // that its host has to be waited for
}

// A grant is a slot or an error. A grant with waits set may precede it: the request
// waits for its host, and not only for other fetches to end.
type grant struct {
	slot  slot
	err   error
	waits bool
}

// enqueue adds a request to the queue of e. It fails if the wait is known to be
// too long.
func (s *State) enqueue(e *endpoint, to *url.URL, now time.Time) (*waiter, error) {
	w := &waiter{at: e, to: to, result: make(chan grant, 2)}
	if s.o.MaxWait > 0 {
		w.latest = now.Add(s.o.MaxWait)
	} else if e.probing {
		w.latest = now.Add(knownWait)
	}
	err := e.refusal(w, now)
	if err == nil && s.o.MaxWait < 0 {
		err = deferred(ErrTurn, later(now.Add(guess), e.group.next))
	}
	if err != nil {
		s.rest(e, now)
		return nil, err
	}
	s.rouse(e)
	w.elem = e.waiters.PushBack(w)
	if e.queued == nil {
		e.queued = e.group.queued.PushBack(e)
	}
	e.group.waiting++
	e.group.unannounced++
	s.waiting++
	s.offerHost(e)
	s.schedule(now)
	if w.elem != nil && (!e.group.mayStart(now) || !e.mayStart(now)) {
		e.announce()
	}
	return w, nil
}

// refusal returns the error of w if it is known that it would have to wait for
// too long.
func (e *endpoint) refusal(w *waiter, now time.Time) error {
	g := e.group
	if at := e.asked(); at.After(now) && !w.patient(at, now) {
		return deferred(errAsked, at)
	}
	if e.downUntil.After(now) && !w.patient(e.downUntil, now) {
		return deferred(e.cause(now), e.downUntil)
	}
	if w.elem == nil && g.o.Rate > 0 && g.o.MaxWait > 0 {
		if slot := later(g.next, now).Add(time.Duration(g.waiting) * g.interval()); slot.After(w.latest) {
			return deferred(ErrTurn, slot)
		}
	}
	return nil
}

// patient reports whether w waits until a time.
func (w *waiter) patient(until, now time.Time) bool {
	switch o := w.at.group.o; {
	case o.MaxWait < 0:
		return false
	case o.MaxWait > 0:
		return !until.After(w.latest)
	}
	return until.Sub(now) <= knownWait
}

// leave takes w out of the queue.
func (w *waiter) leave(s *State) {
	e := w.at
	s.waiting--
	e.waiters.Remove(w.elem)
	w.elem = nil
	e.group.waiting--
	if !w.announced {
		e.group.unannounced--
	}
	if e.waiters.Len() == 0 {
		e.withdraw()
		e.group.queued.Remove(e.queued)
		e.queued = nil
	}
}

// wait waits for the slot. It calls waits if it waits for the host itself.
func (w *waiter) wait(ctx context.Context, s *State, waits func()) (slot, error) {
	var late <-chan time.Time
	if !w.latest.IsZero() {
		t := time.NewTimer(time.Until(w.latest))
		defer t.Stop()
		late = t.C
	}
	for on := true; on; {
		select {
		case g := <-w.result:
			if !g.waits {
				return w.take(ctx, s, g)
			}
			w.report(s, waits)
		case <-ctx.Done():
			on = false
		case <-late:
			on = false
		}
	}
	s.mu.Lock()
	if w.elem != nil {
		w.leave(s)
		s.rest(w.at, time.Now())
		s.mu.Unlock()
		return slot{}, gaveUp(ctx)
	}
	s.mu.Unlock()
	g := <-w.result // given at the same time
	if g.waits {
		g = <-w.result
	}
	return w.take(ctx, s, g)
}

// report calls waits. If that panics, w leaves the queue, or gives its slot back.
func (w *waiter) report(s *State, waits func()) {
	returned := false
	defer func() {
		if returned {
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if w.elem != nil {
			w.leave(s)
			s.rest(w.at, time.Now())
		} else if g := <-w.result; g.slot.at != nil {
			s.release(g.slot, nothing, time.Time{})
		}
	}()
	waits()
	returned = true
}

// take takes a grant, or frees its slot if ctx has ended.
func (w *waiter) take(ctx context.Context, s *State, g grant) (slot, error) {
	if g.err == nil && ctx.Err() != nil {
		s.mu.Lock()
		s.release(g.slot, nothing, time.Time{})
		s.mu.Unlock()
		return slot{}, gaveUp(ctx)
	}
	return g.slot, g.err
}

// gaveUp returns why a request waits no longer. The time for the whole fetch, which
// [fetch.Do] sets, was spent here and not by the host.
func gaveUp(ctx context.Context) error {
	if ctx.Err() != nil && !timedOut(context.Cause(ctx)) {
		return context.Cause(ctx)
	}
	return deferred(ErrTurn, time.Now().Add(guess))
}
