// Package throttle makes many fetches polite and keeps one bad host from holding
// up the rest. It is a Fetcher around Fetchers.
//
// A [Throttle] decides when each contact may be made, for all requests that go
// through it:
//
//   - A host has a bounded number of requests at a time, and a bounded number a
//     second. A host that is new, or was busy, starts with fewer and gets one
//     more with each answer.
//   - An address has at most 32 fetches at a time, or twice as many as a host may have if that
//     is more. As many again are kept for domains that have none there. The IPv6 addresses of
//     one /64 count as one address, and one that stands for an IPv4 address (NAT64) counts as
//     that. A server with many names therefore gets no more requests, and a domain that
//     shares the address of a large host is not held up.
//   - A host that answers 429 or 503 is left alone: for its Retry-After, and at least for
//     a time that doubles with each such answer and has some chance in it. A Retry-After
//     of more than ten minutes holds for the link alone, until several links agree.
//   - A host that does not answer in time three times in a row,
//     refuses connections or does not exist is down. Requests for it fail at
//     once and without contact. After a while one of them is let through, and
//     its outcome decides for the others.
//   - While no host answers, this machine's network or proxy may be away. A host to which
//     there is then no connection three times in a row, or one of several that are silent, is
//     not down: it is put off for 10 seconds at first and a minute at most, and is asked again
//     when any host answers.
//   - In all, fetches at a time are bounded.
//
// # Waiting
//
// A request that may not go now waits for its turn: first come, first served
// within a host, and hosts in turn, so that requests that wait for one host hold up
// none at another. A request that would have to wait too long fails with the
// Kind [fetch.Deferred], and the error's After is the time of the next try.
// [Options].MaxWait is the limit. A request that waits for its host
// reports the phase [fetch.Waiting]; one that waits for an address, or for nothing but the
// fetches of others, does not.
//
// A program that has more goroutines than fetches at a time loses nothing: a
// goroutine that waits here counts for no bound. A program with few goroutines should have
// a short MaxWait and repeat later the requests that were Deferred.
//
// # Contacts
//
// A Throttle sets [driver.Request].Gate in the Request that it passes on, and so
// is asked before each contact with the URL that is contacted: also after a
// redirect, which may lead to another host. The request then gives up its slot
// at the first host before it waits for one at the second; it never has two. A
// Fetcher that makes no contact waits for nothing.
//
// A slot is free again when the fetch fails, and when its body is closed, is at its
// end, or its context has ended.
//
// # Evidence
//
// A Throttle learns from the errors of its Fetcher, by package fetch's table.
// Busy is an error with a cause that has a method
//
//	Busy() bool
//
// that returns true, as [httpfetch.Status] has, or reply 421 of an ftp server.
//
// [httpfetch.Status]: https://pkg.go.dev/github.com/go-extbody/extbody/fetch/httpfetch#Status
package throttle

import (
	"cmp"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

type layer = driver.Layer

// A Throttle is a [fetch.Fetcher] and a [driver.Layer]. Its methods may be called from
// several goroutines concurrently. Check does not depend on the state of hosts.
type Throttle struct {
	layer
	state *State
}

// New returns a Throttle around next. opts may be nil, which means the zero Options.
//
// next must be a bare Fetcher, or several within one Func, and not a
// [fetch.Mux]: the limits are applied once, around the Fetcher that New
// returns.
//
// next should not repeat requests by itself after a 429 or 503: a Throttle repeats them
// with regard to the other requests.
func New(next fetch.Fetcher, opts *Options) *Throttle {
	o := *cmp.Or(opts, new(Options))
	o.PerHost = cmp.Or(o.PerHost, 2)
	if o.State == nil {
		o.State = new(State)
	}
	o.State.begin(o)
	return &Throttle{layer{Next: next}, o.State}
}

// Hosts returns the hosts that are contacted now, are waited for, or are left alone; see
// [State.Hosts].
func (t *Throttle) Hosts() []Host { return t.state.Hosts() }
