package driver_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/fetchtest"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/testkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// loopback allows servers on this machine.
func loopback() *netguard.Guard {
	return &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}
}

// A shelf is a Fetcher of a protocol that answers "GET name" with the size and the octets, or
// with "none".
type shelf struct {
	driver.Layer
	guard *netguard.Guard
	tls   *tls.Config // nil for none
}

func (f *shelf) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	c, err := driver.Dial(ctx, req, f.guard, "shelf", 7)
	if err != nil {
		return nil, err
	}
	if f.tls != nil {
		if err := c.StartTLS(f.tls); err != nil {
			return nil, err
		}
	}
	line, err := c.Ask("GET " + strings.TrimPrefix(req.URL.Path, "/") + "\r\n")
	if err != nil {
		return nil, err
	}
	if line == "none" {
		return nil, c.Fail(fetch.NotFound)
	}
	size, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		return nil, c.Fail(&fetch.Error{Kind: fetch.Protocol, Err: errors.New("no size")})
	}
	return c.Response("", size)
}

// serve starts a server that runs talk on each connection, and returns its address.
func serve(t testing.TB, talk func(c net.Conn, r *bufio.Reader)) string {
	t.Helper()
	return testkit.Listen(t, func(c net.Conn, _ int) { talk(c, bufio.NewReader(c)) })
}

// serveObject serves obj by the protocol of a shelf.
func serveObject(t *testing.T, obj fetchtest.Object) *fetch.Request {
	if obj.Fault == fetchtest.Forbidden {
		return &fetch.Request{URL: &url.URL{Scheme: "shelf", Host: "[::1]:7", Path: "/x"}}
	}
	addr := serve(t, func(c net.Conn, r *bufio.Reader) {
		r.ReadString('\n')
		body := obj.Body
		switch obj.Fault {
		case fetchtest.Missing:
			io.WriteString(c, "none\r\n")
			return
		case fetchtest.Mute:
			io.Copy(io.Discard, r)
			return
		case fetchtest.Cut, fetchtest.Stalled:
			body = body[:len(body)/2]
		}
		fmt.Fprintf(c, "%d\r\n%s", len(obj.Body), body)
		if obj.Fault == fetchtest.Stalled {
			io.Copy(io.Discard, r)
			obj.Left()
		}
	})
	return &fetch.Request{URL: &url.URL{Scheme: "shelf", Host: addr, Path: "/x"}}
}

// A Fetcher made of a Conn keeps to the rules without doing anything for it.
func TestConformance(t *testing.T) {
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: &shelf{guard: fetchtest.Guard()},
		Serve:   serveObject,
		At: func(host string) *fetch.Request {
			return &fetch.Request{URL: &url.URL{Scheme: "shelf", Host: host, Path: "/x"}}
		},
		Watches: true,
	})
}

// get fetches to the end and returns the Exchanges.
func get(t *testing.T, f fetch.Fetcher, req *fetch.Request) (body string, seen []*fetch.Exchange, phases []fetch.Phase, err error) {
	t.Helper()
	req.Observe = func(x *fetch.Exchange) { seen = append(seen, x) }
	req.Progress = func(e fetch.Event) {
		if !slices.Contains(phases, e.Phase) {
			phases = append(phases, e.Phase)
		}
	}
	resp, err := fetch.Do(t.Context(), f, req)
	if err != nil {
		return "", seen, phases, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), seen, phases, err
}

func TestConnObserved(t *testing.T) {
	req := serveObject(t, fetchtest.Object{Body: []byte("hello")})
	got, seen, phases, err := get(t, &shelf{guard: loopback()}, req)
	if got != "hello" || err != nil || len(seen) != 1 {
		t.Fatalf("got %q, %d exchanges, %v", got, len(seen), err)
	}
	x := seen[0]
	dialogue := []string{string(x.Dialogue[0].Text), string(x.Dialogue[1].Text)}
	if !slices.Equal(dialogue, []string{"GET x", "5"}) || !x.Dialogue[0].Sent || x.Dialogue[1].Sent {
		t.Errorf("got the dialogue %q, want both lines", dialogue)
	}
	if x.OctetsOut != int64(len("GET x\r\n")) || x.OctetsIn != int64(len("5\r\nhello")) || x.Remote.String() != req.URL.Host || len(x.Dials) != 1 {
		t.Errorf("got %+v, want the octets of both sides and the dial", x)
	}
	if want := []fetch.Phase{fetch.Connecting, fetch.Sending, fetch.Receiving, fetch.Verified}; !slices.Equal(phases, want) {
		t.Errorf("got the phases %q, want %q", phases, want)
	}
}

// Each failure ends the Exchange with its Kind, and closes the connection.
func TestConnFailures(t *testing.T) {
	answers := func(text string) string {
		return serve(t, func(c net.Conn, r *bufio.Reader) {
			r.ReadString('\n')
			io.WriteString(c, text)
		})
	}
	mute := serve(t, func(_ net.Conn, r *bufio.Reader) { io.Copy(io.Discard, r) })
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for _, tt := range []struct {
		name, addr string
		want       fetch.Kind
		text       string
	}{
		{"HangUp", answers(""), fetch.Unavailable, "unexpected EOF"},
		{"HalfLine", answers("12"), fetch.Unavailable, "unexpected EOF"},
		{"LongLine", answers(strings.Repeat("1", 64<<10) + "\n"), fetch.Protocol, "too long"},
		{"NoSize", answers("x\n"), fetch.Protocol, "no size"},
		{"Mute", mute, fetch.Unavailable, "the answer timed out"},
		{"Refused", closed.Addr().String(), fetch.Unavailable, "refused"},
		{"Short", answers("3\nab"), fetch.Truncated, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			req := &fetch.Request{URL: &url.URL{Scheme: "shelf", Host: tt.addr, Path: "/x"}}
			req.Timeouts.FirstOctet = 50 * time.Millisecond
			_, seen, _, err := get(t, &shelf{guard: loopback()}, req)
			if fetch.KindOf(err) != tt.want || !strings.Contains(fmt.Sprint(err), tt.text) {
				t.Errorf("got %v, want %v with %q", err, tt.want, tt.text)
			}
			if len(seen) != 1 || seen[0].Kind != tt.want {
				t.Errorf("got %d exchanges, %+v, want one that failed as %v", len(seen), seen, tt.want)
			}
		})
	}
}

// A Dialer that refuses is not dialed, and neither is anybody after a refusal of Contact.
func TestDialRefused(t *testing.T) {
	observed := 0
	req := &fetch.Request{URL: &url.URL{Scheme: "shelf", Host: "10.0.0.1"}, Observe: func(*fetch.Exchange) { observed++ }}
	if _, err := driver.Dial(t.Context(), req, loopback(), "shelf", 7); fetch.KindOf(err) != fetch.Blocked {
		t.Errorf("got %v, want blocked", err)
	}
	req = &fetch.Request{
		URL:     &url.URL{Scheme: "shelf", Host: "127.0.0.1"},
		Observe: func(*fetch.Exchange) { observed++ },
	}
	driver.OfRequest(req).Gate = func(context.Context, *url.URL) error { return fetch.Deferred }
	if _, err := driver.Dial(t.Context(), req, loopback(), "shelf", 7); fetch.KindOf(err) != fetch.Deferred || observed != 0 {
		t.Errorf("got %v and %d exchanges, want deferred and none", err, observed)
	}
}

// serveTLS is serve over TLS. quiet leaves out the close_notify.
func serveTLS(t *testing.T, quiet bool, talk func(c net.Conn, r *bufio.Reader)) (addr string, config *tls.Config) {
	server := httptest.NewUnstartedServer(nil)
	server.StartTLS()
	t.Cleanup(server.Close)
	certs := server.TLS.Certificates
	client := server.Client().Transport.(interface{ CloseIdleConnections() })
	defer client.CloseIdleConnections()
	config = &tls.Config{InsecureSkipVerify: true}
	addr = serve(t, func(c net.Conn, _ *bufio.Reader) {
		tc := tls.Server(c, &tls.Config{Certificates: certs})
		if tc.Handshake() != nil {
			return
		}
		talk(tc, bufio.NewReader(tc))
		if !quiet {
			tc.CloseWrite()
		}
	})
	return addr, config
}

// A body that only the end of the connection ends is whole in TLS if the end is authentic.
func TestStartTLS(t *testing.T) {
	for _, quiet := range []bool{false, true} {
		addr, config := serveTLS(t, quiet, func(c net.Conn, r *bufio.Reader) {
			line, _ := r.ReadString('\n')
			io.WriteString(c, "you sent "+line)
		})
		fetcher := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			c, err := driver.Dial(ctx, req, loopback(), "over", 7)
			if err != nil {
				return nil, err
			}
			if err := c.StartTLS(config); err != nil {
				return nil, err
			}
			if err := c.Send("hi\n"); err != nil {
				return nil, err
			}
			return c.Response("text/plain", -1)
		})
		got, seen, phases, err := get(t, fetcher, &fetch.Request{URL: &url.URL{Scheme: "over", Host: addr}})
		want := fetch.Kind(0)
		if quiet {
			want = fetch.Truncated
		}
		if fetch.KindOf(err) != want || !quiet && got != "you sent hi\n" {
			t.Errorf("quiet %t: got %q, %v, want %v", quiet, got, err, want)
		}
		if len(seen) != 1 || seen[0].TLS == nil || seen[0].OctetsIn != int64(len("you sent hi\n")) || phases[1] != fetch.Securing {
			t.Errorf("quiet %t: got %+v, phases %q, want TLS and the octets in it", quiet, seen, phases)
		}
	}
}

// Octets that were sent in the clear before a handshake are not taken for octets
// after it.
func TestStartTLSInjected(t *testing.T) {
	addr := serve(t, func(c net.Conn, r *bufio.Reader) {
		r.ReadString('\n')
		io.WriteString(c, "go\ninjected\n")
		io.Copy(io.Discard, r)
	})
	c, err := driver.Dial(t.Context(), &fetch.Request{URL: &url.URL{Scheme: "shelf", Host: addr}}, loopback(), "shelf", 7)
	if err != nil {
		t.Fatal(err)
	}
	if line, err := c.Ask("STARTTLS\n"); line != "go" || err != nil {
		t.Fatalf("got %q, %v", line, err)
	}
	if err := c.StartTLS(nil); fetch.KindOf(err) != fetch.Protocol {
		t.Errorf("got %v, want protocol", err)
	}
}

// The limit on the last answer does not reach into a handshake, which has its own.
func TestHandshake(t *testing.T) {
	hangsUp := serve(t, func(c net.Conn, _ *bufio.Reader) {})
	mute := serve(t, func(_ net.Conn, r *bufio.Reader) { io.Copy(io.Discard, r) })
	clear := serve(t, func(c net.Conn, _ *bufio.Reader) { io.WriteString(c, "220 not TLS\r\n") })
	untrusted, _ := serveTLS(t, false, func(net.Conn, *bufio.Reader) {})
	for addr, want := range map[string]struct {
		kind    fetch.Kind
		timeout bool
	}{
		hangsUp: {fetch.Unavailable, false}, mute: {fetch.Unavailable, true}, clear: {fetch.Protocol, false}, untrusted: {fetch.Untrusted, false},
	} {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(-time.Second))
		limit := time.Minute
		if want.timeout {
			limit = 100 * time.Millisecond
		}
		_, err = driver.Handshake(t.Context(), conn, &tls.Config{ServerName: "h.example"}, limit)
		e, _ := errors.AsType[*fetch.Error](err)
		if fetch.KindOf(err) != want.kind || e == nil || e.Timeout() != want.timeout {
			t.Errorf("got %v, want %v, by a time-out: %t", err, want.kind, want.timeout)
		}
		conn.Close()
	}
}
