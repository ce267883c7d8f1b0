// Package cache has a Fetcher around Fetchers that stores their answers, and sends one of
// several requests for the same thing at the same time.
//
// [New] puts a [Cache] around a fetcher for http, https, ftp and ftps, below [fetch.Do]:
//
//	mux.Handle("http", cache.New(httpfetch.New(nil), store, nil))
//
// A Response of a Cache has the final URL, the redirects, header, content codings and
// digests that its fetcher returned, so that stored bodies are checked as fresh ones are.
// A stored one has the field Age.
//
// # Stored answers
//
//   - http and https: answers that a private cache may store by RFC 9111.
//   - ftp and ftps: files of known size and time.
//   - Everything else, directory listings, and requests with Conditions go to
//     the next fetcher as they are.
//
// A body is stored while it is delivered, and entered when it is whole, its
// digests agree and its content codings can be undone, not before. A body that
// nothing but the end of the connection ends may have broken off, and is not
// entered. A server that sends octets after its answer may mix up its answers: the body is
// not entered, a stored one is deleted, and one that the answer calls unchanged is fetched anew.
//
// An answer is used for the time that it gives. Without one it is used for a
// tenth of the time between its Last-Modified and its Date, at least for 10 minutes and at
// most for a day. Then the server is asked whether it
// has changed. If the server gave a digest of the octets, it is asked only with
// a strong validator; without one the body is fetched again.
//
// An answer that came by redirects is used for at most 10 minutes. Then the
// redirects are followed anew, and the server at their end is asked whether the
// object has changed, if they lead to the same URL.
//
// A missing object (404, 410, ftp 550) is remembered for 5 minutes, in memory. A
// host whose name does not resolve, or whose port refuses, is remembered for a tenth of
// that time, for its own URLs alone.
//
// # Who gets an answer
//
// An answer serves requests with the same partition (see [WithPartition]), URL without
// its fragment, media types asked for, transfer type, Login, user in the URL
// and Cookies. A Content-ID is not compared, because anybody can claim one.
//
// An answer that came after [fetch.Request].Credentials were asked is neither stored nor
// shared, and changes nothing that is stored. CheckHop is asked for the redirects of a
// stored answer as well, and MaxRedirects bounds them. A [driver.Inspector] below the Cache
// is asked about the URL before a stored answer is given out, and about
// where the answer came from, so that today's policy holds for old answers.
//
// # One fetch for many
//
// Of several requests for the same thing at the same time, with the same limits on time
// and redirects, one is sent. The others wait, and are then served from the store, each
// by its own limits and CheckHop. If the answer may not be stored, or depends on who
// asked, each fetches for itself. If it is an error of the server or the network, all get
// it. If the first request is given up, the next one takes its place. None waits longer
// than about a second for a caller who does not read on.
//
// # When the cache fails
//
// A store that is full, cannot be written or was deleted is never the caller's failure.
// A stored body is verified while it is read, and reports io.EOF only if it is as it was
// stored. Otherwise the fetch fails with [fetch.ErrDamaged], of Kind Local, and the entry
// is deleted, so that the next request fetches the body again.
package cache

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/link"
	"github.com/go-extbody/extbody/internal/netx/rethrow"
	"github.com/go-extbody/extbody/internal/netx/rfc9111"
	"github.com/go-extbody/extbody/internal/recent"
)

type layer = driver.Layer

// A Cache is a [fetch.Fetcher] and a [driver.Layer]. It may be used by several
// goroutines at once.
type Cache struct {
	layer
	store  Store
	opts   Options
	policy rfc9111.Policy

	now     func() time.Time
	ahead   func() time.Duration // how far the clock of a Store that has one is ahead of ours
	missing time.Duration        // for which a missing object is remembered

	running sync.WaitGroup

	mu      sync.Mutex
	thrown  []*rethrow.End // by the store, after the caller of its fetch went on
	flights map[string]*flight
	known   recent.Map[string, refusal]  // errors that are remembered, by the digest of their keys
	broken  recent.Map[string, struct{}] // digests of the keys of damaged entries that may still be there
}

// Options are for [New]. The zero value is fit for use.
type Options struct {
	// Offline forbids all contacts. A stored answer is used although it is not fresh,
	// unless the server forbade that (RFC 9111 section 4.2.4). Everything else is
	// Deferred.
	Offline bool

	// Header returns the header fields that the next fetcher sends for a
	// request, as far as answers are selected by them (Vary) or they are meant
	// for caches (Cache-Control). nil stands for a fetcher that sends the same
	// ones with every request, apart from those for the fields of the Request.
	Header func(ctx context.Context, req *fetch.Request) map[string][]string

	// Exchanges keeps the Exchanges of an answer with it, without their Beginnings. A later
	// request that it serves gets them by Observe, unless a Layer has set Brief in its
	// driver.Request.
	Exchanges bool
}

const (
	// minFresh is the least time for which an answer without a lifetime is used, and
	// the longest for which one that came by redirects is.
	minFresh = 10 * time.Minute

	// missingFresh is the time for which a missing object is remembered, and ten times
	// the time for which an unreachable host is.
	missingFresh = 5 * time.Minute
)

// New returns a Cache around next. opts may be nil, which means the zero Options.
//
// next must be a bare fetcher for http, https, ftp or ftps, or several within
// one Func, and not a [fetch.Mux]: the limits are applied once, around the
// Fetcher that New returns.
func New(next fetch.Fetcher, store Store, opts *Options) *Cache {
	c := &Cache{
		layer:   layer{Next: next},
		store:   store,
		policy:  rfc9111.Policy{MinHeuristic: minFresh},
		now:     time.Now,
		ahead:   func() time.Duration { return 0 },
		missing: missingFresh,
		flights: make(map[string]*flight),
		known:   recent.Map[string, refusal]{Max: maxNegatives},
		broken:  recent.Map[string, struct{}]{Max: maxBroken},
	}
	if clock, ok := store.(interface{ Now() time.Time }); ok {
		c.now = clock.Now
		c.ahead = func() time.Duration { return time.Until(clock.Now()) }
	}
	c.opts = *cmp.Or(opts, new(Options))
	if c.opts.Header == nil {
		c.opts.Header = func(context.Context, *fetch.Request) map[string][]string { return nil }
	}
	return c
}

// Wait returns when all bodies that were read to their end are stored. A program
// calls it before it closes the store. The body of each Response has to be
// closed before. If the store has panicked since the Read of a body returned, Wait does.
func (c *Cache) Wait() {
	c.running.Wait()
	c.mu.Lock()
	thrown := c.thrown
	c.thrown = nil
	c.mu.Unlock()
	for _, end := range thrown {
		end.Raise()
	}
}

// Fetch implements [fetch.Fetcher].
func (c *Cache) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if !serves(req) {
		return c.layer.Fetch(ctx, req)
	}
	a := &ask{ctx: ctx, req: req, key: key(ctx, req), header: c.opts.Header(ctx, req)}
	returned := false
	defer func() {
		if !returned {
			a.abort()
		}
	}()
	resp, err := c.answer(a)
	returned = true
	return resp, err
}

// answer returns the answer to a, from the store, from another flight or from the server.
func (c *Cache) answer(a *ask) (*fetch.Response, error) {
	for {
		resp, old, err := c.look(a)
		if resp != nil || err != nil {
			a.flight.end(lookUp)
			return resp, err
		}
		if a.flight != nil || a.alone {
			return c.fetch(a, old)
		}
		old.close()
		f, leads := c.join(a)
		if leads {
			a.flight = f // and look again: another flight may have ended meanwhile
		} else if err := f.wait(a); err != nil {
			return nil, err
		}
	}
}

// An ask is one call of Fetch.
type ask struct {
	ctx    context.Context
	req    *fetch.Request
	key    string              // of the stored answer
	header map[string][]string // as it is sent, see Options.Header

	flight *flight // that a leads; nil if none
	alone  bool    // a waits for no flight

	// The fields that abort closes.
	found *found
	body  io.Closer

	// Set while a is sent.
	private bool // credentials were asked for
	hops    int  // redirects
	said    []*fetch.Exchange
}

// abort frees everything of a, because a function of the caller, or of the store, panicked.
func (a *ask) abort() {
	a.flight.abort()
	defer a.found.close()
	if a.body != nil {
		a.body.Close()
	}
}

// fetch asks the server, about old if that is not nil.
func (c *Cache) fetch(a *ask, old *found) (*fetch.Response, error) {
	resp, err := c.send(a, old)
	if err == nil && resp.NotModified {
		resp.Body.Close()
		unasked := driver.OfResponse(resp).Unasked
		if unasked != nil && unasked() {
			_ = c.store.Delete(a.key)
		} else if old != nil && c.validated(a, old, resp) {
			a.flight.end(lookUp)
			return c.serve(a, old, -1), nil
		}
		// It is about another object than the stored one.
		resp, err = c.send(a, nil)
		if err == nil && resp.NotModified {
			resp.Body.Close()
			err = fetch.Protocol
		}
	}
	mayServe := old != nil && old.verdict.OnError && !a.private
	if mayServe && err != nil && fetch.KindOfFetch(err) == fetch.Unavailable {
		a.flight.end(lookUp)
		return c.allow(a, old)
	}
	old.close()
	if err != nil {
		c.remember(a, err)
		a.flight.fail(a, err)
		return nil, err
	}
	return c.fill(a, resp), nil
}

// send sends the request, with conditions made of old if that is possible. Content
// codings stay, since the octets are stored as they were sent. Do verifies them; limits on
// octets are applied by the caller's Do.
func (c *Cache) send(a *ask, old *found) (*fetch.Response, error) {
	r := *a.req
	driver.OfRequest(&r).Coded = true
	r.Conditions = old.conditions()
	r.MaxBytes = -1
	r.Budget = nil
	r.CheckHop = func(ctx context.Context, from, to *url.URL) error {
		a.hops++
		a.flight.turn(true)
		defer a.flight.turn(false)
		return driver.Hop(ctx, a.req, from, to)
	}
	if r.Credentials != nil {
		r.Credentials = func(ctx context.Context, ch fetch.Challenge) (*fetch.Userinfo, error) {
			a.private = true
			a.flight.end(apart)
			return a.req.Credentials(ctx, ch)
		}
	}
	if r.Observe != nil {
		r.Observe = func(x *fetch.Exchange) {
			a.said = append(a.said, x)
			a.req.Observe(x)
		}
	}
	if r.Progress != nil {
		r.Progress = func(e fetch.Event) {
			if e.Phase != fetch.Receiving && e.Phase != fetch.Verified {
				a.req.Progress(e) // the caller's Do reports the others
			}
		}
	}
	next := func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		r := *req
		r.Budget = a.req.Budget // for contacts
		return c.layer.Fetch(ctx, &r)
	}
	resp, err := fetch.Do(a.ctx, fetch.Func(next), &r)
	if err == nil {
		a.body = resp.Body
	}
	return resp, err
}

// validated updates a stored answer from an answer 304, and reports whether that is about
// it.
func (c *Cache) validated(a *ask, old *found, resp *fetch.Response) bool {
	m := old.meta
	if resp.URL.String() != m.URL || !rfc9111.Selects(m.Header, resp.Header) {
		return false
	}
	if !old.has(a.ctx, driver.OfResponse(resp).Digests) {
		return false
	}
	old.resp.Hops = resp.Hops
	if a.private {
		return true
	}
	fresh := *m
	fresh.Header = rfc9111.Updated(m.Header, resp.Header)
	fresh.Requested = resp.RequestTime
	fresh.Received = resp.ResponseTime
	fresh.setHops(resp.Hops)
	c.stamp(&fresh)
	if resp.MediaType != "" {
		fresh.MediaType = resp.MediaType
	}
	updated, err := fresh.response(c.ahead())
	if err != nil {
		return false
	}
	old.resp = updated
	// Without the update the server is asked again next time.
	_ = c.store.Update(a.key, old.item, fresh.encode())
	return true
}

// stamp sets the times of an answer that has come, by the clock that they are compared with.
func (c *Cache) stamp(m *meta) {
	delay := max(m.Received.Sub(m.Requested), 0)
	m.Received = c.now().Round(0) // on a clock that goes on while the system sleeps
	m.Requested = m.Received.Add(-delay)
}

type partitionKey struct{}

// WithPartition returns a context for fetches that share stored answers, and fetches in
// progress, only with fetches of the same partition, such as the name of a mailbox.
// Otherwise the time of an answer, or the absence of a request at the server, would show
// one mailbox that another one has the same link. Without it the partition is "".
func WithPartition(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, partitionKey{}, name)
}

// Partition returns the name that WithPartition gave to ctx, or "".
func Partition(ctx context.Context) string {
	name, _ := ctx.Value(partitionKey{}).(string)
	return name
}

// serves reports whether answers to req are cached at all.
func serves(req *fetch.Request) bool {
	if req.Conditions != nil || req.Listing {
		return false
	}
	if driver.OfRequest(req).Call != nil {
		return false // its answer is for one account
	}
	return isFTP(req) || hasScheme(req, "http")
}

func isFTP(req *fetch.Request) bool { return hasScheme(req, "ftp") }

// hasScheme reports whether the scheme of req is name, or name over TLS.
func hasScheme(req *fetch.Request, name string) bool {
	return strings.TrimSuffix(strings.ToLower(req.URL.Scheme), "s") == name
}

// key returns the key of the answers that serve req. Each part has its length in front, so
// that no two lists have the same key.
func key(ctx context.Context, req *fetch.Request) string {
	b := []byte{2, byte(req.Login), 0}
	if req.Cookies {
		b[2] = 2
	}
	u := link.WithoutFragment(req.URL) // fetchers for these schemes ignore [fetch.Request].Text
	mediaType, _, _ := strings.Cut(req.MediaType, ";")
	for _, part := range [...]string{
		Partition(ctx),
		u.String(),
		strings.ToLower(strings.TrimSpace(mediaType)),
		strings.ToLower(req.TransferType),
	} {
		b = appendPart(b, part)
	}
	for _, part := range req.Accept {
		b = appendPart(b, strings.ToLower(part))
	}
	return string(b)
}

func appendPart(b []byte, part string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(part))), part...)
}

// digest returns the SHA-256 of a key, for tables: a key may be as long as a URL.
func digest(key string) string {
	sum := sha256.Sum256([]byte(key))
	return string(sum[:])
}
