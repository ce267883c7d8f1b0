package cache

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache/rfc9111"
)

// A tee is the body of a fetch, which is stored while it is read.
type tee struct {
	cache  *Cache
	ask    *ask
	flight *flight // nil without waiters
	src    io.ReadCloser
	meta   *meta // to commit the draft with
	draft  Draft // nil if the body is not stored
	n      int64
	closed bool
}

// commitWait bounds how long the end of a body waits until it is stored. Storing it goes
// on after that.
const commitWait = time.Second

// fill returns resp with a Body that is stored while it is read, if it may be.
func (c *Cache) fill(a *ask, resp *fetch.Response) *fetch.Response {
	m := newMeta(a.header, resp)
	c.stamp(m)
	t := &tee{cache: c, ask: a, flight: a.flight, src: resp.Body, meta: m}
	// A body that only the end of the connection ends may have broken off.
	if !a.private && !resp.Undelimited && c.mayStore(a, m) {
		t.draft, _ = c.store.Create(resp.Size)
	}
	if t.draft == nil {
		a.flight.end(apart)
	}
	a.flight.turn(true)
	r := *resp // which the Body goes on to use
	r.Body, r.Exchange, r.Resume, r.Checks = t, nil, nil, nil
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
	return lifetime > 0 || m.validators()
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
	defer t.flight.turn(true)
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
	if t.draft != nil {
		t.draft.Close()
		t.draft = nil
	}
	t.flight.end(o)
}

// commit stores the body, which is whole.
func (t *tee) commit() {
	draft := t.draft
	if draft == nil || t.ask.private {
		t.drop(apart)
		return
	}
	t.draft = nil
	done := make(chan struct{})
	t.cache.running.Go(func() {
		defer close(done)
		defer t.flight.end(lookUp)
		defer draft.Close()
		if t.decodes(draft) && draft.Commit(t.ask.key, t.meta.encode()) == nil {
			t.cache.repaired(t.ask.key)
		}
	})
	timer := time.NewTimer(commitWait)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

// decodes reports whether the content codings of the body can be undone.
func (t *tee) decodes(draft Draft) bool {
	if len(t.meta.Codings) == 0 {
		return true
	}
	stored := func(context.Context, *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: t.ask.req.URL, Codings: t.meta.Codings, Size: t.n, Body: io.NopCloser(io.NewSectionReader(draft, 0, t.n))}, nil
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
	err := t.src.Close()
	if t.draft != nil {
		t.drop(takeTurns)
	}
	return err
}

// A storedBody is a body from the store.
type storedBody struct {
	cache *Cache
	ask   *ask
	item  Item
	src   io.ReadCloser
	err   error
}

// errDamaged is the error of a stored body that is not as it was committed.
var errDamaged = &fetch.Error{Kind: fetch.Local, Err: fetch.ErrDamaged}

// Read implements [io.Reader]. The Store reports io.EOF only for the octets that were
// committed, and [fetch.Do] holds the last of them back until then.
func (b *storedBody) Read(p []byte) (int, error) {
	if b.err == nil && b.ask.ctx.Err() != nil {
		b.err = context.Cause(b.ask.ctx)
	}
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.src.Read(p)
	if _, away := errors.AsType[*fetch.Error](err); err != nil && err != io.EOF && !away {
		b.cache.damaged(b.ask.key)
		err = errDamaged
	}
	b.err = err
	return n, err
}

// Close implements [io.Closer].
func (b *storedBody) Close() error {
	if b.item == nil {
		return nil
	}
	b.src.Close()
	err := b.item.Close()
	b.item = nil
	if b.err == nil {
		b.err = &fetch.Error{Kind: fetch.Local, Err: os.ErrClosed}
	}
	return err
}
