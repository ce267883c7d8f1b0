package httpfetch

import (
	"cmp"
	"crypto/tls"
	"net/http"
	"net/url"

	"github.com/go-extbody/extbody/fetch/netguard"
)

// Options configure a [Fetcher]. The zero value is the strict policy.
type Options struct {
	// Guard judges every URL and every socket. Ports 80 and 443 are allowed
	// besides its own. nil is the strict Guard.
	Guard *netguard.Guard

	// TLSConfig is the base of the configuration of TLS connections, for
	// example with root certificates and client certificates. New clones it.
	// ServerName, NextProtos and InsecureSkipVerify are not taken from it: the
	// certificate is verified for the host of the URL (RFC 9110 section 4.3.4).
	TLSConfig *tls.Config

	// UserAgent is sent with every request. "" means "extbody".
	UserAgent string

	// Header, if it is not nil, is sent instead of the fields that the package comment lists:
	// the ones of a browser, for example. Fields whose names begin with Sec- are sent to https
	// alone, as browsers do (Fetch Metadata Request Headers, section 4). Only the content
	// codings gzip and deflate can be undone.
	Header http.Header

	// Proxy is the URL of a proxy, with the scheme http, https or socks5, and
	// with userinfo if the proxy asks for it. nil means none; the environment
	// is not asked. Each connection is a tunnel through it (RFC 9110 section
	// 9.3.6), for http URLs as well, so a proxy must allow CONNECT to port 80.
	//
	// The Guard judges the proxy's address, and allows its port. The host of
	// the URL is resolved and judged here, and the proxy is asked to connect to
	// the address, so that it cannot resolve the name to another one.
	// RemoteAddr in a Response is the address of the proxy.
	Proxy *url.URL

	// TrustProxy declares that the proxy judges addresses itself. It may then have
	// any address, and is asked to connect to names. URLs are still judged as
	// far as that is possible without resolving their host.
	TrustProxy bool

	// AllowPlaintext allows credentials to be sent to an http URL, where anybody on the
	// way can read them.
	AllowPlaintext bool
}

func (o *Options) withDefaults() *Options {
	c := *cmp.Or(o, new(Options))
	if c.TLSConfig == nil {
		c.TLSConfig = &tls.Config{}
	}
	c.TLSConfig = c.TLSConfig.Clone()
	c.TLSConfig.NextProtos = []string{"http/1.1"} // and no other version
	c.TLSConfig.InsecureSkipVerify = false
	c.UserAgent = cmp.Or(c.UserAgent, "extbody")
	return &c
}
