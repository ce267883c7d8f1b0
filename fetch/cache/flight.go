package cache

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/netx/rethrow"
	"github.com/go-extbody/extbody/internal/netx/rfc9111"
)

// A flight is a fetch in progress. The request that started it, the leader, stores the
// body while it is read. Requests for the same thing wait, and are then served from the
// store.
type flight struct {
	cache *Cache
	key   string // of the answer, and the limits of the fetch

	done    chan struct{} // closed when the following are set
	once    sync.Once
	outcome outcome
	err     error             // of the leader, if outcome is failed
	said    []*fetch.Exchange // with err

	mu         sync.Mutex
	idling     bool      // the leader's caller, not the network, has the turn
	since      time.Time // of the last change of idling
	idle, busy time.Duration
}

// An outcome is the next step of waiters when a flight has ended.
type outcome uint8

const (
	lookUp    outcome = iota // look in the store, and fetch if it has no answer
	apart                    // fetch, each for itself
	takeTurns                // one of them leads the next flight
	failed                   // take the error of the leader
)

// maxIdle bounds how long waiters wait for a leader whose caller does not read on.
const maxIdle = time.Second

// join returns the flight for a, and whether a leads it.
func (c *Cache) join(a *ask) (f *flight, leads bool) {
	key := fmt.Sprint(a.req.MaxRedirects, a.req.Timeouts, a.key)
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.flights[key]; f != nil {
		return f, false
	}
	f = &flight{cache: c, key: key, done: make(chan struct{}), since: time.Now()}
	c.flights[f.key] = f
	return f, true
}

// end ends a flight. Only the first call counts. A nil flight has no waiters.
func (f *flight) end(o outcome) {
	if f == nil {
		return
	}
	f.once.Do(func() {
		f.outcome = o
		f.cache.mu.Lock()
		delete(f.cache.flights, f.key)
		f.cache.mu.Unlock()
		close(f.done)
	})
}

// fail ends the flight of a with the error of its leader. Waiters take the error unless it
// depends on who asked.
func (f *flight) fail(a *ask, err error) {
	if f == nil {
		return
	}
	switch kind := fetch.KindOfFetch(err); {
	case kind == fetch.Canceled:
		f.end(takeTurns)
	case a.private, kind == fetch.Denied, kind == fetch.Deferred, kind == fetch.Credentials, kind == fetch.Local:
		f.end(apart)
	default:
		select {
		case <-f.done:
		default:
			f.err = brief(err)
			f.said = a.said
		}
		f.end(failed)
	}
}

// errLeader is the error of those who waited for a leader that panicked.
var errLeader = &fetch.Error{
	Kind: fetch.Local,
	Err:  errors.New("another request for the same thing, which this one waited for, ended by a panic"),
}

// abort ends a flight whose leader has panicked.
func (f *flight) abort() {
	if f == nil {
		return
	}
	select {
	case <-f.done:
	default:
		f.err = errLeader
	}
	f.end(failed)
}

// wait waits for the end of f on behalf of a.
func (f *flight) wait(a *ask) error {
	driver.Report(a.req, fetch.Event{Phase: fetch.Waiting, Total: -1})
	check := time.NewTicker(maxIdle / 4)
	defer check.Stop()
	for {
		select {
		case <-f.done:
			a.alone = f.outcome == lookUp || f.outcome == apart
			if f.outcome != failed {
				return nil
			}
			if a.req.Observe != nil {
				for _, x := range f.said {
					a.req.Observe(x)
				}
			}
			return f.err
		case <-a.ctx.Done():
			return context.Cause(a.ctx)
		case now := <-check.C:
			a.alone = f.slow(now)
			if a.alone {
				return nil
			}
		}
	}
}

// turn notes whether from now on the leader's caller has the turn.
func (f *flight) turn(idling bool) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count(time.Now())
	f.idling = idling
}

func (f *flight) count(now time.Time) {
	if d := now.Sub(f.since); f.idling {
		f.idle += d
	} else {
		f.busy += d
	}
	f.since = now
}

// slow reports whether waiters wait for the leader's caller, and not for the server. A
// caller may wait for itself.
func (f *flight) slow(now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count(now)
	return f.idle > maxIdle && f.idle > f.busy
}

// A tee is the body of a fetch, which is stored while it is read.
type tee struct {
	cache   *Cache
	ask     *ask
	flight  *flight // nil without waiters
	src     io.ReadCloser
	meta    *meta                 // to commit the draft with
	trailer func() []fetch.Digest // see driver.Response.TrailerDigests
	unasked func() bool           // see driver.Response.Unasked; may be nil
	draft   Draft                 // nil if the body is not stored
	n       int64
	closed  bool
}

// commitWait bounds how long the end of a body waits until it is stored. Storing it goes
// on after that.
const commitWait = time.Second

// fill returns resp with a Body that is stored while it is read, if it may be.
func (c *Cache) fill(a *ask, resp *fetch.Response) *fetch.Response {
	m := newMeta(a.header, resp)
	c.stamp(m)
	t := &tee{cache: c, ask: a, flight: a.flight, src: resp.Body, meta: m}
	t.trailer = driver.OfResponse(resp).TrailerDigests
	t.unasked = driver.OfResponse(resp).Unasked
	a.body = t
	// A body that only the end of the connection ends may have broken off.
	if !a.private && !resp.Undelimited && c.mayStore(a, m) {
		t.draft, _ = c.store.Create(resp.Size)
	}
	if t.draft == nil {
		a.flight.end(apart)
	}
	a.flight.turn(true)
	r := *resp // which the Body goes on to use
	r.Body = t
	r.Checks = nil
	part := driver.OfResponse(&r)
	part.Exchange = nil
	part.Resume = nil
	return &r
}

// mayStore reports whether an answer may be stored and can be of use later.
func (c *Cache) mayStore(a *ask, m *meta) bool {
	if isFTP(a.req) {
		// Only both together identify a version of the file.
		return m.Size >= 0 && len(m.Header["Last-Modified"]) == 1
	}
	r := m.rules()
	if !rfc9111.Storable(a.header, r) {
		return false
	}
	lifetime, _ := c.policy.Lifetime(r)
	etag, modified, _ := rfc9111.Validators(m.Header) // by which the server can be asked
	return lifetime > 0 || etag != "" || modified != ""
}

// Read implements [io.Reader].
func (t *tee) Read(p []byte) (int, error) {
	if t.closed {
		return 0, &fetch.Error{Kind: fetch.Local, Err: os.ErrClosed}
	}
	if t.ask.ctx.Err() != nil {
		return 0, context.Cause(t.ask.ctx)
	}
	t.flight.turn(false)
	returned := false
	defer func() {
		t.flight.turn(true)
		if !returned {
			t.abort()
		}
	}()
	n, err := t.read(p)
	returned = true
	return n, err
}

// abort gives up storing the body, because a function of the caller, or of the store, panicked.
func (t *tee) abort() {
	defer t.flight.abort()
	t.discard()
}

func (t *tee) read(p []byte) (int, error) {
	n, err := t.src.Read(p)
	if n > 0 && t.draft != nil {
		if _, werr := t.draft.Write(p[:n]); werr != nil {
			t.drop(apart)
		}
	}
	t.n += int64(n)
	switch {
	case err == io.EOF:
		t.commit()
	case err != nil:
		t.flight.fail(t.ask, err)
	}
	return n, err
}

// drop gives up storing the body.
func (t *tee) drop(o outcome) {
	t.discard()
	t.flight.end(o)
}

// discard closes the draft.
func (t *tee) discard() {
	if draft := t.draft; draft != nil {
		t.draft = nil
		draft.Close()
	}
}

// commit stores the body, which is whole.
func (t *tee) commit() {
	draft := t.draft
	if draft == nil || t.ask.private {
		t.drop(apart)
		return
	}
	if t.unasked != nil && t.unasked() {
		_ = t.cache.store.Delete(t.ask.key)
		t.drop(apart)
		return
	}
	t.draft = nil
	if trailer := t.trailer; trailer != nil {
		for _, d := range trailer() {
			t.meta.Digests = append(t.meta.Digests, fetch.Digest{Field: d.Field, Algorithm: d.Algorithm, Sum: slices.Clone(d.Sum)})
		}
	}
	if t.cache.opts.Exchanges {
		t.meta.Exchanges = keep(t.ask.said)
	}
	s := &storing{tee: t, draft: draft, done: make(chan struct{})}
	t.cache.running.Go(s.run)
	select {
	case <-s.done:
	case <-time.After(commitWait):
		if s.settled.CompareAndSwap(false, true) {
			return
		}
		<-s.done
	}
	s.end.Raise()
}

// A storing is the end of a body that is being stored, in a goroutine of its own.
type storing struct {
	*tee
	draft Draft
	end   rethrow.End
	done  chan struct{} // closed when end is set

	// settled is true if the reader has left, or if end is set and the reader raises it.
	settled atomic.Bool
}

// run stores the body.
func (s *storing) run() {
	defer s.finish()
	s.end.Run(func() {
		defer s.draft.Close()
		if s.decodes(s.draft) && s.draft.Commit(s.ask.key, s.meta.encode()) == nil {
			s.cache.repaired(s.ask.key)
		}
	})
}

// finish ends the flight, and hands a panic to the reader, or to the Cache if the reader has
// left.
func (s *storing) finish() {
	if s.end.Thrown() {
		s.flight.abort()
	} else {
		s.flight.end(lookUp)
	}
	defer close(s.done)
	if left := !s.settled.CompareAndSwap(false, true); left && s.end.Thrown() {
		s.cache.mu.Lock()
		defer s.cache.mu.Unlock()
		s.cache.thrown = append(s.cache.thrown, &s.end)
	}
}

// decodes reports whether the content codings of the body can be undone.
func (t *tee) decodes(draft Draft) bool {
	if len(t.meta.Codings) == 0 {
		return true
	}
	stored := func(context.Context, *fetch.Request) (*fetch.Response, error) {
		resp := &fetch.Response{URL: t.ask.req.URL, Size: t.n, Body: io.NopCloser(io.NewSectionReader(draft, 0, t.n))}
		driver.OfResponse(resp).Codings = t.meta.Codings
		return resp, nil
	}
	resp, err := fetch.Do(context.Background(), fetch.Func(stored), &fetch.Request{URL: t.ask.req.URL, MaxBytes: -1})
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err == nil
}

// Close implements [io.Closer].
func (t *tee) Close() error {
	if t.closed {
		return nil
	}
	t.closed = true
	defer func() {
		if t.draft != nil {
			t.drop(takeTurns)
		}
	}()
	return t.src.Close()
}
