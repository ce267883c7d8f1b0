// Package throttle makes many fetches polite and keeps one bad host from holding
// up the rest. It is a Fetcher around Fetchers.
//
// A [Throttle] decides when each contact may be made, for all requests that go
// through it:
//
//   - A host has a bounded number of requests at a time, and a bounded number a
//     second. A host that is new, or was busy, starts with fewer and gets one
//     more with each answer.
//   - An address, of IPv6 its 64 bits unless it stands for an IPv4 one, has at most 32
//     fetches at a time, twice as many as a host may have if that is more, and again as many
//     for domains that have none there. So many names for one server are no way to more of
//     its requests, and those who share the address of a large host are not held up.
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
	"math/rand/v2"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/link/host"
)

type layer = driver.Layer

// A Throttle is a [fetch.Fetcher] and a [driver.Layer]. Its methods may be called from
// several goroutines concurrently. Check does not depend on the state of hosts.
type Throttle struct {
	layer
	state *State
}

// New returns a Throttle around next. nil stands for the zero Options.
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

// Options are for [New]. The zero value is fit for a program that fetches the objects of
// many messages.
type Options struct {
	// PerHost bounds the requests to one host at a time. 0 means 2, and a negative number
	// no limit, also for one address.
	PerHost int

	// MaxPerHost is the value up to which PerHost grows for a host that answers, by one
	// for each hundred answers without a 429 or 503. 0 means that it does not grow.
	MaxPerHost int

	// Rate bounds the requests to one host in a second, evenly spread; 0.5 is
	// one in two seconds. 0 means no limit.
	Rate float64

	// Fetches bounds the fetches at a time in all. 0 means no limit.
	Fetches int

	// MaxWait bounds how long a request waits for its turn. 0 means 10 seconds
	// where the host has said when, or is down, and as long as its context
	// lets it where other requests are before it. A negative value means that
	// no request waits.
	MaxWait time.Duration

	// Key returns the key by which hosts share limits: those with the same key
	// share PerHost, Rate and the pauses after 429 and 503. Retry-After, and
	// whether it is down, hold for a scheme, host and port alone. URLs without TLS
	// share nothing with those with TLS, since anybody on the way can answer. nil
	// means that each host and port is for itself.
	Key func(u *url.URL) string

	// State is shared by several Throttles, which then act as one. The first of
	// them gives it its limits, and the Options of the others should be the
	// same. A caller of something that makes a Throttle of Options can ask
	// State about hosts. nil means a State of its own.
	State *State
}

// Bounds.
const (
	maxRepeats   = 2                // of a request, after a Retry-After within MaxWait
	perAddress   = 32               // fetches at a time at one address
	firstWindow  = 2                // requests at a time to a host of which nothing is known
	knownWait    = 10 * time.Second // the default of MaxWait where the time of the wait is known
	firstPause   = time.Second      // after the first 429 or 503; doubles each time
	maxPause     = 5 * time.Minute  // where the host does not ask for more
	maxHostAfter = 10 * time.Minute // Retry-After that holds for the whole host
	maxAfter     = 24 * time.Hour   // that is believed, whatever the host asks for
	agreeing     = 3                // links with a longer Retry-After, for one that holds for the host
	maxLinks     = 4096             // links with such a Retry-After that are remembered
	growth       = 100              // answers for one more request at a time
	downAfter    = 3                // requests in a row that time out before a host is down
	downTime     = time.Minute      // that a host is down at first; doubles each time
	awayTime     = knownWait        // that a host is put off at first while no host answers; doubles to downTime
	maxDown      = 16               // times downTime
	maxResting   = 4096             // hosts of each sort that are remembered without being in use
	memory       = time.Hour        // without use, after which the knowledge of a host is old
	guess        = 10 * time.Second // to the next try, where nothing is known
)

// HostPort returns the host of u in lower case and its port, by default the port of the
// scheme.
func HostPort(u *url.URL) string {
	port := u.Port()
	if n := host.Port(strings.ToLower(u.Scheme)); port == "" && n != 0 {
		port = strconv.Itoa(int(n))
	}
	return net.JoinHostPort(strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), port)
}

// A hold is a link that wants no requests until a time.
type hold struct {
	link  string // its digest
	first string // the digest of the URL that led to it
	owner string // of its host
	until time.Time
}

// backoff returns how long a host is left alone after n answers in a row that it
// is busy: a time between d and d/2 (so that not all who were turned away return
// together), where d doubles with n.
func backoff(n int) time.Duration {
	d := maxPause
	if n < 16 {
		d = min(d, firstPause<<(n-1))
	}
	return d/2 + rand.N(d/2)
}
