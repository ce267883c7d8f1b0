package flagvalue

import (
	"errors"
	"net/url"
	"slices"
)

// A Proxy is the flag for the URL of a proxy.
type Proxy struct{ *url.URL }

var errProxy = errors.New("want a URL such as http://proxy.example:3128 or socks5://127.0.0.1:1080")

// Set reads a URL. Its error does not contain the text, which may hold a password.
func (p *Proxy) Set(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "socks5"}, u.Scheme) {
		return errProxy
	}
	p.URL = u
	return nil
}

func (p *Proxy) String() string {
	if p.URL == nil {
		return ""
	}
	return p.Redacted()
}

// Type implements pflag.Value.
func (p *Proxy) Type() string { return "URL" }
