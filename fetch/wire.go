package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-extbody/extbody/internal/codec/progress"
	"github.com/go-extbody/extbody/internal/netx/pausable"
)

// A wire reads the Fetcher's body: the octets as they were sent, content
// codings included. It counts them against the limit and the announced size,
// feeds the digests, and watches their speed.
type wire struct {
	ctx      *pausable.Clock
	stops    []context.CancelCauseFunc
	req      *Request
	resp     *Response
	codings  []string // that were applied
	recorder recorder

	raw     io.Closer
	src     io.Reader
	size    int64 // announced, or -1
	n       int64
	digests []digester
	late    []digester      // without sums, for trailers
	trailer func() []Digest // nil if there is none
	resumed bool            // src has the rest alone
	err     error

	resumption resumption
	given      *given // nil if the body cannot be resumed
	skip       skip   // of the octets that come again

	stall       *time.Timer
	reading     atomic.Int64  // when the Read that is under way started, by clock; 0 between two
	windowTime  time.Duration // spent in Reads in the current low-speed window
	windowBytes int64
}

func newWire(ctx *pausable.Clock, cancel context.CancelCauseFunc, f Fetcher, req *Request, resp *Response) *wire {
	w := &wire{
		ctx:        ctx,
		stops:      []context.CancelCauseFunc{cancel},
		req:        req,
		resp:       resp,
		codings:    resp.part.Codings,
		recorder:   newRecorder(resp.part.Exchange),
		raw:        resp.Body,
		src:        resp.Body,
		size:       resp.Size,
		digests:    newDigesters(resp.part.Digests),
		resumption: resumption{f: f},
	}
	if resp.NotModified {
		w.digests = nil
	} else if resp.part.TrailerDigests != nil {
		w.trailer = resp.part.TrailerDigests
		w.late = newDigesters([]Digest{{Algorithm: "sha-256"}, {Algorithm: "sha-512"}})
	}
	if resp.part.Resume != nil {
		w.given = new(given)
	}
	w.stall = time.AfterFunc(math.MaxInt64, w.onStall)
	w.stall.Stop() // until a Read starts
	return w
}

func (w *wire) Read(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	for empty := 0; empty < progress.MaxEmpty; empty++ {
		n, err := w.timedRead(p)
		if n > 0 && w.skip.left > 0 {
			empty = 0
			n, w.err = w.skipped(p[:n])
			if w.err != nil {
				return 0, w.err
			}
		}
		w.n += int64(n)
		if w.given != nil {
			w.given.add(p[:n])
		}
		for i := range w.digests {
			w.digests[i].hash.Write(p[:n])
		}
		for i := range w.late {
			w.late[i].hash.Write(p[:n])
		}
		w.recorder.write(p[:n])
		w.err = w.excess(n)
		if w.err != nil {
			return 0, w.err
		}
		switch {
		case err == io.EOF:
			w.err = w.verdict()
			if w.err != io.EOF {
				w.err = w.goOn(w.err)
			}
		case err != nil:
			w.err = w.goOn(w.fault(err))
		case w.ctx.Err() != nil: // a source that never waits does not notice
			w.err = w.fault(w.ctx.Err())
		default:
			w.err = w.tooSlow()
		}
		if n > 0 || w.err != nil || len(p) == 0 {
			return n, w.err
		}
	}
	w.err = wrap("read", w.req, Protocol, io.ErrNoProgress)
	return 0, w.err
}

// skipped passes over the octets at the start of p that were given out before, and moves the others to its
// start. It returns their number.
func (w *wire) skipped(p []byte) (int, error) {
	n, same := w.skip.pass(p)
	w.recorder.write(p[:n])
	if spent := w.req.Budget.receive(n, w.n); spent != nil {
		return 0, wrap("read", w.req, Deferred, spent)
	}
	if !same {
		return 0, wrap("read", w.req, Truncated, fmt.Errorf("%w; the rest could not be had: %w", io.ErrUnexpectedEOF, errOtherOctets))
	}
	return copy(p, p[n:]), nil
}

// excess charges n octets that came, and returns the error if they are too many.
func (w *wire) excess(n int) error {
	req := w.req
	spent := req.Budget.receive(n, w.n)
	switch {
	case req.MaxBytes >= 0 && w.n > req.MaxBytes:
		return wrap("read", req, TooLarge, tooLargeError(req.MaxBytes))
	case w.size >= 0 && w.n > w.size:
		return wrap("read", req, Protocol, fmt.Errorf("more than the announced %d octets came", w.size))
	case spent != nil:
		return wrap("read", req, Deferred, spent)
	}
	return nil
}

// timedRead is one Read of the source under the stall limit. The timer runs
// only meanwhile, so that a slow consumer is not taken for a slow server.
func (w *wire) timedRead(p []byte) (int, error) {
	t := w.req.Timeouts
	start := w.clock()
	if t.Stall > 0 {
		w.reading.Store(int64(start))
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
func (w *wire) clock() time.Duration { return w.ctx.Now() }

// onStall ends the fetch if the time for the Read is over, of which Pause may
// have taken a part.
func (w *wire) onStall() {
	start := time.Duration(w.reading.Load())
	if start == 0 {
		return
	}
	if left := start + w.req.Timeouts.Stall - w.clock(); left > 0 {
		w.stall.Reset(left)
		return
	}
	for _, cancel := range w.stops {
		cancel(errStall)
	}
}

// tooSlow applies the low-speed rule at the end of each window.
func (w *wire) tooSlow() error {
	t := w.req.Timeouts
	if t.LowSpeed < 0 || t.LowSpeedTime < 0 || w.windowTime < t.LowSpeedTime {
		return nil
	}
	slow := float64(w.windowBytes) < float64(t.LowSpeed)*w.windowTime.Seconds()
	w.windowTime = 0
	w.windowBytes = 0
	if slow {
		return wrap("read", w.req, Unavailable, errLowSpeed)
	}
	return nil
}

// fault classifies an error of the source. Whatever breaks a body after it has
// started leaves it truncated, unless it has another Kind.
func (w *wire) fault(err error) error {
	req := w.req
	if w.ctx.Err() != nil && context.Cause(w.ctx) != nil {
		return ended(w.ctx, "read", req)
	}
	kind := KindOfFetch(err)
	refused := kind == Unavailable || kind == NotFound || kind == Forbidden
	if refused && KindOr(err, 0) == 0 {
		kind = Truncated
	}
	return wrap("read", req, kind, err)
}

// verdict is reached when the source has said that it is at its end.
func (w *wire) verdict() error {
	req := w.req
	if w.size >= 0 && w.n < w.size {
		return wrap("read", req, Truncated, fmt.Errorf("%d of %d octets came", w.n, w.size))
	}
	for _, d := range slices.Concat(w.digests, w.trailers()) {
		check := d.check()
		w.resp.Checks = append(w.resp.Checks, check)
		if differs := w.resp.part.Differs; check.Status == Mismatch && differs != nil {
			if err := differs(check); err != nil {
				return wrap("read", req, KindOr(err, DigestMismatch), err)
			}
			continue
		}
		if check.Status == Mismatch {
			return wrap("read", req, DigestMismatch, fmt.Errorf("the server's %s disagrees", check.Name))
		}
	}
	return io.EOF
}

// trailers returns the digests that have come after the body. A Repr-Digest is of the whole object,
// all others are of the octets of one answer (RFC 9530 sections 2 and 3).
func (w *wire) trailers() (ds []digester) {
	if w.trailer == nil {
		return nil
	}
	for _, d := range w.trailer() {
		partial := w.resumed
		if d.Field == "repr-digest" {
			partial = w.resp.Offset > 0
		}
		if partial {
			continue
		}
		for _, known := range w.late {
			if known.Algorithm == d.Algorithm {
				ds = append(ds, digester{d, known.hash})
			}
		}
	}
	return ds
}

func tooLargeError(limit int64) error { return fmt.Errorf("more than %d octets", limit) }

// Limits on how often the rest of one body is asked for: in all, and in a row
// without an octet between. Before each but the first of a row there is a pause,
// which doubles.
const (
	maxResumes   = 128
	maxFruitless = 5
	resumePause  = 100 * time.Millisecond
)

// A resumption asks for the rest of a body whose connection was lost within it. The rest
// has to be of the same object, by a strong validator, its size, its codings and its URL.
// The octets before stay as they were given out, and limits and digests are for the whole.
type resumption struct {
	f         Fetcher
	tries     int
	fruitless int
	reached   int64 // octets of the body at the last try
}

var (
	errOtherObject = errors.New("the server has another object now")
	errOtherOctets = errors.New("the server sends other octets than before")
	errNoRange     = errors.New("the server does not send the rest alone")
	errElsewhere   = errors.New("the rest is at another place")
)

// next returns the response with the rest of the body of w. Without
// one it returns the reason, and nil if no request was sent.
func (r *resumption) next(w *wire) (*Response, error) {
	if w.resp.part.Resume == nil || r.f == nil {
		return nil, nil
	}
	var last error
	for {
		if w.n > r.reached {
			r.fruitless = 0
			r.reached = w.n
		}
		if r.tries >= maxResumes || r.fruitless >= maxFruitless {
			return nil, last
		}
		if r.fruitless > 0 {
			pausable.Pause(w.ctx, resumePause<<(r.fruitless-1))
		}
		if w.ctx.Err() != nil {
			return nil, context.Cause(w.ctx)
		}
		r.tries++
		r.fruitless++
		resp, err := resumeRequest(w).ask(w.ctx, r.f)
		if err == nil {
			err = checkResumed(w, resp)
			if err == nil {
				return resp, nil
			}
			defer resp.Body.Close()
			resp.part.Exchange.end(err)
			return nil, err
		}
		last = err
		if kind := KindOfFetch(err); w.ctx.Err() == nil && kind != Unavailable && kind != Truncated {
			return nil, err
		}
	}
}

// resumeRequest returns the request for the rest of the body of w. It goes
// where the body came from, and no redirect leads it to another origin, whose
// validators would mean nothing.
func resumeRequest(w *wire) *Request {
	c := *w.resp.part.Resume
	c.Offset = w.resp.Offset + w.n
	if c.Offset == 0 {
		// All of it, whether or not it has changed.
		c.ETag = ""
		c.LastModified = ""
	}
	at := *w.resp.URL
	req := *w.req
	req.URL = &at
	req.Text = ""
	req.Conditions = &c
	req.MaxRedirects -= len(w.resp.Hops)
	if req.MaxRedirects <= 0 {
		req.MaxRedirects = -1
	}
	req.CheckHop = func(ctx context.Context, from, to *url.URL) error {
		if !sameOrigin(w.resp.URL, to) {
			return &Error{Kind: Blocked, Err: errElsewhere}
		}
		if w.req.CheckHop == nil {
			return nil
		}
		return w.req.CheckHop(ctx, from, to)
	}
	return &req
}

// checkResumed returns an error unless resp is the rest of the body of w, or the same body from an earlier
// octet on. Octets that come again are compared with the ones that were given out, and skipped.
func checkResumed(w *wire, resp *Response) error {
	was := w.resp.part.Resume
	is := resp.part.Resume
	switch {
	case resp.NotModified, resp.Offset < w.resp.Offset, resp.Offset > w.resp.Offset+w.n:
		return &Error{Kind: Protocol, Err: errNoRange}
	case !sameOrigin(w.resp.URL, resp.URL):
		return &Error{Kind: Blocked, Err: errElsewhere}
	case is == nil, is.ETag != was.ETag, is.LastModified != was.LastModified,
		!slices.Equal(resp.part.Codings, w.codings),
		resp.Size < 0, w.size >= 0 && resp.Size != w.size-(resp.Offset-w.resp.Offset):
		return &Error{Kind: Protocol, Err: errOtherObject}
	}
	again := w.resp.Offset + w.n - resp.Offset
	skip, ok := newSkip(w.given, again, w.n)
	if !ok {
		return &Error{Kind: Protocol, Err: errNoRange}
	}
	w.skip = skip
	return nil
}

// sameOrigin reports whether two URLs have scheme, host and port in common.
func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Host, b.Host)
}

// goOn replaces a source that was lost with the error err by one that has the rest. It
// returns nil, or the error of the body.
func (w *wire) goOn(err error) error {
	if KindOf(err) != Truncated || w.ctx.Err() != nil || w.resp.part.Resume == nil {
		return err
	}
	w.raw.Close()
	w.raw = io.NopCloser(nil)
	decoded := w.recorder.decoded // goes on in the Exchange with the rest of the body
	w.recorder.decoded = nil
	w.recorder.end(err)
	w.recorder = recorder{}
	resp, cause := w.resumption.next(w)
	switch {
	case resp != nil:
		w.resp.part.Resume = resp.part.Resume
		w.raw = resp.Body
		w.src = resp.Body
		w.trailer = resp.part.TrailerDigests
		w.resp.part.Unasked = resp.part.Unasked
		w.resumed = true
		w.recorder = newRecorder(resp.part.Exchange)
		w.recorder.decoded = decoded
		w.size = resp.Offset - w.resp.Offset + resp.Size
		return nil
	case w.ctx.Err() != nil:
		return ended(w.ctx, "read", w.req)
	case cause != nil:
		e := *wrap("read", w.req, Truncated, err)
		if KindOf(cause) == Deferred {
			e.Kind = Deferred // no request was sent for it
			e.After = AfterOf(cause)
		}
		e.Err = fmt.Errorf("%w; the rest could not be had: %s: %s", e.Err, KindOfFetch(cause), reason(cause))
		return &e
	}
	return err
}
