package httpfetch

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// TestMaxCookies: a fetch takes so many cookies, and none that is larger than it may be.
func TestMaxCookies(t *testing.T) {
	u := &url.URL{Scheme: "https", Host: "h.example"}
	for _, c := range []struct{ count, octets, want int }{
		{maxCookies, 2, maxCookies},
		{maxCookies + 1, 2, maxCookies},
		{1, maxCookieBytes, 1},
		{1, maxCookieBytes + 1, 0},
	} {
		k := newCookies(&fetch.Request{Cookies: true}, u)
		resp := &http.Response{Header: make(http.Header)}
		for i := range c.count {
			name := fmt.Sprint("c", i)
			resp.Header.Add("Set-Cookie", name+"="+strings.Repeat("x", max(1, c.octets-len(name))))
		}
		k.take(u, resp)
		if got := len(k.jar.Cookies(u)); got != c.want {
			t.Errorf("%d of %d octets: got %d cookies, want %d", c.count, c.octets, got, c.want)
		}
	}
}
