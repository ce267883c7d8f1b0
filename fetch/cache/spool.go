package cache

import (
	"context"
	"hash/maphash"
	"io"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A spool is the body of a flight: what has come is in a draft, where riders
// read it. The flight's lock guards it.
//
// When the draft fails, what is in it can still be read. The first rider who
// comes to its end gets the rest straight from the server. The others fetch for
// themselves.
type spool struct {
	src  io.ReadCloser // as Do returned it: io.EOF is its verdict
	keep *meta         // what to commit the draft with; nil for not at all

	draft   Draft
	n       int64        // octets in draft
	sum     maphash.Hash // of them, unless the draft is ours
	ours    bool         // nobody but this process can change the draft
	pumping bool         // the flight writes to draft or commits it

	want   int64         // how far it should come
	demand chan struct{} // a token when want has grown

	lost    bool
	claimed bool
	tail    []byte // came after what is in draft
	tailErr error  // came after tail; nil for src

	end error // what came after the last octet in draft; nil while there may be more
}

// window is how far a fetch is ahead of the farthest reader.
const window = 4 << 20

// commitWait bounds how long the end of a body waits until it is stored. What
// takes longer goes on without it.
const commitWait = time.Second

// carry gives out resp and stores its body meanwhile.
func (f *flight) carry(resp *fetch.Response) {
	c := f.cache
	m := newMeta(&c.policy, f.lead.header, resp)
	c.stamp(m)
	storable, keep := c.mayStore(f.lead, m)
	keep = keep && !resp.Undelimited // nobody knows that it is whole

	f.mu.Lock()
	private := f.private || !storable
	f.mu.Unlock()
	var draft Draft
	if !private {
		draft, _ = c.store.Create(resp.Size)
	}

	f.mu.Lock()
	f.resp, f.src = clone(resp), resp.Body
	f.draft, f.lost, f.pumping = draft, draft == nil, draft != nil
	f.private = private
	f.shares = storable && !private && draft != nil && c.policy.Judge(nil, m.rules(), c.opts.Now()).Fresh
	if keep && !private {
		f.keep = m
	}
	f.sum.SetSeed(maphash.MakeSeed())
	_, f.ours = draft.(*memDraft)
	gone := len(f.riders) == 0
	f.changed()
	f.mu.Unlock()

	if f.lost {
		c.forget(f)
		if gone {
			f.release()
		}
		return
	}
	f.pump()
}

// mayStore reports whether an answer may be stored, or given to several requests
// at all, and whether it is of any use later.
func (c *Cache) mayStore(a *ask, m *meta) (storable, keep bool) {
	if isFTP(a.req) {
		// Without both nobody could tell later whether it is the same file.
		return true, m.Size >= 0 && len(m.Header["Last-Modified"]) == 1
	}
	r := m.rules()
	if !c.policy.Storable(a.header, r) {
		return false, false
	}
	lifetime, _ := c.policy.Lifetime(r)
	return true, lifetime > 0 || m.validators()
}

// smallBuffers holds buffers for small bodies, of which many come at a time.
var smallBuffers = sync.Pool{New: func() any { return new([smallSize]byte) }}

const smallSize = 32 << 10

// pump moves the body into the draft as far as somebody wants it.
func (f *flight) pump() {
	var buf []byte
	if size := f.resp.Size; size >= 0 && size < 2*smallSize {
		small := smallBuffers.Get().(*[smallSize]byte)
		defer smallBuffers.Put(small)
		buf = small[:]
	} else {
		large := chunkBuffers.Get().(*[chunkSize]byte)
		defer chunkBuffers.Put(large)
		buf = large[:]
	}
	for f.wanted() {
		n, err := f.src.Read(buf)
		if n > 0 {
			if _, werr := f.draft.Write(buf[:n]); werr != nil {
				f.lose(append([]byte(nil), buf[:n]...), err)
				return
			}
			f.mu.Lock()
			if !f.ours {
				f.sum.Write(buf[:n])
			}
			f.n += int64(n)
			f.changed()
			f.mu.Unlock()
		}
		if err == io.EOF {
			f.commit()
			return
		}
		if err != nil {
			f.finish(anonymous(err))
			f.settle()
			return
		}
	}
	f.finish(context.Cause(f.ctx))
	f.settle()
}

// wanted waits until more octets are wanted. It reports false when nobody wants
// any more.
func (f *flight) wanted() bool {
	for {
		f.mu.Lock()
		more := f.n < f.want
		f.mu.Unlock()
		if f.ctx.Err() != nil {
			return false
		}
		if more {
			return true
		}
		select {
		case <-f.demand:
		case <-f.ctx.Done():
		}
	}
}

// lose gives up the draft. tail came from the source, and err after it.
func (f *flight) lose(tail []byte, err error) {
	f.cache.forget(f)
	f.mu.Lock()
	f.lost, f.tail, f.tailErr = true, tail, err
	f.pumping = false
	gone := len(f.riders) == 0
	f.changed()
	f.mu.Unlock()
	if gone {
		f.release()
	}
}

// commit stores the body, which is whole, and ends it.
func (f *flight) commit() {
	if d, ok := f.draft.(*memDraft); ok && (f.keep == nil || len(f.resp.Codings) == 0) {
		if f.keep != nil {
			// What fails here is fetched again next time.
			_ = d.enter(&memItem{key: f.lead.key, known: f.keep})
		}
		f.finish(io.EOF)
		f.settle()
		return
	}
	done := make(chan struct{})
	f.cache.running.Go(func() {
		if f.keep != nil && f.decodes() {
			// What fails here is fetched again next time.
			_ = f.draft.Commit(f.lead.key, f.keep.encode())
		}
		close(done)
		f.settle()
	})
	if f.keep != nil {
		t := time.NewTimer(commitWait)
		defer t.Stop()
		select {
		case <-done:
		case <-t.C:
		}
	}
	f.finish(io.EOF)
}

// decodes reports whether the content codings of the body can be undone. Its
// readers find out by themselves; who comes later must not.
func (f *flight) decodes() bool {
	if len(f.resp.Codings) == 0 {
		return true
	}
	stored := func(context.Context, *fetch.Request) (*fetch.Response, error) {
		resp := clone(f.resp)
		resp.Body = io.NopCloser(io.NewSectionReader(f.draft, 0, f.n))
		return resp, nil
	}
	resp, err := fetch.Do(context.Background(), fetch.Func(stored), &fetch.Request{URL: f.lead.req.URL, MaxBytes: -1})
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err == nil
}

// finish tells riders how the body ended.
func (f *flight) finish(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.end = err
	f.changed()
}

// settle ends the work of the flight itself.
func (f *flight) settle() {
	f.cache.forget(f)
	f.mu.Lock()
	f.pumping = false
	gone := len(f.riders) == 0
	f.mu.Unlock()
	if gone {
		f.release()
	}
}

// release frees what the body holds, once neither a rider nor the flight needs
// it. The caller does not have the lock: the end of the source is told to f.observe.
func (f *flight) release() {
	f.mu.Lock()
	if f.pumping || len(f.riders) > 0 {
		f.mu.Unlock()
		return
	}
	src, draft := f.src, f.draft
	f.src, f.draft = nil, nil
	f.mu.Unlock()
	f.stop(nil)
	if src != nil {
		src.Close()
	}
	if draft != nil {
		draft.Close()
	}
}

// A rider reads the body of a flight.
type rider struct {
	flight *flight // nil once closed
	ask    *ask
	off    int64
	sum    maphash.Hash
	mine   bool        // the rest of the source
	unwire func() bool // ends the watch over ask.ctx
	told   bool
}

// Read implements [io.Reader].
func (r *rider) Read(p []byte) (int, error) {
	f := r.flight
	if len(p) == 0 {
		return 0, nil
	}
	f.mu.Lock()
	if r.off == 0 {
		r.sum.SetSeed(f.sum.Seed())
	}
	if want := r.off + window; !r.mine && want > f.want {
		f.want = want
		select {
		case f.demand <- struct{}{}:
		default:
		}
	}
	for {
		switch {
		case r.mine:
			f.mu.Unlock()
			return r.rest(p)
		case r.off < f.n:
			n := min(int64(len(p)), f.n-r.off)
			f.mu.Unlock()
			return r.spooled(p[:n])
		case f.end == io.EOF && !f.ours && r.sum.Sum64() != f.sum.Sum64():
			f.mu.Unlock()
			return 0, errLost
		case f.end != nil:
			err := f.end
			f.mu.Unlock()
			r.tell()
			return 0, err
		case f.lost && !f.claimed:
			f.claimed, r.mine = true, true
			r.unwire = context.AfterFunc(r.ask.ctx, func() { f.stop(context.Cause(r.ask.ctx)) })
			continue
		case f.lost:
			f.mu.Unlock()
			return 0, errLost
		}
		change := f.next()
		f.mu.Unlock()
		select {
		case <-change:
		case <-r.ask.ctx.Done():
			return 0, context.Cause(r.ask.ctx)
		}
		f.mu.Lock()
	}
}

// spooled reads what is in the draft.
func (r *rider) spooled(p []byte) (int, error) {
	n, _ := r.flight.draft.ReadAt(p, r.off)
	if n == 0 {
		return 0, errLost
	}
	r.off += int64(n)
	if !r.flight.ours {
		r.sum.Write(p[:n])
	}
	return n, nil
}

// rest reads what is not in the draft. Nobody else does.
func (r *rider) rest(p []byte) (int, error) {
	f := r.flight
	if len(f.tail) > 0 {
		n := copy(p, f.tail)
		f.tail = f.tail[n:]
		return n, nil
	}
	n, err := 0, f.tailErr
	if err == nil {
		n, err = f.src.Read(p)
	}
	if err != nil {
		f.tailErr = err
		if err != io.EOF {
			err = anonymous(err)
		}
		r.tell()
	}
	return n, err
}

// same implements source. What was given out is in the draft, or known by its hash if
// others can change that.
func (r *rider) same(src io.Reader, n int64) (bool, error) {
	if r.flight.ours {
		return begins(io.NewSectionReader(r.flight.draft, 0, n), src, n)
	}
	var is maphash.Hash
	is.SetSeed(r.sum.Seed())
	m, err := io.CopyN(&is, src, n)
	if err != nil && err != io.EOF {
		return false, err
	}
	return m == n && is.Sum64() == r.sum.Sum64(), nil
}

// tell passes the exchanges of the flight to Observe, once.
func (r *rider) tell() {
	if !r.told {
		r.told = true
		tell(r.ask, r.flight.said())
	}
}

// Close implements [io.Closer].
func (r *rider) Close() error {
	f := r.flight
	if f == nil {
		return nil
	}
	if r.mine {
		r.unwire()
		f.src.Close() // release may do so again
	}
	r.flight = nil
	f.leave(r.ask)
	if !r.told {
		r.told = true
		tell(r.ask, f.said())
	}
	return nil
}
