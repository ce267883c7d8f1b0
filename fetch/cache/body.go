package cache

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/go-extbody/extbody/fetch"
)

// errLost is the error of a source that cannot go on because the cache failed.
var errLost = errors.New("cache: the stored octets are lost")

var errChanged = &fetch.Error{Kind: fetch.Truncated, Err: errors.New("the stored body was lost, and the server has another one now")}

// A body is the Body of a Response of the cache. If its source is lost, it is
// fetched again, and compared with what was given out already.
type body struct {
	cache *Cache
	ask   *ask
	said  said
	src   source        // nil once closed
	n     int64         // octets given out
	own   io.ReadCloser // a fetch of our own, which goes on where src was lost
	err   error
}

// A said is what a response says by which its body is known again.
type said struct {
	fields      [len(saidFields)]string
	size        int64
	undelimited bool
}

var saidFields = [...]string{"Etag", "Last-Modified", "Content-Encoding"}

func newSaid(resp *fetch.Response) said {
	s := said{size: resp.Size, undelimited: resp.Undelimited}
	for i, name := range saidFields {
		s.fields[i] = resp.Header.Get(name)
	}
	return s
}

// A source is what a body is read from.
type source interface {
	io.ReadCloser

	// same reports whether the n octets that were read begin r.
	same(r io.Reader, n int64) (bool, error)
}

// response returns resp with a Body that reads src.
func (c *Cache) response(a *ask, resp *fetch.Response, src source) *fetch.Response {
	b := &body{cache: c, ask: a, said: newSaid(resp), src: src}
	resp.Body = b
	return resp
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	for b.err == nil {
		if b.ask.ctx.Err() != nil {
			b.err = context.Cause(b.ask.ctx)
			break
		}
		if b.own != nil {
			return b.own.Read(p)
		}
		n, err := b.src.Read(p)
		b.n += int64(n)
		switch {
		case err == nil:
			return n, nil
		case err != errLost:
			b.err = err
			return n, err
		case n > 0:
			return n, nil // errLost comes again
		}
		b.err = b.again()
	}
	return 0, b.err
}

// again fetches the body itself and skips what was given out already.
func (b *body) again() error {
	if _, stored := b.src.(*itemBody); stored {
		b.cache.store.Delete(b.ask.key)
	}
	if b.cache.opts.Offline {
		return errChanged
	}
	resp, err := b.cache.next.Fetch(b.ask.ctx, b.ask.req)
	if err != nil {
		return err
	}
	b.own = resp.Body
	if !b.sameAs(resp) {
		return errChanged
	}
	switch ok, err := b.src.same(resp.Body, b.n); {
	case err != nil && err != io.EOF:
		return err
	case !ok:
		return errChanged
	}
	return nil
}

// sameAs reports whether resp says of its body what was said of this one.
func (b *body) sameAs(resp *fetch.Response) bool {
	is := newSaid(resp)
	if is.undelimited && !b.said.undelimited {
		return false // nobody would know that it is whole
	}
	return is.fields == b.said.fields && (b.said.size < 0 || is.size < 0 || b.said.size == is.size)
}

// Close implements [io.Closer].
func (b *body) Close() error {
	if b.src == nil {
		return nil
	}
	err := b.src.Close()
	b.src = nil
	if b.own != nil {
		err = b.own.Close()
	}
	if b.err == nil {
		b.err = &fetch.Error{Kind: fetch.Local, Err: os.ErrClosed}
	}
	return err
}
