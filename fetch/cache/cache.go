// Package cache has a Fetcher around Fetchers that remembers what they got, and
// that makes one fetch of several for the same thing at the same time.
//
// [New] puts a [Cache] around a fetcher for http, https, ftp and ftps, below what
// [fetch.Do] wraps:
//
//	mux.Handle("http", cache.New(httpfetch.New(nil), store, nil))
//
// A Response of a Cache is the one that its fetcher returns, with its
// final URL, its redirects, header, content codings and digests, so that
// everything that is checked on a fresh body is checked on a stored one too. A
// stored one has the field Age.
//
// # What is stored
//
//   - http and https: what RFC 9111 lets a private cache store, by package
//     rfc9111; answers with no-store are not shared between requests either.
//   - ftp and ftps: files of which the server tells size and time.
//   - Everything else, directory listings, and requests with Conditions go to
//     the next fetcher as they are.
//
// A body is stored while it is delivered, and entered when it is whole, its
// digests agree and its content codings can be undone, not before. A body that
// nothing but the end of the connection ends may have broken off, and is not
// entered.
//
// An answer is used for as long as it says. One that says nothing is used for a
// tenth of the time between its Last-Modified and its Date, at least for
// [Options].MinFresh and at most for a day. Then the server is asked whether it
// has changed. If the server gave a digest of the octets, it is asked only with
// a strong validator; without one the body is fetched again.
//
// An answer that came by redirects is used for at most MinFresh. Then the
// redirects are followed anew, and the server at their end is asked whether the
// object has changed, if they lead to the same URL.
//
// That something is not there (404, 410, ftp 550) is remembered for
// [Options].Negative, in memory. That the name of its host does not resolve, or
// that its port refuses, is remembered for a tenth of that.
//
// # Who sees what
//
// An answer serves requests that have in common: the partition, see
// [WithPartition]; the exact URL without its fragment; the media types asked
// for; the transfer type; Login and the user in the URL; AnyCertificate and
// Cookies. A Content-ID is no part of it, because anybody can claim one.
//
// What came after [fetch.Request].Credentials were asked for is neither stored
// nor shared. CheckHop is asked for the redirects of a stored answer as well,
// and MaxRedirects bounds them. A [fetch.Checker] below the Cache is asked
// about the URL before anything stored is given out, and a [fetch.Auditor]
// about where it came from. An answer that the policy of today would have
// refused is not used, whoever stored it.
//
// # One fetch for many
//
// Requests for the same thing at the same time, with the same limits on time
// and redirects, share one fetch. They read along while it goes on, each at its
// own pace, and each gets the verdict at its own end. The fetch ends when the
// last of them has closed its body or given up, and not with the one that began
// it. It is at most 4 MiB ahead of the fastest reader. Contacts are charged to
// the Budget of the one who began it, octets to that of each reader.
//
// # When the cache fails
//
// A store that is full, cannot be written, is damaged or was deleted is never
// the caller's failure. Octets are verified before they are given out. Where one
// is missing or wrong, the body is fetched again, and goes on if what was given
// out already is its beginning. Only if the server has something else by then,
// the body is Truncated.
package cache

import (
	"context"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache/rfc9111"
)

// A Cache is a [fetch.Fetcher] and a [fetch.Checker]. It may be used by several
// goroutines at once.
type Cache struct {
	next   fetch.Fetcher
	store  Store
	opts   Options
	policy rfc9111.Policy

	ownClock bool // Options.Now was set

	running sync.WaitGroup

	mu      sync.Mutex
	flights map[string]*flight
	known   negatives
}

// Options are for [New]. The zero value is fit for use.
type Options struct {
	// Offline says that nobody is contacted. What is stored is given out
	// although it is not fresh, unless the server forbade that (RFC 9111
	// section 4.2.4). Everything else is Deferred.
	Offline bool

	// MinFresh is the least time for which an answer is used that does not say
	// how long it is good. It is also the longest time for which one that came
	// by redirects is used. 0 means 10 minutes, a negative value no time.
	MinFresh time.Duration

	// Negative is how long it is remembered that something is not there. That
	// a host cannot be reached is remembered for a tenth of it. 0 means 5
	// minutes, a negative value no time.
	Negative time.Duration

	// Header returns the header fields that the next fetcher sends for a
	// request, as far as answers are selected by them (Vary) or they are meant
	// for caches (Cache-Control). nil stands for a fetcher that sends the same
	// ones with every request, apart from what the Request says.
	Header func(ctx context.Context, req *fetch.Request) map[string][]string

	// Now is the clock. nil means [time.Now].
	Now func() time.Time
}

// New returns a Cache around next. nil stands for the zero Options.
//
// next must be a bare fetcher for http, https, ftp or ftps, or several within
// one Func, and not a [fetch.Mux]: the limits are applied once, around the
// Fetcher that New returns.
func New(next fetch.Fetcher, store Store, opts *Options) *Cache {
	c := &Cache{next: next, store: store, flights: make(map[string]*flight)}
	if opts != nil {
		c.opts = *opts
	}
	if c.opts.MinFresh == 0 {
		c.opts.MinFresh = 10 * time.Minute
	}
	if c.opts.Negative == 0 {
		c.opts.Negative = 5 * time.Minute
	}
	c.ownClock = c.opts.Now != nil
	if !c.ownClock {
		c.opts.Now = time.Now
	}
	if c.opts.Header == nil {
		c.opts.Header = func(context.Context, *fetch.Request) map[string][]string { return nil }
	}
	c.policy = rfc9111.Policy{MinHeuristic: max(c.opts.MinFresh, 0)}
	return c
}

// Check implements [fetch.Checker] if the next fetcher does.
func (c *Cache) Check(req *fetch.Request) error {
	if ch, ok := c.next.(fetch.Checker); ok {
		return ch.Check(req)
	}
	return nil
}

// Audit implements [fetch.Auditor] if the next fetcher does.
func (c *Cache) Audit(resp *fetch.Response) error { return fetch.Audit(c.next, resp) }

// AnonymousPassword is that of the next fetcher; see [fetch.AnonymousPassword].
func (c *Cache) AnonymousPassword(scheme string) (password string, known bool) {
	return fetch.AnonymousPassword(c.next, scheme)
}

// CloseIdleConnections closes the idle connections of the next fetcher, if it
// has any.
func (c *Cache) CloseIdleConnections() {
	if i, ok := c.next.(interface{ CloseIdleConnections() }); ok {
		i.CloseIdleConnections()
	}
}

// Wait returns when all bodies that were read to their end are stored. A program
// calls it before it closes the store. The body of each Response has to be
// closed before.
func (c *Cache) Wait() { c.running.Wait() }

// Fetch implements [fetch.Fetcher].
func (c *Cache) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if !serves(req) {
		return c.next.Fetch(ctx, req)
	}
	if err := c.Check(req); err != nil {
		return nil, err
	}
	a := &ask{ctx: ctx, req: req, key: key(ctx, req), header: c.opts.Header(ctx, req)}
	a.flight = flightKey(a.key, req)
	for ctx.Err() == nil {
		resp, err := c.stored(a)
		if resp == nil && err == nil {
			resp, err = c.fly(a)
		}
		if err != errAgain {
			return resp, err
		}
		if a.alone {
			return c.next.Fetch(ctx, req)
		}
	}
	return nil, context.Cause(ctx)
}

// An ask is one call of Fetch.
type ask struct {
	ctx    context.Context
	req    *fetch.Request
	key    string              // of what is stored
	flight string              // of a fetch that goes on: key and the limits it has
	header map[string][]string // as it is sent, see Options.Header

	// alone says that the answer that others share does not serve this one,
	// and broken that what is stored for it is damaged.
	alone, broken bool
}
