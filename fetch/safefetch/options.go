package safefetch

import (
	"crypto/tls"
	"net/url"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// Options widen or narrow the policy of [New]. The zero value is strict.
type Options struct {
	// Guard judges every URL and every socket of every scheme. A program that
	// registers more fetchers with the Mux gives them the same one. nil is the
	// strict Guard.
	Guard *netguard.Guard

	// Throttle has the limits on requests to hosts, see [throttle.Options]; one State is
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

	// Header, if it is not nil, has the fields of HTTP requests, see [httpfetch.Options].
	Header map[string][]string

	// Anonymous is the password of anonymous logins at FTP servers, by custom
	// an address of mail. "" means one that identifies no person.
	Anonymous string

	// AllowPlaintext allows credentials to be sent to an FTP server that has no TLS, and
	// to an http URL. Where an FTP
	// server has TLS, it is used.
	AllowPlaintext bool

	// RequireTLS fetches ftp URLs over TLS from the beginning, or not at all.
	// Without it an anonymous login asks for TLS where the server refuses the
	// login for want of it. It does not apply to http.
	RequireTLS bool

	// Proxy is the URL of a proxy for http and https, see
	// [httpfetch.Options]. With a proxy, ftp and ftps are Blocked: they would
	// show the address that it hides.
	Proxy *url.URL

	// TrustProxy declares that the proxy judges addresses itself.
	TrustProxy bool

	// ShareHosts are file hosts of the caller's own, each with its kind, see
	// [sharefetch.Options]. New panics if one is not a host, or of an unknown
	// kind.
	ShareHosts map[string]string

	// GuessedHosts is [sharefetch.Options].GuessedHosts.
	GuessedHosts bool

	// Remote returns the Fetcher that is used, below the Cache, instead of f, which
	// contacts hosts by the limits of Throttle. It is for a program that has its requests
	// made by other machines. nil means f itself.
	Remote func(f fetch.Fetcher) fetch.Fetcher

	// Contacts returns the Fetcher that is used, below the Throttle, instead of f, which
	// contacts hosts. It is for a program that shares hosts with other machines. nil
	// means f itself.
	Contacts func(f fetch.Fetcher) fetch.Fetcher

	// Bare fetches the URL of a share link as it is. It is for a program that makes the
	// requests of others, who have found the file already.
	Bare bool
}
