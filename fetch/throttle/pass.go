package throttle

import (
	"context"
	"io"
	"net/url"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A pass is one fetch on its way through hosts, and then the body of its
// Response.
type pass struct {
	state *State
	ctx   context.Context
	gated func(context.Context, *url.URL) error // the caller's Gate
	req   fetch.Request                         // as it is passed on

	body io.ReadCloser

	// Guarded by the State.
	turn       turn // its host is nil when there is none
	stop       func() bool
	prev, next *pass // in State.unwatched
}

// gate is the Gate of the Request.
func (p *pass) gate(ctx context.Context, to *url.URL) error {
	if p.gated != nil {
		if err := p.gated(ctx, to); err != nil {
			return err
		}
	}
	if t := p.current(); t.at != nil {
		if t.at.id == endpointID(to) {
			t.to = to
			p.state.mu.Lock()
			p.turn.to = to
			p.state.mu.Unlock()
			return p.state.again(ctx, t, p.waits)
		}
		p.end(alive, time.Time{}) // it has sent us on
	}
	t, err := p.state.acquire(ctx, to, p.waits)
	if err == nil {
		p.state.mu.Lock()
		p.turn = t
		if p.body != nil {
			p.state.watch(p)
		}
		p.state.mu.Unlock()
	}
	return err
}

// waits says that the fetch has to wait.
func (p *pass) waits() { p.req.Report(fetch.Event{Phase: fetch.Waiting, Total: -1}) }

func (p *pass) current() turn {
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	return p.turn
}

// fail ends a fetch that has failed. It reports whether it should be repeated:
// the host has said when, and that is soon.
func (p *pass) fail(err error) bool {
	what := judge(p.ctx, err)
	after := fetch.AfterOf(err)
	t := p.current()
	p.end(what, after)
	if what != busy || t.at == nil || after.IsZero() {
		return false
	}
	return p.state.soon(p.ctx, t)
}

// open makes p the body of resp.
func (p *pass) open(resp *fetch.Response) {
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	if p.turn.at == nil && p.state.pace.rate <= 0 {
		return // nobody was contacted
	}
	p.body, resp.Body = resp.Body, p
	if p.turn.at != nil {
		p.state.answered(p.turn)
		p.state.watch(p)
	}
}

// lost returns what the end of the context shows of the host.
func (p *pass) lost() outcome {
	if timedOut(context.Cause(p.ctx)) {
		return stalled
	}
	return nothing
}

// Read implements [io.Reader].
func (p *pass) Read(b []byte) (int, error) {
	n, err := p.body.Read(p.state.pace.bound(b))
	switch {
	case err == io.EOF:
		p.finish(whole)
	case err == nil:
		if e := p.state.pace.pay(p.ctx, n); e != nil {
			p.finish(p.lost())
			return n, e
		}
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
func (p *pass) Close() error {
	err := p.body.Close()
	p.finish(nothing)
	return err
}

func (p *pass) finish(what outcome) { p.end(what, time.Time{}) }

// end ends the turn, if there is one.
func (p *pass) end(what outcome, after time.Time) {
	s := p.state
	s.mu.Lock()
	t, stop := p.turn, p.stop
	p.turn, p.stop = turn{}, nil
	s.unwatch(p)
	if t.at != nil {
		s.release(t, what, after)
	}
	s.mu.Unlock()
	if stop != nil {
		stop()
	}
}
