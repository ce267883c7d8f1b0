// Package safefetch assembles the fetchers that are fit for URLs from
// strangers. It is the one call that most programs need.
//
// [New] returns a [fetch.Mux] that gets http, https, ftp, ftps and data URLs.
// All other schemes are Blocked. What a program gets with it:
//
//   - One guard judges every socket of every scheme, when it is dialed: public
//     addresses and the ports of the schemes, nothing else. Names that resolve
//     to this machine, its network or the metadata service of its cloud are
//     Blocked, in whatever way they are spelled. See package netguard.
//   - Every redirect is judged as the first URL was, and asked about with
//     [fetch.Request].CheckHop.
//   - Share links of file hosts give the file, where it is known how to ask for
//     it, and never a page in its place. See package sharefetch.
//   - No credentials, cookies or proxies are taken from the environment.
//   - Octets, time, redirects, header sections and decompression are bounded. A
//     body reports io.EOF only when it is whole. See [fetch.Do].
//
// Fetching tells the author of a URL that and when it was fetched, and from
// which address. That is for the program to decide on before it calls Fetch.
package safefetch

import (
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/datafetch"
	"github.com/go-extbody/extbody/fetch/ftpfetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/sharefetch"
)

// New returns a Mux for the schemes http, https, ftp, ftps and data. nil stands
// for the zero Options, the strict policy. More fetchers can be registered with
// the Mux.
func New(opts *Options) *fetch.Mux {
	var o Options
	if opts != nil {
		o = *opts
	}
	guard := &netguard.Guard{
		Allow:      o.Allow,
		Deny:       o.Deny,
		Ports:      o.Ports,
		LocalNames: o.LocalNames,
		Resolver:   o.Resolver,
	}
	config := o.TLSConfig.Clone()
	if config != nil {
		config.InsecureSkipVerify = false
	}
	web := httpfetch.New(&httpfetch.Options{
		Guard:      guard,
		TLSConfig:  config,
		UserAgent:  o.UserAgent,
		Proxy:      o.Proxy,
		TrustProxy: o.TrustProxy,
	})
	links := sharefetch.New(web, &sharefetch.Options{Hosts: o.ShareHosts})
	m := new(fetch.Mux)
	m.Handle("http", links)
	m.Handle("https", links)
	m.Handle("data", &datafetch.Fetcher{})
	if o.Proxy == nil {
		policy := ftpfetch.TLSForCredentials
		if o.AllowPlaintext {
			policy = ftpfetch.TLSOpportunistic
		}
		ftp := ftpfetch.New(&ftpfetch.Options{
			Guard:     guard,
			TLS:       policy,
			TLSConfig: config,
			Anonymous: o.Anonymous,
		})
		m.Handle("ftp", ftp)
		m.Handle("ftps", ftp)
	}
	return m
}
