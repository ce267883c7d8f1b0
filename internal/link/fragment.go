package link

import "net/url"

// WithoutFragment returns a URL as it is sent, without its fragment.
func WithoutFragment(u *url.URL) *url.URL {
	c := *u
	c.Fragment = ""
	c.RawFragment = ""
	return &c
}
