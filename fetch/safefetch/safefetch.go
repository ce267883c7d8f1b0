// Package safefetch assembles the fetchers that are fit for URLs from
// strangers. It is the one call that most programs need.
//
// [New] returns a [fetch.Mux] that gets http, https, ftp, ftps and data URLs.
// All other schemes are Blocked. Its properties:
//
//   - One guard judges every socket of every scheme, when it is dialed: public
//     addresses and the ports of the schemes, nothing else. Names that resolve
//     to this machine, its network or the metadata service of its cloud are
//     Blocked, however they are spelled. See package netguard.
//   - Every redirect is judged as the first URL was, and asked about with
//     [fetch.Request].CheckHop.
//   - Share links of file hosts give the file, where it is known how to ask for
//     it, and never a page instead. See package sharefetch.
//   - Hosts are asked politely, and one that is down or busy holds up no other.
//     Requests that they want later are [fetch.Deferred]. See package throttle.
//   - With a store, answers are stored, and of several requests for one thing one is
//     sent. See package cache.
//   - No credentials, cookies or proxies are taken from the environment.
//   - Octets, time, redirects, header sections and decompression are bounded. A
//     body reports io.EOF only when it is whole. See [fetch.Do].
//
// # Layers
//
// A request for http or https goes through these. One for ftp or ftps goes
// through the same, without sharefetch and with ftpfetch at the end:
//
//	Mux         which schemes there are
//	Do          limits, digests, verdict, budget of octets
//	sharefetch  the link of a file host becomes the URL of the file
//	cache       a known answer is not asked for
//	throttle    when a host may be asked
//	httpfetch   the guard, redirects, the protocol
//
// The cache is below sharefetch, because sharefetch judges anew for each
// request, by its announced type, name and size, whether a page came instead of the file.
// So stored octets are judged as fresh ones are.
//
// The throttle is below the cache, because an answer from the store waits for
// no host. It is right above the fetcher that dials, because the host that is
// dialed may be another one than the link's. Redirects are followed below
// the throttle, and it is asked about each of them ([fetch.Request].Contact).
//
// Fetching discloses to the author of a URL that and when it was fetched, and from which
// address. The program decides on that before it calls Fetch.
package safefetch

import (
	"cmp"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/datafetch"
	"github.com/go-extbody/extbody/fetch/ftpfetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/sharefetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// New returns a Mux for the schemes http, https, ftp, ftps and data. nil stands
// for the zero Options, the strict policy. More fetchers can be registered with
// the Mux.
func New(opts *Options) *fetch.Mux {
	o := *cmp.Or(opts, new(Options))
	config := o.TLSConfig.Clone()
	if config != nil {
		config.InsecureSkipVerify = false
	}
	web := httpfetch.New(&httpfetch.Options{
		Guard:      o.Guard,
		TLSConfig:  config,
		UserAgent:  o.UserAgent,
		Header:     o.Header,
		Proxy:      o.Proxy,
		TrustProxy: o.TrustProxy,

		AllowPlaintext: o.AllowPlaintext,
	})
	around := o.layers()
	links := around(web)
	if !o.Bare {
		links = sharefetch.New(links, &sharefetch.Options{Hosts: o.ShareHosts, GuessedHosts: o.GuessedHosts})
	}
	m := new(fetch.Mux)
	m.Handle("http", links)
	m.Handle("https", links)
	m.Handle("data", &datafetch.Fetcher{})
	if o.Proxy == nil {
		policy := ftpfetch.TLSForCredentials
		switch {
		case o.RequireTLS:
			policy = ftpfetch.TLSRequired
		case o.AllowPlaintext:
			policy = ftpfetch.TLSOpportunistic
		}
		ftp := around(ftpfetch.New(&ftpfetch.Options{
			Guard:     o.Guard,
			TLS:       policy,
			TLSConfig: config,
			Anonymous: o.Anonymous,
		}))
		m.Handle("ftp", ftp)
		m.Handle("ftps", ftp)
	}
	return m
}

// layers returns a function that puts the layers for all schemes around a fetcher.
func (o *Options) layers() func(fetch.Fetcher) fetch.Fetcher {
	var t throttle.Options
	if o.Throttle != nil {
		t = *o.Throttle
	}
	if t.PerHost == 0 {
		t.PerHost, t.MaxPerHost = perHost, maxPerHost
	}
	if t.Key == nil {
		t.Key = Key
	}
	if t.State == nil {
		t.State = new(throttle.State)
	}
	return func(f fetch.Fetcher) fetch.Fetcher {
		if o.Contacts != nil {
			f = o.Contacts(f)
		}
		f = throttle.New(f, &t)
		if o.Remote != nil {
			f = o.Remote(f)
		}
		if o.Cache != nil {
			f = cache.New(f, o.Cache, o.CacheOptions)
		}
		return f
	}
}

// perHost is how many requests a host has at a time: as many as browsers send. A few hosts
// have most of the files, so that it grows for those that answer.
const (
	perHost    = 6
	maxPerHost = 24
)
