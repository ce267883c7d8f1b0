package source

import "sync"

// A room bounds what is held at a time. What is more than all of it has it alone.
type room struct {
	mu   sync.Mutex
	more *sync.Cond
	held int64
	max  int64
}

func newRoom(max int64) *room {
	r := &room{max: max}
	r.more = sync.NewCond(&r.mu)
	return r
}

// take returns when there is room for n octets.
func (r *room) take(n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.held > 0 && r.held+n > r.max {
		r.more.Wait()
	}
	r.held += n
}

// give gives back n octets.
func (r *room) give(n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held -= n
	r.more.Signal()
}
