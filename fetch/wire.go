package fetch

import (
	"context"
	"fmt"
	"io"
	"math"
	"sync/atomic"
	"time"
)

// A wire reads the Fetcher's body: the octets as they were sent, content
// codings included. It counts them against the limit and the announced size,
// feeds the digests, and watches their speed.
type wire struct {
	body    *body
	src     io.Reader
	size    int64 // announced, or -1
	n       int64
	digests []digester
	err     error

	resumption resumption

	stall       *time.Timer
	reading     atomic.Int64  // when the Read that is under way began, by clock; 0 between two
	windowTime  time.Duration // spent in Reads in the current low-speed window
	windowBytes int64
}

func newWire(b *body, f Fetcher, src io.Reader) *wire {
	return &wire{body: b, src: src, size: b.resp.Size, digests: newDigesters(b.resp.Digests), resumption: resumption{f: f}}
}

// maxEmptyReads bounds the Reads in a row that return neither octets nor an
// error.
const maxEmptyReads = 100

func (w *wire) Read(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	for range maxEmptyReads {
		n, err := w.timedRead(p)
		w.n += int64(n)
		for i := range w.digests {
			w.digests[i].hash.Write(p[:n])
		}
		w.body.record.write(p[:n])
		req := w.body.req
		spent := req.Budget.receive(n, w.n)
		switch {
		case req.MaxBytes >= 0 && w.n > req.MaxBytes:
			w.err = wrap("read", req, TooLarge, tooLargeError(req.MaxBytes))
			return 0, w.err
		case w.size >= 0 && w.n > w.size:
			w.err = wrap("read", req, Protocol, fmt.Errorf("more than the announced %d octets came", w.size))
			return 0, w.err
		case spent != nil:
			w.err = wrap("read", req, Deferred, spent)
			return 0, w.err
		case err == io.EOF:
			if w.err = w.verdict(); w.err != io.EOF {
				w.err = w.goOn(w.err)
			}
		case err != nil:
			w.err = w.goOn(w.fault(err))
		default:
			w.err = w.tooSlow()
		}
		if n > 0 || w.err != nil || len(p) == 0 {
			return n, w.err
		}
	}
	w.err = wrap("read", w.body.req, Protocol, io.ErrNoProgress)
	return 0, w.err
}

// timedRead is one Read of the source under the stall limit. The timer runs
// only meanwhile, so that a slow consumer is not taken for a slow server.
func (w *wire) timedRead(p []byte) (int, error) {
	t := w.body.req.Timeouts
	start := w.clock()
	if t.Stall > 0 {
		w.reading.Store(int64(start))
		if w.stall == nil {
			// Assigned before it can fire.
			w.stall = time.AfterFunc(math.MaxInt64, w.onStall)
		}
		w.stall.Reset(t.Stall)
		defer w.stall.Stop()
		defer w.reading.Store(0)
	}
	n, err := w.src.Read(p)
	w.windowTime += w.clock() - start
	w.windowBytes += int64(n)
	return n, err
}

// clock returns a time that stands still in Pause, from a moment before the
// body.
func (w *wire) clock() time.Duration { return w.body.ctx.clock() }

// onStall ends the fetch if the time for the Read is over, of which Pause may
// have taken a part.
func (w *wire) onStall() {
	start := time.Duration(w.reading.Load())
	if start == 0 {
		return
	}
	if left := start + w.body.req.Timeouts.Stall - w.clock(); left > 0 {
		w.stall.Reset(left)
		return
	}
	for _, cancel := range w.body.stops {
		cancel(errStall)
	}
}

func (w *wire) stopTimer() {
	if w.stall != nil {
		w.stall.Stop()
	}
}

// tooSlow applies the low-speed rule at the end of each window.
func (w *wire) tooSlow() error {
	t := w.body.req.Timeouts
	if t.LowSpeed < 0 || t.LowSpeedTime < 0 || w.windowTime < t.LowSpeedTime {
		return nil
	}
	slow := float64(w.windowBytes) < float64(t.LowSpeed)*w.windowTime.Seconds()
	w.windowTime, w.windowBytes = 0, 0
	if slow {
		return wrap("read", w.body.req, Unavailable, errLowSpeed)
	}
	return nil
}

// fault classifies an error of the source. Whatever breaks a body after it has
// begun leaves it truncated, unless it has another Kind.
func (w *wire) fault(err error) error {
	req := w.body.req
	if w.body.ctx.Err() != nil && context.Cause(w.body.ctx) != nil {
		return ended(w.body.ctx, "read", req)
	}
	kind := KindOf(err)
	if kind == Unavailable || kind == NotFound || kind == Forbidden {
		if !isA[*Error](err) && !isA[Kind](err) {
			kind = Truncated
		}
	}
	return wrap("read", req, kind, err)
}

// verdict is reached when the source has said that it is at its end.
func (w *wire) verdict() error {
	req := w.body.req
	if w.size >= 0 && w.n < w.size {
		return wrap("read", req, Truncated, fmt.Errorf("%d of %d octets came", w.n, w.size))
	}
	for i := range w.digests {
		check := w.digests[i].check()
		w.body.resp.Checks = append(w.body.resp.Checks, check)
		if check.Status == Mismatch {
			return wrap("read", req, DigestMismatch, fmt.Errorf("the server's %s disagrees", check.Name))
		}
	}
	return io.EOF
}

func tooLargeError(limit int64) error { return fmt.Errorf("more than %d octets", limit) }
