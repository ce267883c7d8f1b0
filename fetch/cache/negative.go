package cache

import (
	"errors"
	"net"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache/rfc9111"
)

// maxNegatives bounds what is remembered to have no answer.
const maxNegatives = 4096

// negatives are the errors that are remembered, by key.
type negatives map[string]refusal

// A refusal is an error, and until when it is given out again.
type refusal struct {
	err         error
	from, until time.Time
}

// An answer is an error that knows the answer that it stands for. Those of package
// httpfetch do.
type answer interface {
	error
	Answer() (status int, header map[string][]string)
}

// negative returns the error that is remembered for key, nil if none is.
func (c *Cache) negative(key string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.known[key]
	if !ok {
		return nil
	}
	now := c.opts.Now()
	if now.Before(r.from) || !now.Before(r.until) {
		delete(c.known, key)
		return nil
	}
	return r.err
}

// remember keeps the error that a request without answer got.
func (c *Cache) remember(a *ask, err error) {
	now := c.opts.Now()
	d := c.refuses(a, err, now)
	if d <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = make(negatives)
	}
	if len(c.known) >= maxNegatives {
		for k, r := range c.known {
			if !now.Before(r.until) || len(c.known) >= maxNegatives {
				delete(c.known, k)
			}
		}
	}
	c.known[a.key] = refusal{err, now, now.Add(d)}
}

// refuses returns for how long an error holds. An answer that says so itself is
// believed, as far as Options.Negative goes.
func (c *Cache) refuses(a *ask, err error, now time.Time) time.Duration {
	limit := max(c.opts.Negative, 0)
	switch {
	case unreachable(err):
		return limit / 10
	case !errors.Is(err, fetch.NotFound) && !errors.Is(err, fetch.Gone):
		return 0
	}
	ans, ok := errors.AsType[answer](err)
	if !ok {
		return limit
	}
	status, header := ans.Answer()
	p := rfc9111.Policy{MinHeuristic: limit}
	r := &rfc9111.Response{Status: status, Header: header, Requested: now, Received: now}
	if !p.Storable(a.header, r) || !p.Judge(nil, r, now).Fresh || len(header["Vary"]) > 0 && c.opts.Header != nil {
		return 0
	}
	lifetime, _ := p.Lifetime(r)
	age, _ := r.Age(now)
	return min(lifetime-age, limit)
}

// unreachable reports whether err says that a host has no address or that
// nothing listens there. What only takes long is not remembered: another request
// may have more patience.
func unreachable(err error) bool {
	if fetch.KindOf(err) != fetch.Unavailable {
		return false
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.IsNotFound
	}
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial" && !op.Timeout()
}
