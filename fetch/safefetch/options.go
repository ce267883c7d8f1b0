package safefetch

import (
	"crypto/tls"
	"net/netip"
	"net/url"

	"github.com/go-extbody/extbody/fetch/netguard"
)

// Options widen or narrow what [New] allows. The zero value is strict.
type Options struct {
	// Allow lists addresses that are allowed although they are not public.
	// Names that resolve to them need LocalNames as well if they are for local
	// use.
	Allow []netip.Prefix

	// Deny lists addresses that are refused although they are public or
	// allowed.
	Deny []netip.Prefix

	// Ports lists ports that are allowed besides those of the schemes.
	Ports []uint16

	// LocalNames allows names for local use, such as those of one label or
	// below "internal". Their addresses are judged all the same.
	LocalNames bool

	// Resolver looks names up. nil means the resolver of the Go standard
	// library.
	Resolver netguard.Resolver

	// TLSConfig is the base of the configuration for TLS, for root
	// certificates for one. Certificates are verified in any case.
	TLSConfig *tls.Config

	// UserAgent is what HTTP requests say of the program. "" means "extbody".
	UserAgent string

	// Anonymous is the password of anonymous logins at FTP servers, by custom
	// an address of mail. "" means one that identifies nobody.
	Anonymous string

	// AllowPlaintext lets a password go to an FTP server that has no TLS.
	// Where the server has it, it is used.
	AllowPlaintext bool

	// Proxy is the URL of a proxy for http and https, see
	// [httpfetch.Options]. With a proxy, ftp and ftps are Blocked: they would
	// show the address that it hides.
	Proxy *url.URL

	// TrustProxy says that the proxy judges addresses itself.
	TrustProxy bool

	// ShareHosts are hosts of files of the caller's own, by host what each runs,
	// see [sharefetch.Options]. New panics if one is none.
	ShareHosts map[string]string
}
