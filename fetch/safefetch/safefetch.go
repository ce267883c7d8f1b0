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
//   - Every redirect is judged as the first URL was, and [fetch.Request].CheckHop is asked
//     about it.
//   - Share links of file hosts give the file, where it is known how to ask for
//     it, and never a page instead. See package sharefetch.
//   - Hosts are asked politely, and one that is down or busy holds up no other.
//     Requests that they want later are [fetch.Deferred]. See package throttle.
//   - With a store, answers are stored, and of several requests for one thing one is
//     sent. See package cache.
//   - A connection carries one request, so that no answer can belong to another URL.
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
//	Accounts    the links of the user's own accounts, if the program has any
//	sharefetch  the link of a file host becomes the URL of the file
//	cache       a known answer is not asked for
//	throttle    when a host may be asked
//	httpfetch   the guard, redirects, the protocol
//
// The cache is below sharefetch, because sharefetch judges anew for each
// request, by its announced type, name and size, whether a page arrived instead of the file.
// So stored octets are judged as fresh ones are.
//
// The throttle is below the cache, because an answer from the store waits for
// no host. It is right above the fetcher that dials, because the host that is
// dialed may be another one than the link's. Redirects are followed below
// the throttle, and it is asked about each of them (driver.Contact).
//
// Fetching discloses to the author of a URL that and when it was fetched, and from which
// address. The program decides on that before it calls Fetch.
package safefetch

import (
	"cmp"
	"crypto/tls"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/datafetch"
	"github.com/go-extbody/extbody/fetch/ftpfetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/sharefetch"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/link/sharelink"
)

// New returns a Mux for the schemes http, https, ftp, ftps and data. opts may be
// nil, which means the zero Options, the strict policy. More fetchers can be
// registered with the Mux.
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
		Wrap:       o.Wrap,

		AllowPlaintext:  o.AllowPlaintext,
		KeepConnections: o.KeepConnections,
	})
	polite, around := o.layers()
	links := around(web)
	if !o.Bare {
		links = sharefetch.New(links)
	}
	if o.Accounts != nil {
		links = o.Accounts(links, polite(web))
	}
	m := new(fetch.Mux)
	m.Handle("http", links)
	m.Handle("https", links)
	m.Handle("data", datafetch.New(nil))
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

// layers returns functions that put layers around a fetcher: polite the limits on hosts alone, and around
// the layers for all schemes.
func (o *Options) layers() (polite, around func(fetch.Fetcher) fetch.Fetcher) {
	var t throttle.Options
	if o.Throttle != nil {
		t = *o.Throttle
	}
	if t.PerHost == 0 {
		t.PerHost = perHost
		t.MaxPerHost = maxPerHost
	}
	if t.Key == nil {
		t.Key = Key
	}
	if t.State == nil {
		t.State = new(throttle.State)
	}
	polite = func(f fetch.Fetcher) fetch.Fetcher {
		if o.Contacts != nil {
			f = o.Contacts(f)
		}
		return throttle.New(f, &t)
	}
	around = func(f fetch.Fetcher) fetch.Fetcher {
		f = polite(f)
		if o.Remote != nil {
			f = o.Remote(f)
		}
		if o.Cache != nil {
			f = cache.New(f, o.Cache, o.CacheOptions)
		}
		return f
	}
	return polite, around
}

// perHost is how many requests a host has at a time: as many as browsers send. A few hosts
// have most of the files, so that it grows for those that answer.
const (
	perHost    = 6
	maxPerHost = 24
)

// Options widen or narrow the policy of [New]. The zero value is strict.
type Options struct {
	// Guard judges every URL and every socket of every scheme. A program that
	// registers more fetchers with the Mux gives them the same one. nil is the
	// strict Guard.
	Guard *netguard.Guard

	// Throttle has the limits on requests to hosts, see throttle.Options; one State is
	// for all schemes. PerHost is 6 here if it is 0, and then grows up to 24; a program
	// whose user does not wait sets 2. If Key is nil, the hosts of a provider of share
	// links share their limits, by customer where the provider counts by customer. nil
	// stands for the zero Options.
	Throttle *throttle.Options

	// Cache stores the answers of http, https, ftp and ftps. nil means that
	// nothing is stored. A stored answer is used only if Guard allows its URLs
	// and the address that it came from.
	Cache cache.Store

	// CacheOptions are the options of the cache, if it is used. nil stands for the
	// zero Options.
	CacheOptions *cache.Options

	// TLSConfig is the base of the configuration for TLS, for example with root
	// certificates. Certificates are always verified.
	TLSConfig *tls.Config

	// UserAgent names the program in HTTP requests. "" means "extbody".
	UserAgent string

	// Header, if it is not nil, has the fields of HTTP requests, see httpfetch.Options.
	Header map[string][]string

	// Anonymous is the password of anonymous logins at FTP servers, by custom
	// an address of mail. "" means one that identifies no person.
	Anonymous string

	// AllowPlaintext allows credentials to be sent to an FTP server that has no TLS, and
	// to an http URL. If an FTP server has TLS, TLS is used all the same.
	AllowPlaintext bool

	// RequireTLS fetches ftp URLs over TLS from the start, or not at all.
	// Without it an anonymous login asks for TLS where the server refuses the
	// login for want of it. It does not apply to http.
	RequireTLS bool

	// Proxy is the URL of a proxy for http and https, see
	// httpfetch.Options. With a proxy, ftp and ftps are Blocked: they would
	// show the address that it hides.
	Proxy *url.URL

	// TrustProxy declares that the proxy judges addresses itself.
	TrustProxy bool

	// KeepConnections lets a connection of http and https carry several requests, see
	// httpfetch.Options. It is for a program whose user waits for many small files, and not for
	// one that stores bodies under their URL, or judges them.
	KeepConnections bool

	// Wrap returns the RoundTripper that sends the requests of http and https around base, which
	// dials by the Guard; see httpfetch.Options. It is for tracing, for signing, and for a stack of
	// the program's own. nil means base itself.
	Wrap func(base http.RoundTripper) http.RoundTripper

	// Remote returns the Fetcher that is used, below the Cache, instead of f, which
	// contacts hosts by the limits of Throttle. It is for a program that has its requests
	// made by other machines. nil means f itself.
	Remote func(f fetch.Fetcher) fetch.Fetcher

	// Contacts returns the Fetcher that is used, below the Throttle, instead of f, which
	// contacts hosts. It is for a program that shares hosts with other machines. nil
	// means f itself.
	Contacts func(f fetch.Fetcher) fetch.Fetcher

	// Accounts returns the Fetcher that is used, above sharefetch, instead of next: mostly the one that
	// accountfetch.New makes. api contacts hosts by the limits of Throttle, and stores nothing. nil
	// means next itself, so that no account is used.
	Accounts func(next, api fetch.Fetcher) fetch.Fetcher

	// Bare fetches the URL of a share link as it is. It is for a program that makes the
	// requests of others, who have found the file already.
	Bare bool
}

// Key is the default Key of the throttle, see [throttle.Options]. For a share link it is the
// unit by which its provider counts requests: the customer, at providers where each customer
// has a host name of its own, and otherwise the registrable domain. For any other URL it is
// the host with its port.
func Key(u *url.URL) string {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil || !sharelink.HasDomain(domain) {
		return throttle.HostPort(u)
	}
	if name := customer(u, host, domain); name != "" {
		return name + "." + domain
	}
	return domain
}

// customer returns the name of the customer whose files u is about, "" if the provider
// does not count by customer or u does not name one.
func customer(u *url.URL, host, domain string) string {
	names := strings.Split(strings.TrimSuffix(strings.TrimSuffix(host, domain), "."), ".")
	switch provider, _, _ := strings.Cut(domain, "."); provider {
	case "sharepoint": // with TENANT-my, where the files of persons are
		return strings.TrimSuffix(names[len(names)-1], "-my")
	case "egnyte":
		return names[len(names)-1]
	case "box": // app.box.com, ACME.app.box.com, ACME.box.com
		if name := names[0]; name != "app" && name != "www" {
			return name
		}
	case "slack": // ACME.slack.com, files.slack.com/files-pri/TEAM-FILE/name
		if names[0] != "files" {
			return names[0]
		}
		if rest, ok := strings.CutPrefix(u.Path, "/files-pri/"); ok {
			team, _, _ := strings.Cut(rest, "-")
			return strings.ToLower(team)
		}
	}
	return ""
}
