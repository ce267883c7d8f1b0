package httpfetch_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/testkit"
)

// TestMain sets a proxy that nothing here may use. Package net/http asks for it
// once.
func TestMain(m *testing.M) {
	os.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	os.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	os.Unsetenv("NO_PROXY")
	goleak.VerifyTestMain(m)
}

// noError ends the test if err is not nil.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// equal reports an error unless got is want; what names the value.
func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// loopback allows servers on 127/8 whose ports are listed. Names resolve to
// 127.0.0.1, unless a table has another address.
func loopback(ports ...uint16) *netguard.Guard {
	return &netguard.Guard{
		Allow:    []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Ports:    ports,
		Resolver: names{},
	}
}

// names is a scripted resolver: names and lists of addresses.
type names map[string]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	addr, ok := n[strings.TrimSuffix(host, ".")]
	if !ok {
		addr = "127.0.0.1"
	}
	var addrs []netip.Addr
	for _, a := range strings.Fields(addr) {
		addrs = append(addrs, netip.MustParseAddr(a))
	}
	return addrs, nil
}

// A lookup is a resolver that calls itself, and finds 127.0.0.1 unless that fails.
type lookup func(context.Context) error

func (l lookup) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, l(ctx)
}

// resolving is loopback with this resolver.
func resolving(r netguard.Resolver) *netguard.Guard {
	g := loopback()
	g.Resolver = r
	return g
}

func portOf(t testing.TB, rawURL string) uint16 {
	t.Helper()
	u, err := url.Parse(rawURL)
	noError(t, err)
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	noError(t, err)
	return uint16(port)
}

// newFetcher returns a Fetcher for servers at the ports of the URLs. It takes
// the rest from opts.
func newFetcher(t testing.TB, opts httpfetch.Options, servers ...string) driver.Inspector {
	t.Helper()
	if opts.Guard == nil {
		opts.Guard = loopback()
	}
	for _, s := range servers {
		opts.Guard = opts.Guard.WithPorts(portOf(t, s))
	}
	f := httpfetch.New(&opts)
	t.Cleanup(f.CloseIdleConnections)
	return f
}

// serve starts an HTTP server.
func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// serveTLS starts an HTTPS server.
func serveTLS(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewTLSServer(h)
	t.Cleanup(s.Close)
	return s
}

// secure returns the https URL of an http one.
func secure(rawURL string) string { return "https" + strings.TrimPrefix(rawURL, "http") }

// A script is a TCP server. It counts the connections that it accepted.
type script struct {
	url   string
	conns atomic.Int32
}

// serveRaw starts a server that runs talk on each connection and then closes
// it.
func serveRaw(t testing.TB, talk func(c net.Conn, r *bufio.Reader)) *script {
	t.Helper()
	s := new(script)
	s.url = "http://" + testkit.Listen(t, func(c net.Conn, _ int) {
		s.conns.Add(1)
		talk(c, bufio.NewReader(c))
	}) + "/"
	return s
}

// serveText starts a server that answers the first request of each connection
// with these octets and closes.
func serveText(t testing.TB, answer string) *script {
	return serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		if readRequest(r) != "" {
			io.WriteString(c, answer)
		}
	})
}

// serveHeld starts a server that answers with these octets, then waits for the peer to
// close, and calls each of closed.
func serveHeld(t testing.TB, answer string, closed ...func()) *script {
	return serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		readRequest(r)
		io.WriteString(c, answer)
		wait(r)
		for _, f := range closed {
			f()
		}
	})
}

// readRequest returns the header section of a request, "" at the end.
func readRequest(r *bufio.Reader) string {
	var b strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return ""
		}
		b.WriteString(line)
		if line == "\r\n" {
			return b.String()
		}
	}
}

// wait blocks until the peer closes.
func wait(r *bufio.Reader) { io.Copy(io.Discard, r) }

func request(t testing.TB, rawURL string) *fetch.Request {
	t.Helper()
	u, err := url.Parse(rawURL)
	noError(t, err)
	return &fetch.Request{URL: u}
}

// get fetches to the end.
func get(t testing.TB, f fetch.Fetcher, req *fetch.Request) (*fetch.Response, string, error) {
	t.Helper()
	resp, err := fetch.Do(t.Context(), f, req)
	if err != nil {
		checkError(t, err)
		return nil, "", err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		checkError(t, err)
	}
	return resp, string(data), err
}

// getText fetches from a server that answers with these octets.
func getText(t testing.TB, answer string) (*fetch.Response, string, error) {
	t.Helper()
	s := serveText(t, answer)
	return get(t, newFetcher(t, httpfetch.Options{}, s.url), request(t, s.url))
}

// wantBody checks the body of a fetch that has to succeed.
func wantBody(t testing.TB, f fetch.Fetcher, req *fetch.Request, want string) {
	t.Helper()
	if _, data, err := get(t, f, req); err != nil || data != want {
		t.Errorf("%s: got %q, %v, want %q, nil", req.URL, data, err, want)
	}
}

// checkError checks every error for its type, and that it has no secret of servers
// and URLs.
func checkError(t testing.TB, err error) {
	t.Helper()
	if _, ok := err.(*fetch.Error); !ok {
		t.Errorf("got %T %v, want *fetch.Error", err, err)
	}
	if strings.Contains(err.Error(), "SECRET") {
		t.Errorf("got %v, want it without SECRET", err)
	}
}

// mustGet returns the body of a fetch that has to succeed.
func mustGet(t testing.TB, f fetch.Fetcher, rawURL string) (*fetch.Response, string) {
	t.Helper()
	resp, data, err := get(t, f, request(t, rawURL))
	noError(t, err)
	return resp, data
}

// wantKind checks the Kind of the error of fetching rawURL.
func wantKind(t testing.TB, f fetch.Fetcher, req *fetch.Request, want fetch.Kind) error {
	t.Helper()
	_, data, err := get(t, f, req)
	if !errors.Is(err, want) || fetch.KindOf(err) != want {
		t.Errorf("got %.50q, error %v; want %v", data, err, want)
	}
	return err
}

// soon is a limit on time that a test waits for.
const soon = 20 * time.Millisecond
