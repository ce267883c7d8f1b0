package safefetch_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// A fixed is a resolver that has the same answer for all names.
type fixed []netip.Addr

func (a fixed) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) { return a, nil }

// TestShareLink asks for share links through a proxy, which sees what is asked
// for: the direct form, judged by the guard, after CheckHop where it is on
// another host.
func TestShareLink(t *testing.T) {
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.RequestURI != "93.184.216.34:80" {
			asked = append(asked, r.RequestURI)
			w.WriteHeader(http.StatusForbidden)
			return
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
		r, err = http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			t.Error(err)
			return
		}
		asked = append(asked, r.Host+r.RequestURI)
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 4\r\nConnection: close\r\n\r\ndata")
	}))
	defer proxy.Close()
	address, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	public := fixed{netip.MustParseAddr("93.184.216.34")}
	private := fixed{netip.MustParseAddr("10.0.0.1")}
	for _, c := range []struct {
		name   string
		url    string
		names  fixed
		refuse bool // by CheckHop
		asked  []string
		hops   []string
		kind   fetch.Kind
	}{
		{"SameHost", "http://www.dropbox.com/s/abc1231a2B3c4D5/a.bin?dl=0", public, true, []string{"www.dropbox.com/s/abc1231a2B3c4D5/a.bin?dl=1"}, nil, 0},
		{"Guarded", "http://www.dropbox.com/s/abc1231a2B3c4D5/a.bin?dl=0", private, false, nil, nil, fetch.Blocked},
		{"OtherHost", "http://1drv.ms/u/c/a77974c33a34d9bb/ERyj4V21a2B3", public, false, []string{"93.184.216.34:443"}, []string{"1drv.ms > my.microsoftpersonalcontent.com"}, fetch.Forbidden},
		{"OtherHostRefused", "http://1drv.ms/u/c/a77974c33a34d9bb/ERyj4V21a2B3", public, true, nil, []string{"1drv.ms > my.microsoftpersonalcontent.com"}, fetch.Denied},
		{"Account", "http://onedrive.live.com/download?resid=6CB!22", public, false, nil, nil, fetch.Credentials},
		{"Own", "http://cloud.example/s/aB1", public, false, []string{"cloud.example/s/aB1/download"}, nil, 0},
		{"EndToEnd", "https://mega.nz/file/abcdefgh1a", public, false, nil, nil, fetch.Unsupported},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked = nil
			mux := safefetch.New(&safefetch.Options{
				Guard:      &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Resolver: c.names},
				Proxy:      address,
				ShareHosts: map[string]string{"cloud.example": "nextcloud"},
			})
			u, err := url.Parse(c.url)
			if err != nil {
				t.Fatal(err)
			}
			var hops []string
			resp, err := mux.Fetch(t.Context(), &fetch.Request{URL: u, CheckHop: func(_ context.Context, from, to *url.URL) error {
				hops = append(hops, from.Host+" > "+to.Host)
				if c.refuse {
					return fetch.Denied
				}
				return nil
			}})
			if err == nil {
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			if !slices.Equal(asked, c.asked) || !slices.Equal(hops, c.hops) {
				t.Errorf("asked %q, hops %q, want %q, %q", asked, hops, c.asked, c.hops)
			}
			if err == nil && c.kind != 0 || err != nil && fetch.KindOf(err) != c.kind {
				t.Error(err)
			}
		})
	}
}
