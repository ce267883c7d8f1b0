package archive

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"

	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/wording"
)

// unannounced is the room that is kept for a body of unknown size.
const unannounced = 1 << 20

// ErrNoSpace is the error of a run that ended because less than MinFree would be free.
var ErrNoSpace = errors.New("too little of the disk is free")

func noSpace(missing int64) error {
	return fmt.Errorf("%w: at least %s to be", ErrNoSpace, wording.Choose(missing, "more octet has", "more octets have"))
}

var (
	errCrowded = errors.New("there is room for it when other bodies are on the disk")
	errTooWide = errors.New("the disk has no room for the announced size")
	errStopped = errors.New("the run has stopped")
)

// A room is the part of the disk that the bodies of a run can have. A body takes its room before
// its host is asked, because a link may work once (OP-51). Its methods may be called by several
// goroutines at once.
type room struct {
	free func() (octets int64, known bool) // beyond those that have to stay free

	mu      sync.Mutex
	ended   sync.Cond // of a body, or of the run
	taken   int64     // octets that bodies on their way have
	bodies  int       // that are on their way
	waiting map[*visit]bool
	stopped bool
}

func newRoom(free func() (int64, bool)) *room {
	r := &room{free: free, waiting: make(map[*visit]bool)}
	r.ended.L = &r.mu
	return r
}

// stop lets no other body begin, and cancels those that wait for their turns. Those on their way go on.
func (r *room) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped = true
	for v := range r.waiting {
		v.cancel()
	}
	r.ended.Broadcast()
}

// await returns when there is room for a body of unknown size, when none is on its way, or when the run has stopped.
func (r *room) await() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.bodies > 0 && !r.stopped && !r.fits(unannounced) {
		r.ended.Wait()
	}
}

// fits is for a caller that holds the lock.
func (r *room) fits(size int64) bool {
	free, known := r.free()
	return !known || size <= free-r.taken
}

// A visit is one body for which a host is asked.
type visit struct {
	driver.Layer
	room   *room
	cancel context.CancelFunc
	size   int64 // the announced one, or unannounced
	held   bool  // it has its room; guarded by the lock of the room
}

// visit returns the Fetcher of a body, which asks next, and the context for it. size is the announced
// one, if it is positive. The caller calls end.
func (r *room) visit(ctx context.Context, next fetch.Fetcher, size int64) (context.Context, *visit) {
	ctx, cancel := context.WithCancel(ctx)
	v := &visit{Layer: driver.Layer{Next: next}, room: r, cancel: cancel, size: unannounced}
	if size > 0 {
		v.size = size
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting[v] = true
	if r.stopped {
		cancel()
	}
	return ctx, v
}

// Fetch implements [fetch.Fetcher]. Before the first contact with a host, and after the wait for it, the
// body takes its room.
func (v *visit) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	c := *req
	gate := driver.OfRequest(req).Gate
	driver.OfRequest(&c).Gate = func(ctx context.Context, to *url.URL) error {
		if err := v.take(); err != nil {
			return &fetch.Error{Kind: fetch.Local, Err: err}
		}
		if gate == nil {
			return nil
		}
		return gate(ctx, to)
	}
	return v.Layer.Fetch(ctx, &c)
}

// A sink is the object of a visit. It stops the run before the failure of a write lets the host have another
// request.
type sink struct {
	*store.Draft
	room *room
}

// Write implements io.Writer.
func (k sink) Write(p []byte) (int, error) {
	n, err := k.Draft.Write(p)
	if err != nil {
		k.room.stop()
	}
	return n, err
}

// take takes the room of the body, unless it has it.
func (v *visit) take() error {
	r := v.room
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case v.held:
		return nil
	case r.stopped:
		return errStopped
	case r.fits(v.size):
	case r.bodies > 0:
		return errCrowded
	case r.fits(unannounced):
		return errTooWide
	default:
		free, _ := r.free()
		return noSpace(unannounced - free)
	}
	delete(r.waiting, v) // stop does not cancel it
	v.held = true
	r.taken += v.size
	r.bodies++
	return nil
}

// end gives the room back, and reports whether the run stopped before the body began.
func (v *visit) end() (stopped bool) {
	r := v.room
	r.mu.Lock()
	defer r.mu.Unlock()
	v.cancel()
	delete(r.waiting, v)
	if !v.held {
		return r.stopped
	}
	v.held = false
	r.taken -= v.size
	r.bodies--
	r.ended.Broadcast()
	return false
}
