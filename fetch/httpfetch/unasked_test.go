package httpfetch_test

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

// OP-39. The octets after an answer are another answer in each way in which they may come before the next
// request: with the answer, after it, and while the connection is unused. No body is another URL's.
func TestUnaskedOctets(t *testing.T) {
	exchanges := 200
	if os.Getenv("EXTBODY_SLOW") != "" {
		exchanges = 20000
	}
	const clients = 4
	const other = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nswapped"
	answer := func(n int, body string) string {
		if n%2 == 0 {
			return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		}
		return fmt.Sprintf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(body), body)
	}
	sent := make([]chan bool, clients) // all octets of an answer, and those after it
	for i := range sent {
		sent[i] = make(chan bool, 1)
	}
	var number atomic.Int64
	talk := func(c net.Conn, r *bufio.Reader) {
		for {
			head := readRequest(r)
			if head == "" {
				return
			}
			var client, n int
			if _, err := fmt.Sscanf(head, "GET /%d/%d ", &client, &n); err != nil {
				return
			}
			body := fmt.Sprintf("/%d/%d", client, n)
			switch number.Add(1) % 4 {
			case 0:
				io.WriteString(c, answer(n, body)+other)
			case 1:
				io.WriteString(c, answer(n, body))
				io.WriteString(c, other)
			case 2:
				io.WriteString(c, answer(n, body)+other[:20])
				io.WriteString(c, other[20:])
			case 3:
				io.WriteString(c, answer(n, body))
			}
			select {
			case sent[client] <- true:
			default: // the client has given up
			}
		}
	}
	plain := serveRaw(t, talk)
	identity := serveTLS(t, func(http.ResponseWriter, *http.Request) {})
	secured := serveRaw(t, func(c net.Conn, _ *bufio.Reader) {
		tc := tls.Server(c, identity.TLS)
		talk(tc, bufio.NewReader(tc))
	})

	for _, s := range []struct {
		name, url string
	}{{"Plain", plain.url}, {"TLS", secure(secured.url)}} {
		t.Run(s.name, func(t *testing.T) {
			var reused atomic.Int64
			var wg sync.WaitGroup
			for client := range clients {
				f := newFetcher(t, httpfetch.Options{TLSConfig: trust(identity), KeepConnections: true}, s.url) // with connections of its own
				wg.Go(func() {
					for n := range exchanges / clients / 2 {
						path := fmt.Sprintf("/%d/%d", client, n)
						u, _ := url.Parse(strings.TrimSuffix(s.url, "/") + path)
						req := &fetch.Request{URL: u, Observe: func(x *fetch.Exchange) {
							if x.Reused && x.Status != 0 {
								reused.Add(1)
							}
						}}
						_, data, err := get(t, f, req)
						if err != nil || data != path {
							t.Errorf("%s: got %q, %v", path, data, err)
							return
						}
						<-sent[client]
					}
				})
			}
			wg.Wait()
			if reused.Load() == 0 {
				t.Error("no connection was used twice")
			}
		})
	}
}

// OP-54. On a connection that carries one request no body is another URL's, also if the octets after an
// answer come a moment later, as the next request would be on its way.
func TestOneRequest(t *testing.T) {
	exchanges := 400
	if os.Getenv("EXTBODY_SLOW") != "" {
		exchanges = 20000
	}
	const clients = 8
	const other = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nswapped"
	talk := func(c net.Conn, r *bufio.Reader) {
		for {
			head := readRequest(r)
			var n int
			if _, err := fmt.Sscanf(head, "GET /%d ", &n); err != nil {
				return
			}
			body := fmt.Sprintf("/%d", n)
			io.WriteString(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
			time.Sleep([...]time.Duration{0, 0, 2 * time.Millisecond, 20 * time.Millisecond}[n%4])
			io.WriteString(c, other)
		}
	}
	plain := serveRaw(t, talk)
	identity := serveTLS(t, func(http.ResponseWriter, *http.Request) {})
	secured := serveRaw(t, func(c net.Conn, _ *bufio.Reader) {
		tc := tls.Server(c, identity.TLS)
		talk(tc, bufio.NewReader(tc))
	})
	for _, s := range []struct {
		name, url string
		conns     *atomic.Int32
	}{{"Plain", plain.url, &plain.conns}, {"TLS", secure(secured.url), &secured.conns}} {
		t.Run(s.name, func(t *testing.T) {
			f := newFetcher(t, httpfetch.Options{TLSConfig: trust(identity)}, s.url)
			var next, wrong atomic.Int64
			var wg sync.WaitGroup
			for range clients {
				wg.Go(func() {
					for n := next.Add(1); int(n) <= exchanges/2; n = next.Add(1) {
						path := fmt.Sprintf("/%d", n)
						u, _ := url.Parse(strings.TrimSuffix(s.url, "/") + path)
						if _, data, err := get(t, f, &fetch.Request{URL: u}); err != nil || data != path {
							wrong.Add(1)
							t.Logf("%s: got %q, %v", path, data, err)
						}
					}
				})
			}
			wg.Wait()
			equal(t, "wrong bodies", wrong.Load(), 0)
			equal(t, "connections", int(s.conns.Load()), exchanges/2)
		})
	}
}

// OP-54. Octets that have come when the connection is closed after its answer are in the Exchange, and the
// layers above learn of them.
func TestUnaskedNoted(t *testing.T) {
	const answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
	identity := serveTLS(t, func(http.ResponseWriter, *http.Request) {})
	for _, tt := range []struct {
		name  string
		texts []string
		want  bool
	}{
		{"With", []string{answer + "x"}, true},
		{"After", []string{answer, "x"}, true},
		{"Chunked", []string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "HTTP/1.1"}, true},
		{"NotModified", []string{"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", "hello"}, true},
		{"Redirect", []string{"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /\r\n\r\n", answer}, true},
		{"None", []string{answer}, false},
		{"Nothing", []string{"HTTP/1.1 204 No Content\r\n\r\n"}, false},
	} {
		for _, secured := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/TLS=%v", tt.name, secured), func(t *testing.T) {
				s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
					together := &corked{Conn: c}
					c = together
					if secured {
						tc := tls.Server(together, identity.TLS)
						c = tc
						r = bufio.NewReader(tc)
					}
					if readRequest(r) == "" {
						return
					}
					together.cork = true
					for _, text := range tt.texts {
						io.WriteString(c, text)
					}
					together.Conn.Write(together.held)
					wait(r)
				})
				at := s.url
				if secured {
					at = secure(s.url)
				}
				f := newFetcher(t, httpfetch.Options{TLSConfig: trust(identity)}, s.url)
				req := request(t, at)
				req.MaxRedirects = -1
				req.Conditions = &fetch.Conditions{ETag: `"x"`}
				noted := false
				req.Observe = func(x *fetch.Exchange) { noted = x.Unasked }
				resp, err := f.Fetch(t.Context(), req)
				if err == nil {
					io.Copy(io.Discard, resp.Body)
					equal(t, "reported", driver.OfResponse(resp).Unasked(), tt.want)
					resp.Body.Close()
				}
				equal(t, "noted", noted, tt.want)
			})
		}
	}
}

// A corked connection collects the octets that are written while cork is set.
type corked struct {
	net.Conn
	cork bool
	held []byte
}

func (c *corked) Write(p []byte) (int, error) {
	if !c.cork {
		return c.Conn.Write(p)
	}
	c.held = append(c.held, p...)
	return len(p), nil
}

// A server that speaks first on a new connection is not an HTTP server.
func TestSpeaksFirst(t *testing.T) {
	spoken := make(chan bool)
	s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nswapped")
		spoken <- true
		wait(r)
	})
	f := newFetcher(t, httpfetch.Options{}, s.url)
	for range 20 {
		req := request(t, s.url)
		req.Progress = func(e fetch.Event) {
			if e.Phase == fetch.Sending {
				<-spoken
			}
		}
		wantKind(t, f, req, fetch.Protocol)
	}
	equal(t, "connections", s.conns.Load(), 20)
}

// The end of an answer is where net/http finds it, however the octets come.
func FuzzAnswers(f *testing.F) {
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, answer := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1",
		"HTTP/1.1 200 OK\nContent-Length: 2\n\nok\n",
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nokok",
		"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nx",
		"HTTP/1.1 204 No\r\nContent-Length: 4\r\n\r\nxxxx",
		"HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\nxxxx",
		"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\nxy",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\ny",
		"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n2\r\nok\r\n0\r\n\r\nx",
		"HTTP/1.0 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 1\r\n\r\nxy",
		"HTTP/1.1 200 OK\r\n\r\nto the end", "SSH-2.0-x\r\n",
		chunked + "2\r\nok\r\n0\r\n\r\nx",
		chunked + "2;a=b\r\nok\r\n00\r\nTrailer: x\r\n y\r\n\r\n\r\n",
		chunked + "2 \r\nok\r\n0\r\nTrailer: x\n\nmore\r\n\r\n",
		chunked + "2\nok\n0\n\nx", chunked + "0x2\r\nok\r\n0\r\n\r\n", chunked + "2\r\nokay\r\n0\r\n\r\n",
	} {
		f.Add(answer, 1)
		f.Add(answer, 1000)
	}
	f.Fuzz(func(t *testing.T, answer string, piece int) {
		out, taken, fault := httpfetch.TakeAnswer(answer, max(piece, 1))
		if fault != nil {
			return
		}
		src := strings.NewReader(string(out) + answer[taken:])
		r := bufio.NewReader(src)
		for status := 100; status/100 == 1; {
			resp, err := http.ReadResponse(r, &http.Request{Method: http.MethodGet})
			if err != nil || resp.StatusCode == http.StatusSwitchingProtocols {
				return // the server sends no next answer
			}
			if status = resp.StatusCode; status/100 == 1 {
				continue
			}
			if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				return
			}
		}
		want := len(out) + len(answer) - taken - src.Len() - r.Buffered()
		if len(out) != want {
			t.Errorf("got an answer of %d octets, want %d", len(out), want)
		}
	})
}
