package fleet

import (
	"context"
	"io"
	"net/url"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// Contacts returns a Fetcher that lets f contact a host only while this worker holds the lock
// of the host. It is for [safefetch.Options].Contacts.
func (w *Worker) Contacts(f fetch.Fetcher) fetch.Fetcher { return &owned{fetch.Layer{Next: f}, w} }

type owned struct {
	fetch.Layer
	w *Worker
}

// Fetch implements fetch.Fetcher.
func (o *owned) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	s, err := o.w.current()
	if err != nil {
		return nil, err
	}
	t := &turn{session: s, gate: req.Gate}
	r := *req
	r.Gate = t.contact
	resp, err := o.Next.Fetch(ctx, &r)
	if err != nil {
		t.postpone(fetch.AfterOf(err))
		t.end()
		return nil, err
	}
	t.ReadCloser, resp.Body = resp.Body, t
	return resp, nil
}

// A turn is the use of one host at a time by a fetch, and then its body.
type turn struct {
	io.ReadCloser
	session *session
	gate    func(context.Context, *url.URL) error // the caller's

	mu   sync.Mutex
	host string // "" if it uses none
}

// contact is the Gate of the request.
func (t *turn) contact(ctx context.Context, to *url.URL) error {
	if t.gate != nil {
		if err := t.gate(ctx, to); err != nil {
			return err
		}
	}
	t.end()
	err := t.session.use(ctx, to, func(host string) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.host = host
	})
	if claim, ok := ctx.Value(claimKey{}).(func(context.Context) error); ok && err == nil {
		err = claim(ctx)
	}
	return err
}

// claimKey is the key of the function in a context that is called before a host is contacted
// for a request that uses up a download.
type claimKey struct{}

// maxAfter bounds the Retry-After that other workers keep to: one link may have asked for it.
const maxAfter = 10 * time.Minute

// postpone writes the Retry-After of the host at once, so that it holds if this worker is killed.
func (t *turn) postpone(after time.Time) {
	if most := time.Now().Add(maxAfter); after.After(most) {
		after = most
	}
	if t.host != "" && after.After(time.Now()) {
		t.session.postpone(t.host, after)
	}
}

// end ends the use of the host.
func (t *turn) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.host != "" {
		t.session.unuse(t.host)
		t.host = ""
	}
}

// Close implements io.Closer.
func (t *turn) Close() error {
	defer t.end()
	return t.ReadCloser.Close()
}
