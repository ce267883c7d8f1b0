package httpfetch_test

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// splice copies both ways until both have ended.
func splice(a net.Conn, r io.Reader, b net.Conn) {
	var wg sync.WaitGroup
	wg.Go(func() {
		io.Copy(b, r)
		b.(*net.TCPConn).CloseWrite()
	})
	wg.Go(func() {
		io.Copy(a, b)
		a.Close()
	})
	wg.Wait()
	b.Close()
}

// connectProxy tunnels every CONNECT to the server, wherever it should lead,
// and reports each request.
func connectProxy(t *testing.T, server string, seen chan<- string) *script {
	return serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		seen <- readRequest(r)
		b, err := net.Dial("tcp", server)
		if err != nil {
			return
		}
		io.WriteString(c, "HTTP/1.1 200 Connected\r\n\r\n")
		splice(c, r, b)
	})
}

// socksProxy is a SOCKS5 proxy that wants user "u" and password "p".
func socksProxy(t *testing.T, server string, seen chan<- string) *script {
	return serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		read := func(n int) string {
			b := make([]byte, n)
			io.ReadFull(r, b)
			return string(b)
		}
		read(int(read(2)[1]))
		io.WriteString(c, "\x05\x02")
		if read(5) != "\x01\x01u\x01p" {
			io.WriteString(c, "\x01\x01")
			return
		}
		io.WriteString(c, "\x01\x00")
		var host string
		switch read(4)[3] {
		case 1:
			host = netip.AddrFrom4([4]byte([]byte(read(4)))).String()
		case 3:
			host = read(int(read(1)[0]))
		}
		seen <- net.JoinHostPort(host, strconv.Itoa(int(binary.BigEndian.Uint16([]byte(read(2))))))
		b, err := net.Dial("tcp", server)
		if err != nil {
			return
		}
		io.WriteString(c, "\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
		splice(c, r, b)
	})
}

// refusing is a proxy that sends each answer after it was asked something.
func refusing(answers ...string) func(*testing.T, string, chan<- string) *script {
	return func(t *testing.T, _ string, _ chan<- string) *script {
		return serveRaw(t, func(c net.Conn, r *bufio.Reader) {
			defer c.Close()
			for _, answer := range answers {
				if _, err := r.ReadByte(); err != nil {
					return
				}
				r.Discard(r.Buffered())
				io.WriteString(c, answer)
			}
		})
	}
}

func proxyURL(t *testing.T, s *script, scheme, userinfo string) *url.URL {
	t.Helper()
	u, err := url.Parse(scheme + "://" + userinfo + strings.TrimPrefix(s.url, "http://"))
	noError(t, err)
	return u
}

// egress is a guard that lets connections to proxies on 127.0.0.1 pass, and
// resolves names to public and private addresses.
func egress() *netguard.Guard {
	return &netguard.Guard{
		Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		Resolver: names{
			"public.test":  "93.184.216.34",
			"private.test": "10.0.0.1",
			"both.test":    "2606:4700::1 93.184.216.34",
			"six.test":     "2606:4700::1",
		},
	}
}

// through returns a Fetcher whose guard is egress and that uses this proxy.
func through(t *testing.T, proxy *url.URL) driver.Inspector {
	return newFetcher(t, httpfetch.Options{Guard: egress(), Proxy: proxy})
}

// SE-4: the proxy is asked for addresses that were judged, never for others.
func TestProxy(t *testing.T) {
	plain := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if auth := r.Header.Get("Proxy-Authorization"); auth != "" {
			t.Errorf("the server saw %s, want %s", auth, "")
		}
		io.WriteString(w, r.Host)
	})
	secure := serveTLS(t, plain.Config.Handler.ServeHTTP)
	// The certificate of httptest is for example.com.
	guard := egress()
	guard.Resolver.(names)["example.com"] = "93.184.216.34"

	const basic = "CONNECT 93.184.216.34:80 HTTP/1.1\r\nHost: 93.184.216.34:80\r\nProxy-Authorization: Basic dTpw\r\n\r\n"
	for _, tt := range []struct {
		name  string
		proxy func(*testing.T, string, chan<- string) *script
		opts  httpfetch.Options
		user  string
		url   string
		seen  string
		kind  fetch.Kind
		says  string
	}{
		{name: "Connect", proxy: connectProxy, user: "u:p@", url: "http://public.test:080/", seen: basic},
		{name: "ConnectTLS", proxy: connectProxy, url: "https://example.com/", seen: "CONNECT 93.184.216.34:443 HTTP/1.1\r\nHost: 93.184.216.34:443\r\n\r\n"},
		{
			name: "ConnectTrusted", proxy: connectProxy, opts: httpfetch.Options{TrustProxy: true}, url: "http://unknown.test/",
			seen: "CONNECT unknown.test:80 HTTP/1.1\r\nHost: unknown.test:80\r\n\r\n",
		},
		{name: "PrefersIPv4", proxy: connectProxy, url: "http://both.test/", seen: "CONNECT 93.184.216.34:80 HTTP/1.1\r\nHost: 93.184.216.34:80\r\n\r\n"},
		{name: "IPv6", proxy: connectProxy, url: "http://six.test/", seen: "CONNECT [2606:4700::1]:80 HTTP/1.1\r\nHost: [2606:4700::1]:80\r\n\r\n"},
		{name: "Socks", proxy: socksProxy, user: "u:p@", url: "http://public.test/", seen: "93.184.216.34:80"},
		{name: "SocksTrusted", proxy: socksProxy, opts: httpfetch.Options{TrustProxy: true}, user: "u:p@", url: "http://unknown.test/", seen: "unknown.test:80"},
		{name: "SocksPassword", proxy: socksProxy, user: "u:SECRET@", url: "http://public.test/", kind: fetch.Credentials, says: "the proxy 127.0.0.1:"},
		{name: "SocksHangsUp", proxy: refusing("\x05"), url: "http://public.test/", kind: fetch.Unavailable, says: "the proxy 127.0.0.1:"},
		{name: "SocksNoPassword", proxy: refusing("\x05\xff"), url: "http://public.test/", kind: fetch.Credentials, says: "the proxy 127.0.0.1:"},
		{name: "SocksRuleset", proxy: refusing("\x05\x00", "\x05\x02\x00\x01\x00\x00\x00\x00\x00\x00"), url: "http://public.test/", kind: fetch.Forbidden, says: "the proxy 127.0.0.1:"},
		{name: "SocksUnreachable", proxy: refusing("\x05\x00", "\x05\x04\x00\x01\x00\x00\x00\x00\x00\x00"), url: "http://public.test/", kind: fetch.Unavailable},
		{name: "ConnectPassword", proxy: refusing("HTTP/1.1 407 SECRET\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"), user: "u:SECRET@", url: "http://public.test/", kind: fetch.Credentials, says: "answered with status 407"},
		{name: "ConnectLogin", proxy: refusing("HTTP/1.1 401 SECRET\r\n\r\n"), url: "http://public.test/", kind: fetch.Credentials, says: "the proxy 127.0.0.1:"},
		{name: "ConnectForbidden", proxy: refusing("HTTP/1.1 403 SECRET\r\n\r\n"), url: "http://public.test/", kind: fetch.Forbidden, says: "answered with status 403"},
		{name: "ConnectNoGateway", proxy: refusing("HTTP/1.1 502 SECRET\r\n\r\n"), url: "http://public.test/", kind: fetch.Unavailable, says: "answered with status 502"},
		{name: "ConnectNotHTTP", proxy: refusing("SSH-2.0-SECRET\r\n\r\n"), url: "http://public.test/", kind: fetch.Protocol},
		{name: "ConnectSpeaksFirst", proxy: refusing("HTTP/1.1 200 OK\r\n\r\nSECRET"), url: "http://public.test/", kind: fetch.Protocol},
		{name: "ConnectHugeHeader", proxy: refusing("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("SECRET", 20<<10) + "\r\n\r\n"), url: "http://public.test/", kind: fetch.Unavailable},
		{name: "ConnectCloses", proxy: refusing(""), url: "http://public.test/", kind: fetch.Unavailable},
		{name: "PrivateName", proxy: connectProxy, url: "http://private.test/", kind: fetch.Blocked},
		{name: "PrivateAddress", proxy: connectProxy, url: "http://10.0.0.1/", kind: fetch.Blocked},
		{name: "PrivateAddressTrusted", proxy: connectProxy, opts: httpfetch.Options{TrustProxy: true}, url: "http://10.0.0.1/", kind: fetch.Blocked},
		{name: "SocksPrivateName", proxy: socksProxy, user: "u:p@", url: "http://private.test/", kind: fetch.Blocked},
		{name: "ProxyNotAllowed", proxy: connectProxy, opts: httpfetch.Options{Guard: &netguard.Guard{}}, url: "http://93.184.216.34/", kind: fetch.Blocked},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server, scheme := plain.Listener.Addr().String(), "http"
			if strings.HasPrefix(tt.url, "https") {
				server = secure.Listener.Addr().String()
			}
			if strings.HasPrefix(tt.name, "Socks") {
				scheme = "socks5"
			}
			seen := make(chan string, 1)
			s := tt.proxy(t, server, seen)
			opts := tt.opts
			if opts.Guard == nil {
				opts.Guard = guard
			}
			opts.TLSConfig = trust(secure)
			opts.Proxy = proxyURL(t, s, scheme, tt.user)
			f := newFetcher(t, opts)
			resp, data, err := get(t, f, request(t, tt.url))
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("got %q, error %v; want %v", data, err, tt.kind)
			}
			if err != nil && (!strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "SECRET")) {
				t.Errorf("got error %q, want one with %q", err, tt.says)
			}
			if tt.seen != "" {
				if got := <-seen; got != tt.seen {
					t.Errorf("the proxy saw %q, want %q", got, tt.seen)
				}
			}
			if tt.kind == fetch.Blocked && s.conns.Load() != 0 {
				t.Errorf("got %d connections to the proxy, want none", s.conns.Load())
			}
			// The default port is left out.
			if err == nil && (data != resp.URL.Host || data != resp.URL.Hostname() || resp.RemoteAddr.Port() != portOf(t, s.url)) {
				t.Errorf("got %q for %v from %v, want the host without port, from the proxy", data, resp.URL, resp.RemoteAddr)
			}
		})
	}
}

// The port of the proxy is not allowed in URLs.
func TestProxyPort(t *testing.T) {
	seen := make(chan string, 1)
	s := connectProxy(t, "127.0.0.1:1", seen)
	wantKind(t, through(t, proxyURL(t, s, "http", "")), request(t, s.url), fetch.Blocked)
}

func TestProxyAnswers(t *testing.T) {
	t.Run("Silent", func(t *testing.T) {
		s := serveRaw(t, func(c net.Conn, r *bufio.Reader) { wait(r) })
		for _, scheme := range []string{"http", "https", "socks5"} {
			f := through(t, proxyURL(t, s, scheme, ""))
			req := request(t, "http://public.test/")
			req.Timeouts.Connect = soon
			err := wantKind(t, f, req, fetch.Unavailable)
			if e, ok := errors.AsType[*fetch.Error](err); !ok || !strings.Contains(err.Error(), "the proxy 127.0.0.1:") || e.Timeout() {
				t.Errorf("%s: got error %v, want one that names the proxy and is no time-out of the host", scheme, err)
			}
		}
	})
	t.Run("Away", func(t *testing.T) {
		s := serveRaw(t, func(net.Conn, *bufio.Reader) {})
		for _, scheme := range []string{"http", "https", "socks5"} {
			u := proxyURL(t, s, scheme, "")
			u.Host = "127.0.0.1:1"
			err := wantKind(t, through(t, u), request(t, "http://public.test/"), fetch.Unavailable)
			if err == nil || !strings.Contains(err.Error(), "the proxy 127.0.0.1:1 ") || errors.Is(err, syscall.ECONNREFUSED) {
				t.Errorf("%s: got error %v, want one that names the proxy and is no refusal of the host", scheme, err)
			}
		}
	})
	t.Run("Reset", func(t *testing.T) {
		s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
			readRequest(r)
			c.(*net.TCPConn).SetLinger(0)
		})
		wantKind(t, through(t, proxyURL(t, s, "http", "")), request(t, "http://public.test/"), fetch.Unavailable)
	})
	t.Run("ClosesConnection", func(t *testing.T) {
		closed := make(chan struct{})
		s := serveHeld(t, "HTTP/1.1 502 Bad Gateway\r\n\r\n", func() { close(closed) })
		wantKind(t, through(t, proxyURL(t, s, "http", "")), request(t, "http://public.test/"), fetch.Unavailable)
		<-closed
	})
	t.Run("Address", func(t *testing.T) {
		s := serveRaw(t, func(net.Conn, *bufio.Reader) {})
		u := proxyURL(t, s, "http", "")
		u.Host = "0x7f.1:" + u.Port()
		wantKind(t, through(t, u), request(t, "http://public.test/"), fetch.Blocked)
		equal(t, "connections", s.conns.Load(), 0)
	})
	t.Run("Scheme", func(t *testing.T) {
		f := newFetcher(t, httpfetch.Options{Guard: egress(), Proxy: &url.URL{Scheme: "ftp", Host: "127.0.0.1"}})
		wantKind(t, f, request(t, "http://public.test/"), fetch.Unsupported)
	})
}

func TestProxyOverTLS(t *testing.T) {
	plain := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") })
	p := serveTLS(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Host != "93.184.216.34:80" {
			t.Errorf("got %s %s, want %s, %s", r.Method, r.Host, http.MethodConnect, "93.184.216.34:80")
		}
		b, err := net.Dial("tcp", plain.Listener.Addr().String())
		if err != nil {
			return
		}
		defer b.Close()
		c, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
		go io.Copy(b, rw)
		io.Copy(c, b)
	})
	u, err := url.Parse(p.URL)
	noError(t, err)
	f := newFetcher(t, httpfetch.Options{Guard: egress(), Proxy: u, TLSConfig: trust(p)})
	wantBody(t, f, request(t, "http://public.test/"), "ok")
	f.CloseIdleConnections()
	wantKind(t, through(t, u), request(t, "http://public.test/"), fetch.Untrusted)
}
