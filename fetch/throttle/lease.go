package throttle

import (
	"context"
	"io"
	"net/url"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A lease is the permission of one fetch to contact hosts, and then the body of its
// Response. It has one slot at a time.
type lease struct {
	state *State
	ctx   context.Context
	gated func(context.Context, *url.URL) error // the caller's Gate
	req   fetch.Request                         // as it is passed on

	body io.ReadCloser

	// Guarded by the State.
	slot slot // its endpoint is nil without one
	stop func() bool

	address *address // for which it counts; nil for none
	queued  *address // for which it waits; nil for none
	turn    chan struct{}
	domain  string
	late    error // the wait took too long
}

// gate is the Gate of the Request.
func (p *lease) gate(ctx context.Context, to *url.URL) error {
	if p.gated != nil {
		if err := p.gated(ctx, to); err != nil {
			return err
		}
	}
	if t := p.current(); t.at != nil {
		if t.at.id == endpointID(to) {
			t.to = to
			p.state.mu.Lock()
			p.slot.to = to
			p.state.mu.Unlock()
			return p.state.again(ctx, t, p.waits)
		}
		p.end(alive, time.Time{}) // it has sent us on
	}
	t, err := p.state.acquire(ctx, to, p.waits)
	if err == nil {
		p.state.mu.Lock()
		p.slot = t
		if p.body != nil {
			p.watch()
		}
		p.state.mu.Unlock()
	}
	return err
}

// waits reports that the fetch has to wait.
func (p *lease) waits() { p.req.Report(fetch.Event{Phase: fetch.Waiting, Total: -1}) }

func (p *lease) current() slot {
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	return p.slot
}

// fail ends a fetch that has failed, and returns its error. It reports whether it should be
// repeated: the host has said when, and that is soon.
func (p *lease) fail(err error) (bool, error) {
	what := judge(p.ctx, err)
	after := fetch.AfterOf(err)
	t := p.current()
	p.state.mu.Lock()
	late := p.late
	p.state.mu.Unlock()
	if late != nil {
		what, err = nothing, late // whatever the fetcher makes of it
	}
	p.end(what, after)
	if what != busy || t.at == nil || after.IsZero() {
		return false, err
	}
	return p.state.soon(p.ctx, t), err
}

// open makes p the body of resp.
func (p *lease) open(resp *fetch.Response) {
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	if p.slot.at == nil {
		return // there was no contact
	}
	p.body, resp.Body = resp.Body, p
	p.state.answered(p.slot)
	p.watch()
}

// watch frees the slot when the context ends, if the body is not closed before. The caller
// has the lock.
func (p *lease) watch() {
	p.stop = context.AfterFunc(p.ctx, func() { p.end(p.lost(), time.Time{}) })
}

// lost returns the outcome if the context ends.
func (p *lease) lost() outcome {
	if timedOut(context.Cause(p.ctx)) {
		return stalled
	}
	return nothing
}

// Read implements [io.Reader].
func (p *lease) Read(b []byte) (int, error) {
	n, err := p.body.Read(b)
	switch {
	case err == io.EOF:
		p.finish(whole)
	case err == nil:
	case p.ctx.Err() != nil:
		p.finish(p.lost())
	case timedOut(err):
		p.finish(stalled)
	default:
		p.finish(nothing)
	}
	return n, err
}

// Close implements [io.Closer].
func (p *lease) Close() error {
	err := p.body.Close()
	p.finish(nothing)
	return err
}

func (p *lease) finish(what outcome) { p.end(what, time.Time{}) }

// end ends the slot, if there is one.
func (p *lease) end(what outcome, after time.Time) {
	s := p.state
	s.mu.Lock()
	t, stop := p.slot, p.stop
	p.slot, p.stop = slot{}, nil
	s.vacate(p)
	if t.at != nil {
		s.release(t, what, after)
	}
	s.mu.Unlock()
	if stop != nil {
		stop()
	}
}
