package imapfetch

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// request returns a request for a URL, in which HOST is the server at addr.
func request(t testing.TB, addr, text string) *fetch.Request {
	t.Helper()
	text = strings.Replace(text, "HOST", addr, 1)
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return &fetch.Request{URL: u, Text: text}
}

// loopback lets tests connect to servers of theirs.
func loopback() *netguard.Guard {
	return &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}
}
