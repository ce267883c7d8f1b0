package cache

import (
	"errors"
	"net"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/netx/rfc9111"
)

// maxNegatives bounds the errors that are remembered.
const maxNegatives = 4096

// A refusal is an error, and until when it is given out again.
type refusal struct {
	err         error
	from, until time.Time
}

// An answer is an error that knows the answer that it stands for. Its cause, if it has one,
// is the status code. Package httpfetch has such errors.
type answer interface {
	error
	Answer() (status int, header map[string][]string)
}

// negative returns the error that is remembered for key, nil if none is.
func (c *Cache) negative(key string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	key = digest(key)
	r, _ := c.known.Get(key)
	if now := c.now(); now.Before(r.from) || !now.Before(r.until) {
		c.known.Delete(key)
		return nil
	}
	return r.err
}

// remember keeps the error that a request without answer got.
func (c *Cache) remember(a *ask, err error) {
	now := c.now()
	d := c.refuses(a, err, now)
	if a.private || d <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known.Put(digest(a.key), refusal{brief(err), now, now.Add(d)})
}

// maxText bounds the text of an error that is remembered.
const maxText = 512

// brief returns err for another request for the same thing, without its URL, and bounded: of
// an answer only the status is kept, and a long text is cut.
func brief(err error) error {
	e := &fetch.Error{Kind: fetch.KindOfFetch(err), Err: err}
	if own, ok := err.(*fetch.Error); ok {
		e.Err = own.Err
		e.After = own.After
	}
	if ans, ok := errors.AsType[answer](err); ok {
		e.Err = errors.Unwrap(ans)
	}
	if e.Err != nil && len(e.Err.Error()) > maxText {
		e.Err = errors.New(strings.ToValidUTF8(e.Err.Error()[:maxText], "?") + " ...")
	}
	return e
}

// refuses returns for how long an error holds: as long as the answer allows, at most
// missingFresh.
func (c *Cache) refuses(a *ask, err error, now time.Time) time.Duration {
	limit := c.missing
	switch {
	case unreachable(err):
		if a.hops > 0 {
			return 0 // it may be another host than the URL's, and redirects change
		}
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
	if !rfc9111.Storable(a.header, r) || !p.Judge(nil, r, now).Fresh || len(header["Vary"]) > 0 {
		return 0
	}
	lifetime, _ := p.Lifetime(r)
	age, _ := r.Age(now)
	return min(lifetime-age, limit)
}

// unreachable reports whether by err a host has no address or nothing listens there.
// Time-outs are not remembered: another request may have more time.
func unreachable(err error) bool {
	if fetch.KindOfFetch(err) != fetch.Unavailable {
		return false
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.IsNotFound
	}
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial" && !op.Timeout()
}
