package serve

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	core "github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/fetch"
)

// The bounds of bodies that wait to be handed over.
const (
	maxHandovers      = 500
	maxHandoverOctets = 1 << 30
	handoverAgain     = 5 * time.Second  // after a failure of the folder
	handoverSlow      = 10 * time.Second // for one body, after which the folder counts as failed
)

// A handover hands bodies over to an archive, one after the other and in the background: no mail waits for it.
// A body that the folder does not take is tried again while there is room, and otherwise left to the next run of the
// archive.
type handover struct {
	in      *archive.Incoming
	put     func(*archive.Entry, io.Reader) error // of in
	engine  *core.Engine
	metrics *core.Metrics
	again   time.Duration
	slow    time.Duration

	ctx  context.Context // ends with close
	stop context.CancelFunc
	wake chan struct{}
	done chan struct{}

	mu     sync.Mutex
	queue  []*handed
	octets int64
	since  time.Time // when the folder was given the first of the queue; the zero time while it is not
	closed bool
}

// A handed is a body that waits.
type handed struct {
	entry *archive.Entry
	body  *inspect.Fetched
}

// newHandover returns a handover. The caller runs its method run in a goroutine, and calls close.
func newHandover(in *archive.Incoming, engine *core.Engine, metrics *core.Metrics) *handover {
	h := &handover{
		in: in, put: in.Put, engine: engine, metrics: metrics, again: handoverAgain, slow: handoverSlow,
		wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

// keep takes a body over, and does not wait. It implements [inspect.Inspector].Keep.
func (h *handover) keep(f *inspect.Fetched) {
	entry, err := h.in.Entry(f.Ref, f.Report, f.Exchanges)
	if err != nil {
		h.leave(f)
		return
	}
	h.mu.Lock()
	full := h.closed || len(h.queue) >= maxHandovers || h.octets+f.Size() > maxHandoverOctets
	slow := !h.since.IsZero() && time.Since(h.since) > h.slow
	if !full {
		h.queue = append(h.queue, &handed{entry, f})
		h.octets += f.Size()
	}
	h.mu.Unlock()
	switch {
	case full:
		h.leave(f)
		h.engine.Failed(core.NoArchive, "more bodies wait than fit")
	case slow:
		h.engine.Failed(core.NoArchive, errSilent.Error())
	}
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

var errSilent = errors.New("the folder does not answer")

// leave leaves a body to the next run of the archive.
func (h *handover) leave(f *inspect.Fetched) {
	h.metrics.Captured(core.CaptureLeft)
	f.Close()
}

// next returns the first of the queue; nil if there is none.
func (h *handover) next() *handed {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue) == 0 {
		return nil
	}
	h.since = time.Now()
	return h.queue[0]
}

// end takes the first off the queue, if it was handed over or is left.
func (h *handover) end(err error) {
	h.mu.Lock()
	first := h.queue[0]
	h.queue = h.queue[1:]
	h.octets -= first.body.Size()
	h.mu.Unlock()
	if err != nil {
		h.leave(first.body)
		return
	}
	h.metrics.Captured(core.CaptureHanded)
	first.body.Close()
}

// idle notes that the folder has nothing to do.
func (h *handover) idle() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.since = time.Time{}
}

// run hands bodies over until close. After that it tries each that waits once, and none after a failure.
func (h *handover) run() {
	defer close(h.done)
	failed := false
	for {
		x := h.next()
		if x == nil {
			h.idle()
			select {
			case <-h.wake:
				continue
			case <-h.ctx.Done():
				if h.empty() {
					return
				}
				continue
			}
		}
		err := h.put(x.entry, x.body.NewReader())
		h.idle()
		switch {
		case err == nil:
			if failed {
				h.engine.Works(core.NoArchive)
			}
			failed = false
		case errors.Is(err, archive.ErrUnfit), damaged(err):
		default:
			h.engine.Failed(core.NoArchive, err.Error())
			failed = true
			if h.ctx.Err() == nil {
				h.rest()
				continue
			}
			for range h.length() {
				h.end(err)
			}
			return
		}
		h.end(err)
	}
}

// damaged reports whether an error is one of the temporary file with the body, and not of the folder.
func damaged(err error) bool {
	_, is := errors.AsType[*fetch.Error](err)
	return is
}

// rest waits before the folder is tried again.
func (h *handover) rest() {
	timer := time.NewTimer(h.again)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-h.ctx.Done():
	}
}

func (h *handover) length() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.queue)
}

func (h *handover) empty() bool { return h.length() == 0 }

// close hands over the bodies that wait, for at most a time, and takes nothing any more. A folder that does not answer
// is left alone.
func (h *handover) close(most time.Duration) {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.stop()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-h.done:
	case <-timer.C:
	}
}

// patient returns check without its waiting: a folder on another machine may never answer. Calls while an
// earlier one has no answer return an error.
func patient(check func() error, most time.Duration) func(context.Context) error {
	busy := make(chan struct{}, 1)
	return func(ctx context.Context) error {
		select {
		case busy <- struct{}{}:
		default:
			return errSilent
		}
		answer := make(chan error, 1)
		go func() {
			answer <- check()
			<-busy
		}()
		timer := time.NewTimer(most)
		defer timer.Stop()
		select {
		case err := <-answer:
			return err
		case <-timer.C:
			return errSilent
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
