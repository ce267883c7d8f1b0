package safefetch_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noError ends the test if err is not nil.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The world of a test has one public server. It listens on publicAddr, the one
// loopback address that the guard allows; all others stay refused. The addresses
// of the vectors' public servers stand for it.
var (
	publicAddr = netip.MustParseAddr("127.66.0.1")
	standIns   = netip.MustParsePrefix("93.184.216.32/29")
	standIns6  = netip.MustParsePrefix("2606:2800:220:1::/64")
)

type world struct {
	t     *testing.T
	mux   *fetch.Mux
	port  string
	names *script
}

// A script is a resolver.
type script struct {
	vector  vector
	asked   int
	missing string // a name that is not scripted
}

func (s *script) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	name := strings.TrimSuffix(host, ".")
	switch name {
	case "public.test", "public6.test", "other.test":
		return []netip.Addr{publicAddr}, nil
	case "private.test", "intranet":
		return []netip.Addr{netip.MustParseAddr("10.0.0.5")}, nil
	case "kubernetes.default.svc":
		return []netip.Addr{netip.MustParseAddr("10.96.0.1")}, nil
	case "localhost", "foo.localhost", "cname.test", "cname2.test", "xn--n3h.test", "loop.test":
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	if len(s.vector.answers) == 0 {
		s.missing = name
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	answer := slices.Clone(s.vector.answers[min(s.asked, len(s.vector.answers)-1)])
	s.asked++
	for i, addr := range answer {
		if standIns.Contains(addr) || standIns6.Contains(addr) {
			answer[i] = publicAddr
		}
	}
	return answer, nil
}

func newWorld(t *testing.T, v vector) *world {
	t.Helper()
	l, err := net.Listen("tcp", publicAddr.String()+":0")
	if err != nil {
		t.Skip("no second loopback address: ", err)
	}
	w := &world{t: t, names: &script{vector: v}}
	_, w.port, _ = net.SplitHostPort(l.Addr().String())
	port, err := strconv.ParseUint(w.port, 10, 16)
	noError(t, err)
	s := httptest.NewUnstartedServer(http.HandlerFunc(w.serve))
	s.Listener.Close()
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	w.mux = safefetch.New(&safefetch.Options{
		Guard: &netguard.Guard{
			Allow:    []netip.Prefix{netip.PrefixFrom(publicAddr, 32)},
			Ports:    []uint16{uint16(port)},
			Resolver: w.names,
		},
	})
	return w
}

// serve is the public server. It closes each connection, so that each fetch
// resolves the name again.
func (w *world) serve(rw http.ResponseWriter, r *http.Request) {
	h := rw.Header()
	h.Set("Connection", "close")
	for _, name := range []string{"Cookie", "Referer", "Authorization", "X-Injected", "Proxy-Authorization"} {
		if r.Header.Get(name) != "" {
			w.t.Errorf("got %s: %s at the server, want no such field", name, r.Header.Get(name))
		}
	}
	hop, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/hop/"))
	switch {
	case r.URL.Path == "/redir":
		code, err := strconv.Atoi(r.FormValue("code"))
		if err != nil {
			code = http.StatusFound
		}
		h.Set("Set-Cookie", "a=b")
		h.Set("Location", w.reachable(r.FormValue("to")))
		rw.WriteHeader(code)
	case r.URL.Path == "/loop":
		http.Redirect(rw, r, "/loop", http.StatusFound)
	case err == nil && hop > 0:
		http.Redirect(rw, r, fmt.Sprintf("/hop/%d", hop-1), http.StatusFound)
	default:
		h.Set("Refresh", "0; url=http://127.0.0.1/")
		h.Set("Alt-Svc", `h2="127.0.0.1:80"; ma=60`)
		io.WriteString(rw, "public")
	}
}

// defaultPort matches the hosts that stand for public servers in URLs without a
// port.
var defaultPort = regexp.MustCompile(`(?i)^(http://(?:public6?|other|rebind2?)\.test\.?)(/|$)`)

// reachable adds the port of the public server.
func (w *world) reachable(rawURL string) string {
	return defaultPort.ReplaceAllString(rawURL, "${1}:"+w.port+"${2}")
}

// outside reports whether an allowed URL leads to an address or port that a
// test cannot have.
func (w *world) outside(u *url.URL) bool {
	_, err := netip.ParseAddr(u.Hostname())
	return err == nil || u.Port() != ""
}

// get fetches a URL and returns the error. The body must be from the public server,
// or from the URL itself.
func (w *world) get(u *url.URL, text string) error {
	w.t.Helper()
	if u.Scheme == "http" {
		r, err := url.Parse(w.reachable(u.String()))
		if err != nil {
			w.t.Fatal(err)
		}
		u, text = r, ""
	}
	resp, err := w.mux.Fetch(w.t.Context(), &fetch.Request{URL: u, Text: text})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err == nil && string(data) != "public" && u.Scheme != "data" {
		w.t.Errorf("%s: got %q, want %q", text, data, "public")
	}
	return err
}

func TestSchemes(t *testing.T) {
	if got, want := slices.Collect(safefetch.New(nil).Schemes()), []string{"data", "ftp", "ftps", "http", "https"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	// Nothing goes past a proxy.
	m := safefetch.New(&safefetch.Options{Proxy: &url.URL{Scheme: "http", Host: "127.0.0.1:1"}})
	if got, want := slices.Collect(m.Schemes()), []string{"data", "http", "https"}; !slices.Equal(got, want) {
		t.Errorf("got %q with a proxy, want %q", got, want)
	}
}

// UA-14: the error of an unknown scheme lists those that there are.
func TestUnknownScheme(t *testing.T) {
	_, err := safefetch.New(nil).Fetch(t.Context(), &fetch.Request{URL: &url.URL{Scheme: "gopher", Host: "a.test"}})
	if !errors.Is(err, fetch.Blocked) || !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "data, ftp, ftps, http, https") {
		t.Errorf("got %v, want blocked, unsupported, with the schemes that there are", err)
	}
}

func TestOptions(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.UserAgent()) }))
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	noError(t, err)
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	noError(t, err)
	local := *u
	local.Host = "localhost:" + u.Port()
	loop := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	roots := s.Client().Transport.(*http.Transport).TLSClientConfig
	opts := safefetch.Options{TLSConfig: roots, UserAgent: "mail/1"}
	for _, tt := range []struct {
		name   string
		url    *url.URL
		change func(o *safefetch.Options, g *netguard.Guard)
		kind   fetch.Kind
	}{
		{"All", u, func(*safefetch.Options, *netguard.Guard) {}, 0},
		{"NoAllow", u, func(o *safefetch.Options, g *netguard.Guard) { g.Allow = nil }, fetch.Blocked},
		{"NoPort", u, func(o *safefetch.Options, g *netguard.Guard) { g.Ports = nil }, fetch.Blocked},
		{"Deny", u, func(o *safefetch.Options, g *netguard.Guard) { g.Deny = loop }, fetch.Blocked},
		{"NoRoots", u, func(o *safefetch.Options, g *netguard.Guard) { o.TLSConfig = nil }, fetch.Untrusted},
		{"Verified", u, func(o *safefetch.Options, g *netguard.Guard) { o.TLSConfig = &tls.Config{InsecureSkipVerify: true} }, fetch.Untrusted},
		{"LocalName", &local, func(*safefetch.Options, *netguard.Guard) {}, fetch.Blocked},
		{"ProxyBlocked", u, func(o *safefetch.Options, g *netguard.Guard) { o.Proxy = &url.URL{Scheme: "http", Host: "10.0.0.1:80"} }, fetch.Blocked},
		{"LocalNameOfOtherHost", &local, func(o *safefetch.Options, g *netguard.Guard) {
			g.LocalNames = true
			g.Resolver = &script{vector: vector{answers: [][]netip.Addr{{netip.MustParseAddr("127.0.0.1")}}}}
		}, fetch.Untrusted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := opts
			o.Guard = &netguard.Guard{Allow: loop, Ports: []uint16{uint16(port)}}
			tt.change(&o, o.Guard)
			resp, err := safefetch.New(&o).Fetch(t.Context(), &fetch.Request{URL: tt.url})
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("error is %v, want %v", err, tt.kind)
			}
			if err != nil {
				return
			}
			defer resp.Body.Close()
			if data, err := io.ReadAll(resp.Body); string(data) != "mail/1" || err != nil {
				t.Errorf("got %q, %v, want %q, nil", data, err, "mail/1")
			}
		})
	}
}

// The Mux closes the connections that the fetchers keep.
func TestCloseIdleConnections(t *testing.T) {
	closed := make(chan bool, 1)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { io.WriteString(rw, "x") }))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closed <- true
		}
	}
	s.Start()
	defer s.Close()
	guard := &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}
	mux := safefetch.New(&safefetch.Options{Guard: guard, Cache: cache.Memory(1 << 20)})
	u, err := url.Parse(s.URL)
	noError(t, err)
	resp, err := mux.Fetch(t.Context(), &fetch.Request{URL: u})
	noError(t, err)
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	mux.CloseIdleConnections()
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Error("got the connection open, want it closed")
	}
}

// A fixed is a resolver that has the same answer for all names.
type fixed []netip.Addr

func (a fixed) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) { return a, nil }

// TestShareLink asks for share links through a proxy, which sees the request: the
// direct form, judged by the guard, after CheckHop where it is on another host.
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
	noError(t, err)
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
				Guard: &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Resolver: c.names},
				Proxy: address,
			})
			u, err := url.Parse(c.url)
			noError(t, err)
			var hops []string
			resp, err := mux.Fetch(t.Context(), &fetch.Request{
				URL:        u,
				ShareHosts: map[string]string{"cloud.example": "nextcloud"},
				CheckHop: func(_ context.Context, from, to *url.URL) error {
					hops = append(hops, from.Host+" > "+to.Host)
					if c.refuse {
						return fetch.Denied
					}
					return nil
				},
			})
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

// The first command to an ftp server shows whether TLS is asked for.
func TestRequireTLS(t *testing.T) {
	for _, tt := range []struct {
		name string
		opts safefetch.Options
		want string
	}{
		{"Default", safefetch.Options{}, "USER anonymous"},
		{"Plaintext", safefetch.Options{AllowPlaintext: true}, "AUTH TLS"},
		{"Required", safefetch.Options{RequireTLS: true}, "AUTH TLS"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			noError(t, err)
			defer l.Close()
			told := make(chan string, 1)
			go func() {
				c, err := l.Accept()
				if err != nil {
					told <- err.Error()
					return
				}
				defer c.Close()
				c.Write([]byte("220 ready\r\n"))
				line, _ := bufio.NewReader(c).ReadString('\n')
				c.Write([]byte("421 bye\r\n"))
				told <- strings.TrimSpace(line)
			}()
			tt.opts.Guard = &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}
			u := &url.URL{Scheme: "ftp", Host: l.Addr().String(), Path: "/x"}
			if resp, err := safefetch.New(&tt.opts).Fetch(t.Context(), &fetch.Request{URL: u}); err == nil {
				resp.Body.Close()
				t.Error("got a body, want an error")
			}
			if got := <-told; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A RoundTripper of the program's own is below the layers, so that a share link is the URL of its
// file, and a second request is answered from the store.
func TestWrap(t *testing.T) {
	var asked []string
	mux := safefetch.New(&safefetch.Options{
		Cache: cache.Memory(1 << 20),
		Wrap: func(http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (*http.Response, error) {
				asked = append(asked, r.URL.String())
				return &http.Response{
					StatusCode:    http.StatusOK,
					Header:        http.Header{"Cache-Control": {"max-age=60"}, "Content-Type": {"text/plain"}},
					ContentLength: 4,
					Body:          io.NopCloser(strings.NewReader("file")),
				}, nil
			})
		},
	})
	for range 2 {
		u, err := url.Parse("https://www.dropbox.com/s/abc1231a2B3c4D5/a.txt?dl=0")
		noError(t, err)
		resp, err := mux.Fetch(t.Context(), &fetch.Request{URL: u})
		noError(t, err)
		got, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if string(got) != "file" || err != nil {
			t.Errorf("got %q, %v, want the file", got, err)
		}
	}
	if want := []string{"https://www.dropbox.com/s/abc1231a2B3c4D5/a.txt?dl=1"}; !slices.Equal(asked, want) {
		t.Errorf("got %q asked, want %q", asked, want)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// OP-55: the Fetcher of Accounts is above all other layers, and its API past the cache.
func TestAccounts(t *testing.T) {
	var stored, seen int
	store := cache.Memory(1 << 20)
	mux := safefetch.New(&safefetch.Options{
		Cache: store,
		Wrap: func(http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (*http.Response, error) {
				seen++
				header := http.Header{"Cache-Control": {"max-age=60"}, "Content-Length": {"2"}}
				return &http.Response{StatusCode: 200, Header: header, ContentLength: 2, Body: io.NopCloser(strings.NewReader("ok"))}, nil
			})
		},
		Accounts: func(next, api fetch.Fetcher) fetch.Fetcher {
			return fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
				stored++
				if req.URL.Path == "/api" {
					return api.Fetch(ctx, req)
				}
				return next.Fetch(ctx, req)
			})
		},
	})
	for path, want := range map[string]int{"/api": 2, "/x": 1} {
		seen = 0
		for range 2 {
			resp, err := mux.Fetch(t.Context(), &fetch.Request{URL: &url.URL{Scheme: "https", Host: "a.example", Path: path}})
			noError(t, err)
			_, err = io.Copy(io.Discard, resp.Body)
			noError(t, err)
			resp.Body.Close()
		}
		if seen != want {
			t.Errorf("%s: got %d requests, want %d", path, seen, want)
		}
	}
	if stored != 4 {
		t.Errorf("got %d requests at the Fetcher of Accounts, want 4", stored)
	}
}
