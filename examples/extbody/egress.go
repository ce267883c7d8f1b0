package main

import (
	"errors"
	"net/url"
	"slices"

	"github.com/spf13/pflag"
)

// An egress is how requests leave: the flags for a proxy.
type egress struct {
	proxy      proxyURL
	trustProxy bool
}

func (e *egress) flags(f *pflag.FlagSet) {
	f.Var(&e.proxy, "proxy", "send requests for http and https through the proxy at `URL`, and none for other schemes; http, https or socks5")
	f.BoolVar(&e.trustProxy, "trust-proxy", false, "let the proxy judge addresses: names are not resolved here")
}

func (e *egress) check() error {
	if e.trustProxy && e.proxy.URL == nil {
		return errors.New("--trust-proxy: there is no --proxy")
	}
	return nil
}

// A proxyURL is the flag for the URL of a proxy.
type proxyURL struct{ *url.URL }

var errProxy = errors.New("want a URL such as http://proxy.example:3128 or socks5://127.0.0.1:1080")

// Set reads a URL. Its error has nothing of the text, which may hold a password.
func (p *proxyURL) Set(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "socks5"}, u.Scheme) {
		return errProxy
	}
	p.URL = u
	return nil
}

func (p *proxyURL) String() string {
	if p.URL == nil {
		return ""
	}
	return p.Redacted()
}

func (p *proxyURL) Type() string { return "URL" }
