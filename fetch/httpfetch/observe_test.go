package httpfetch_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/record"
)

// observe fetches req and returns the n exchanges that were observed, if it is not negative.
// The fetch has to end with this Kind.
func observe(t *testing.T, f fetch.Fetcher, req *fetch.Request, n int, want fetch.Kind) []*fetch.Exchange {
	t.Helper()
	var seen []*fetch.Exchange
	req.Observe = func(x *fetch.Exchange) { seen = append(seen, x) }
	_, _, err := get(t, f, req)
	for i, x := range seen {
		if x.Started.IsZero() || x.Ended.Before(x.Started) {
			t.Errorf("exchange %d: got times %v to %v, want both, in this order", i, x.Started, x.Ended)
		}
		text, err := json.Marshal(x)
		noError(t, err)
		if strings.Contains(string(text), "SECRET") {
			t.Errorf("exchange %d: got %s, want it without SECRET", i, text)
		}
		var back fetch.Exchange
		noError(t, json.Unmarshal(text, &back))
		if again, _ := json.Marshal(back); string(again) != string(text) {
			t.Errorf("exchange %d: got %s, want %s", i, again, text)
		}
	}
	if fetch.KindOf(err) != want || n >= 0 && len(seen) != n {
		t.Fatalf("got %d exchanges, %v, want %d, %v", len(seen), err, n, want)
	}
	return seen
}

func hexSum[T string | []byte](s T) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// The heads are octet for octet as they were on the wire.
func TestObserveHeads(t *testing.T) {
	const redirect = "HTTP/1.1 302 Found here\r\nlocation:  /b\r\nSET-COOKIE: a=SECRET;\r\n path=SECRET\r\nContent-Length: 4\r\n\r\n"
	const answer = "HTTP/1.1 200 OK\r\nX-Odd:\tname\r\netag: \"e\"\r\nTransfer-Encoding: chunked\r\n\r\n"
	var heads []string
	s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		for {
			head := readRequest(r)
			if head == "" {
				return
			}
			heads = append(heads, head)
			if strings.HasPrefix(head, "GET /a ") {
				io.WriteString(c, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"+redirect+"gone")
				continue
			}
			io.WriteString(c, answer+"5\r\nhello\r\n0\r\n\r\n")
		}
	})
	f := newFetcher(t, httpfetch.Options{KeepConnections: true}, s.url)
	seen := observe(t, f, request(t, s.url+"a"), 2, 0)
	hop, last := seen[0], seen[1]
	want := strings.Replace(redirect, "SET-COOKIE: a=SECRET;\r\n path=SECRET\r\n", "SET-COOKIE: (cut)\r\n", 1)
	if string(hop.ResponseHead) != want || string(hop.RequestHead) != heads[0] {
		t.Errorf("the redirect: got %q for %q, want %q for %q", hop.ResponseHead, hop.RequestHead, want, heads[0])
	}
	equal(t, "the redirect",
		fmt.Sprintln(hop.Status, hop.Kind, string(hop.Beginning), hop.Content, hop.URL, hop.Hop),
		fmt.Sprintln(302, fetch.Kind(0), "gone", (*record.Content)(nil), s.url+"a", 0))
	if string(last.ResponseHead) != answer || string(last.RequestHead) != heads[1] {
		t.Errorf("got %q for %q, want %q for %q", last.ResponseHead, last.RequestHead, answer, heads[1])
	}
	if want := (&record.Content{Octets: 5, SHA256: hexSum("hello")}); !reflect.DeepEqual(last.Content, want) {
		t.Errorf("got content %+v, want %+v", last.Content, want)
	}
	if last.Decoded != nil || string(last.Beginning) != "hello" {
		t.Errorf("got decoded %+v, beginning %q, want none and hello", last.Decoded, last.Beginning)
	}
	equal(t, "reused, hop, octets out and in",
		fmt.Sprintln(last.Reused, last.Hop, last.OctetsOut, last.OctetsIn),
		fmt.Sprintln(true, 1, len(heads[1]), len(answer)+15))
	addr := netip.MustParseAddrPort(strings.Trim(s.url, "htp:/"))
	if last.Remote != addr || hop.Remote != addr || !reflect.DeepEqual(hop.Dials, []record.Dial{{Addr: addr}}) {
		t.Errorf("got %v by %v, want %v", last.Remote, hop.Dials, addr)
	}
}

func TestObserveTLS(t *testing.T) {
	s := serveTLS(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "x") })
	f := newFetcher(t, httpfetch.Options{TLSConfig: trust(s), Guard: &netguard.Guard{
		Allow: loopback().Allow, Resolver: names{"example.com": "127.0.0.1"},
	}}, s.URL)
	x := observe(t, f, request(t, "https://example.com"+s.URL[strings.LastIndex(s.URL, ":"):]), 1, 0)[0]
	tls := &record.TLS{Version: "TLS 1.3", ALPN: "http/1.1", Verified: true, ServerName: "example.com", Certificates: []string{hexSum(s.Certificate().Raw)}}
	if x.TLS != nil {
		tls.Cipher = x.TLS.Cipher
	}
	if !reflect.DeepEqual(x.TLS, tls) {
		t.Errorf("got %+v, want %+v", x.TLS, tls)
	}
	want := []record.Lookup{{Host: "example.com", Answers: []record.Answer{{Addr: netip.MustParseAddr("127.0.0.1")}}}}
	if !reflect.DeepEqual(x.Lookups, want) {
		t.Errorf("got lookups %+v, want %+v", x.Lookups, want)
	}
}

// A failure is observed as well, whatever it is.
func TestObserveFailure(t *testing.T) {
	big := strings.Repeat("x", 100<<10)
	refused, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	refused.Close()
	for _, row := range []struct {
		name, answer string
		kind         fetch.Kind
		status       int
		beginning    string
		cut          bool
	}{
		{"NotFound", "HTTP/1.1 404 Not Found\r\nContent-Length: 6\r\n\r\nno way", fetch.NotFound, 404, "no way", false},
		{"Long", "HTTP/1.1 500 X\r\nContent-Length: 102400\r\n\r\n" + big, fetch.Unavailable, 500, big[:fetch.MaxBeginning], true},
		{"Truncated", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", fetch.Truncated, 200, "half", false},
		{"TooLarge", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nhalf", fetch.TooLarge, 200, "", false},
		{"Digest", "HTTP/1.1 200 OK\r\nContent-MD5: AAAAAAAAAAAAAAAAAAAAAA==\r\nContent-Length: 4\r\n\r\nfull", fetch.DigestMismatch, 200, "full", false},
		{"Location", "HTTP/1.1 302 X\r\nLocation: http://user:SECRET@h/?SECRE\r\nContent-Length: 0\r\n\r\n", fetch.Blocked, 302, "", false},
		{"NotHTTP", "SSH-2.0-x\r\n\r\n", fetch.Protocol, 0, "", false},
		{"HungUp", "", fetch.Unavailable, 0, "", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := serveText(t, row.answer)
			x := observe(t, newFetcher(t, httpfetch.Options{}, s.url), request(t, s.url), 1, row.kind)[0]
			if kind := row.kind; x.Kind != kind && kind != fetch.Blocked || x.Status != row.status || (x.Error == "") != (x.Kind == 0) {
				t.Errorf("got %v, %q, status %d, want %v, status %d", x.Kind, x.Error, x.Status, kind, row.status)
			}
			if string(x.Beginning) != row.beginning || x.Cut != row.cut {
				t.Errorf("got %.20q, cut %v, want %.20q, %v", x.Beginning, x.Cut, row.beginning, row.cut)
			}
			if row.status != 0 && !strings.HasPrefix(string(x.ResponseHead), "HTTP/1.1 ") || !strings.HasPrefix(string(x.RequestHead), "GET / ") {
				t.Errorf("got heads %q, %q, want those of a GET and its answer", x.RequestHead, x.ResponseHead)
			}
		})
	}
	t.Run("Refused", func(t *testing.T) {
		url := "http://" + refused.Addr().String()
		x := observe(t, newFetcher(t, httpfetch.Options{}, url), request(t, url), 1, fetch.Unavailable)[0]
		if len(x.Dials) != 1 || x.Dials[0].Error == "" || x.Remote.IsValid() {
			t.Errorf("got %+v, want one dial that failed", x)
		}
	})
	t.Run("Address", func(t *testing.T) {
		guard := &netguard.Guard{Resolver: names{"a.test": "192.0.2.1 93.184.216.34 10.0.0.1"}}
		seen := observe(t, newFetcher(t, httpfetch.Options{Guard: guard}), request(t, "http://a.test/"), 1, fetch.Blocked)
		text, _ := json.Marshal(seen[0].Lookups)
		const want = `[{"host":"a.test","answers":[{"addr":"192.0.2.1","refused":"is not public"},{"addr":"93.184.216.34"},{"addr":"10.0.0.1","refused":"is not public"}]}]`
		if string(text) != want {
			t.Errorf("got %s, want %s", text, want)
		}
	})
}

// Requests to proxies are exchanges of their own, without their password.
func TestObserveProxy(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "x") })
	host := strings.TrimPrefix(s.URL, "http://")
	p := connectProxy(t, host, make(chan string, 1))
	proxy := request(t, strings.Replace(p.url, "//", "//joe:SECRET@", 1)).URL
	f := newFetcher(t, httpfetch.Options{Proxy: proxy}, s.URL)
	seen := observe(t, f, request(t, s.URL), 2, 0)
	f.CloseIdleConnections()
	x := seen[0]
	want := "CONNECT " + host + " HTTP/1.1\r\nHost: " + host + "\r\nProxy-Authorization: (cut)\r\n\r\n"
	equal(t, "the tunnel",
		fmt.Sprintln(x.Protocol, x.URL, x.Status, x.Remote),
		fmt.Sprintln("connect", p.url, 200, strings.Trim(p.url, "htp:/")))
	if answer := "HTTP/1.1 200 Connected\r\n\r\n"; string(x.RequestHead) != want || string(x.ResponseHead) != answer {
		t.Errorf("the tunnel: got %q for %q, want %q for %q", x.ResponseHead, x.RequestHead, answer, want)
	}
	equal(t, "the request",
		fmt.Sprintln(seen[1].Protocol, seen[1].Remote, seen[1].Content.Octets),
		fmt.Sprintln("http", x.Remote, 1))
}

// Without an observer nothing is kept, and a brief Exchange has only the facts that
// cost nothing.
func TestObserveBrief(t *testing.T) {
	s := serveText(t, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfull")
	req := request(t, s.url)
	driver.OfRequest(req).Brief = true
	x := observe(t, newFetcher(t, httpfetch.Options{}, s.url), req, 1, 0)[0]
	if x.RequestHead != nil || x.ResponseHead != nil || x.Content.SHA256 != "" {
		t.Errorf("got heads %q, %q and digest %q, want none", x.RequestHead, x.ResponseHead, x.Content.SHA256)
	}
	if x.Content.Octets != 4 || x.Status != 200 || !x.Remote.IsValid() || x.OctetsIn == 0 {
		t.Errorf("got %d octets, status %d, from %v, %d octets in, want 4, 200, an address and some", x.Content.Octets, x.Status, x.Remote, x.OctetsIn)
	}
}

// A body that is closed early ends its exchange, once.
func TestObserveClose(t *testing.T) {
	s := serveText(t, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfull")
	f := newFetcher(t, httpfetch.Options{}, s.url)
	for _, raw := range []bool{false, true} {
		req := request(t, s.url)
		n := 0
		req.Observe = func(x *fetch.Exchange) {
			n++
			if x.Kind != fetch.Local {
				t.Errorf("raw %v: got %v, want local", raw, x.Kind)
			}
		}
		do := fetch.Do
		if raw {
			do = func(ctx context.Context, f fetch.Fetcher, req *fetch.Request) (*fetch.Response, error) {
				return f.Fetch(ctx, req)
			}
		}
		resp, err := do(t.Context(), f, req)
		noError(t, err)
		resp.Body.Close()
		resp.Body.Close()
		if n != 1 {
			t.Errorf("raw %v: got %d exchanges, want 1", raw, n)
		}
	}
}

// Connections go from exchange to exchange, and the records of each stay with it.
func TestObserveConcurrent(t *testing.T) {
	s := serveTLS(t, func(w http.ResponseWriter, r *http.Request) { w.Header().Set("X-Path", r.URL.Path) })
	f := newFetcher(t, httpfetch.Options{TLSConfig: trust(s)}, s.URL)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				path := fmt.Sprintf("/%d-%d", i, j)
				req := request(t, s.URL+path)
				n := 0
				req.Observe = func(x *fetch.Exchange) {
					n++
					if x.TLS == nil || !strings.HasPrefix(string(x.RequestHead), "GET "+path+" ") || !strings.Contains(string(x.ResponseHead), "X-Path: "+path+"\r\n") {
						t.Errorf("%s: got %q for %q, %v, want its own and TLS", path, x.ResponseHead, x.RequestHead, x.TLS)
					}
				}
				if _, _, err := get(t, f, req); err != nil || n != 1 {
					t.Errorf("%s: got %d exchanges, %v, want 1, nil", path, n, err)
				}
			}
		})
	}
	wg.Wait()
}
