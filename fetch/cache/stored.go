package cache

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strconv"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache/rfc9111"
)

var errOffline = &fetch.Error{Kind: fetch.Deferred, Err: errors.New("offline, and nothing that may be used is stored")}

// A found is what the store has for a request.
type found struct {
	item    Item
	meta    *meta
	verdict rfc9111.Verdict
}

// find returns what the store has for a, nil if nothing. The caller closes it.
func (c *Cache) find(a *ask) *found {
	if a.broken {
		return nil
	}
	item, err := c.store.Get(a.key)
	if err != nil {
		return nil
	}
	f := &found{item: item, meta: metaOf(item)}
	if f.meta == nil || !rfc9111.Matches(f.meta.Header, f.meta.Selected, a.header) {
		item.Close()
		return nil
	}
	if resp, err := f.meta.response(); err != nil || fetch.Audit(c.next, resp) != nil {
		item.Close()
		return nil
	}
	now := c.opts.Now()
	f.verdict = c.policy.Judge(a.header, f.meta.rules(), now)
	if len(f.meta.Hops) > 0 && now.Sub(f.meta.Received) >= c.policy.MinHeuristic {
		// The server of the last URL speaks for that one. Where the others lead is
		// asked anew, as most redirects may not be kept (RFC 9110 section 15.1).
		f.verdict.Fresh = false
	}
	return f
}

// metaOf returns the meta of an item, which may be shared with others; nil if there is
// none.
func metaOf(item Item) *meta {
	if it, ok := item.(*memOpened); ok && it.known != nil {
		return it.known
	}
	m := new(meta)
	if json.Unmarshal(item.Meta(), m) != nil {
		return nil
	}
	return m
}

// stored returns the answer that is stored, or what is known to have no answer;
// nil if the server has to be asked.
func (c *Cache) stored(a *ask) (*fetch.Response, error) {
	f := c.find(a)
	if f != nil && (f.verdict.Fresh || c.opts.Offline && f.verdict.Disconnected) {
		resp, err := c.serve(a, f, f.verdict.Age)
		if resp != nil || err != nil {
			return resp, err
		}
	} else if f != nil {
		f.item.Close()
	} else if err := c.negative(a.key); err != nil {
		return nil, err
	}
	if c.opts.Offline {
		return nil, errOffline
	}
	return nil, nil
}

// serve returns the answer f, whose age is told unless it is negative. It
// returns nil if f turns out to be damaged.
func (c *Cache) serve(a *ask, f *found, age time.Duration) (*fetch.Response, error) {
	resp, err := f.meta.response()
	if err != nil {
		return c.damaged(a, f)
	}
	if len(resp.Hops) > max(a.req.MaxRedirects, 0) {
		// More than the request follows: what happens then is for next to say.
		f.item.Close()
		if c.opts.Offline {
			return nil, errOffline
		}
		a.alone = true
		return nil, errAgain
	}
	if err := checkHops(a.ctx, a.req, resp); err != nil {
		f.item.Close()
		return nil, err
	}
	src, err := openItem(f.item)
	if err != nil {
		return c.damaged(a, f)
	}
	if age >= 0 {
		if resp.Header == nil {
			resp.Header = make(map[string][]string)
		}
		resp.Header["Age"] = []string{strconv.FormatInt(int64(age/time.Second), 10)}
	}
	return c.response(a, resp, src), nil
}

// damaged forgets f, of which nothing was given out.
func (c *Cache) damaged(a *ask, f *found) (*fetch.Response, error) {
	f.item.Close()
	a.broken = true
	c.store.Delete(a.key)
	return nil, nil
}

// checkHops asks about the redirects of an answer that is there already.
func checkHops(ctx context.Context, req *fetch.Request, resp *fetch.Response) error {
	for i, from := range resp.Hops {
		to := resp.URL
		if i+1 < len(resp.Hops) {
			to = resp.Hops[i+1]
		}
		if err := checkHop(ctx, req, from, to); err != nil {
			return err
		}
	}
	return nil
}

func checkHop(ctx context.Context, req *fetch.Request, from, to *url.URL) error {
	if req.CheckHop == nil {
		return nil
	}
	f, t := *from, *to
	err := req.CheckHop(ctx, &f, &t)
	if err == nil {
		return nil
	}
	return fetch.Refusal(fetch.Denied, err)
}

// An itemBody reads the body of an Item.
type itemBody struct {
	io.Reader
	item Item
	body io.Closer
}

// openItem opens the body of an item and verifies its beginning.
func openItem(item Item) (*itemBody, error) {
	body := item.Open()
	first := make([]byte, min(512, item.Size()))
	if _, err := io.ReadFull(body, first); err != nil {
		body.Close()
		return nil, err
	}
	return &itemBody{io.MultiReader(bytes.NewReader(first), &exactly{body, item.Size() - int64(len(first))}), item, body}, nil
}

// same implements source. What was given out is read once more, and verified.
func (b *itemBody) same(r io.Reader, n int64) (bool, error) {
	old := b.item.Open()
	defer old.Close()
	return begins(old, r, n)
}

// begins reports whether the n octets of old begin r. The error is one of r.
func begins(old, r io.Reader, n int64) (bool, error) {
	was, is := make([]byte, 32<<10), make([]byte, 32<<10)
	for n > 0 {
		m := min(n, int64(len(was)))
		if _, err := io.ReadFull(old, was[:m]); err != nil {
			return false, nil
		}
		switch _, err := io.ReadFull(r, is[:m]); {
		case err == io.EOF, err == io.ErrUnexpectedEOF:
			return false, nil
		case err != nil:
			return false, err
		case !bytes.Equal(was[:m], is[:m]):
			return false, nil
		}
		n -= m
	}
	return true, nil
}

// Close implements [io.Closer].
func (b *itemBody) Close() error {
	b.body.Close()
	return b.item.Close()
}

// An exactly reports whatever is wrong with a stored body as lost.
type exactly struct {
	io.Reader
	left int64
}

func (r *exactly) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.left -= int64(n)
	switch {
	case r.left < 0:
		return 0, errLost
	case err == io.EOF && r.left == 0:
		return n, io.EOF
	case err != nil:
		return n, errLost
	}
	return n, nil
}
