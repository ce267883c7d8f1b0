package throttle

import (
	"context"
	"time"
)

// watch frees the slot of a body when its context ends, if the body is not closed before.
// That matters only while requests wait. So bodies are watched from then on: to watch each
// of them would cost more than all the rest.
func (s *State) watch(p *lease) {
	if s.waiting > 0 {
		p.stop = context.AfterFunc(p.ctx, func() { p.end(p.lost(), time.Time{}) })
		return
	}
	p.prev, p.next = nil, s.unwatched
	if p.next != nil {
		p.next.prev = p
	}
	s.unwatched = p
}

// watchAll watches the bodies that are not watched so far.
func (s *State) watchAll() {
	for p := s.unwatched; p != nil; p = s.unwatched {
		s.unwatch(p)
		s.watch(p)
	}
}

// unwatch takes p from the bodies that are not watched, if it is one.
func (s *State) unwatch(p *lease) {
	switch {
	case p.prev != nil:
		p.prev.next = p.next
	case s.unwatched == p:
		s.unwatched = p.next
	}
	if p.next != nil {
		p.next.prev = p.prev
	}
	p.prev, p.next = nil, nil
}
