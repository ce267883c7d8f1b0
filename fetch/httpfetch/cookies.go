package httpfetch

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/go-extbody/extbody/fetch"
)

// Limits on the cookies of one fetch.
const (
	maxCookies     = 50
	maxCookieBytes = 4 << 10
)

// Cookies are those that one site sets within one fetch. A nil cookies takes and
// sends none.
type cookies struct {
	jar  *cookiejar.Jar
	site string
	left int
}

// newCookies returns the cookies of a fetch that begins at u: none yet, or those
// that it had when it was interrupted.
func newCookies(req *fetch.Request, u *url.URL) *cookies {
	if c := req.Conditions; c != nil {
		if kept, ok := c.Session.(*cookies); ok && kept != nil {
			return kept
		}
	}
	if !req.Cookies {
		return nil
	}
	jar, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // which has no errors
	return &cookies{jar: jar, site: site(u), left: maxCookies}
}

// site returns the registrable domain of the host of u, or the host if it has
// none, as an address.
func site(u *url.URL) string {
	host := u.Hostname()
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

func (c *cookies) allows(u *url.URL) bool {
	return c != nil && u.Scheme == "https" && site(u) == c.site
}

// at returns the value of the field Cookie for u, or "".
func (c *cookies) at(u *url.URL) string {
	if !c.allows(u) {
		return ""
	}
	var list []string
	for _, cookie := range c.jar.Cookies(u) {
		list = append(list, cookie.String())
	}
	return strings.Join(list, "; ")
}

// take takes the cookies of an answer, and reports whether u gets others now.
func (c *cookies) take(u *url.URL, resp *http.Response) bool {
	if !c.allows(u) || resp.Header["Set-Cookie"] == nil {
		return false
	}
	before := c.at(u)
	var list []*http.Cookie
	for _, cookie := range resp.Cookies() {
		if c.left > 0 && len(cookie.Name)+len(cookie.Value) <= maxCookieBytes {
			list = append(list, cookie)
			c.left--
		}
	}
	c.jar.SetCookies(u, list)
	return c.at(u) != before
}
