package sharefetch_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/fetchtest"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/sharefetch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func web() driver.Inspector {
	return httpfetch.New(&httpfetch.Options{Guard: fetchtest.Guard()})
}

// URLs that are not share links are handed on.
func TestConformance(t *testing.T) {
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: sharefetch.New(web()),
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			if obj.Fault == fetchtest.Forbidden {
				return request("http://[::1]/")
			}
			return request("http://" + serve(t, obj) + "/")
		},
		At:      func(host string) *fetch.Request { return request("http://" + host + "/") },
		Watches: true,
	})
}

// The same holds for share links, of which the start is looked at. A server on
// loopback stands for the host.
func TestConformanceOfLinks(t *testing.T) {
	hosts := &hosts{Layer: driver.Layer{Next: web()}}
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: sharefetch.New(hosts),
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			addr := "[::1]:80"
			if obj.Fault != fetchtest.Forbidden {
				addr = serve(t, obj)
			}
			return request("https://www.dropbox.com/s/" + hosts.add(addr) + "/a.bin")
		},
		At: func(host string) *fetch.Request {
			return request("https://www.dropbox.com/s/" + hosts.add(host) + "/a.bin")
		},
		Watches: true,
	})
}

// A hosts sends each share link to the address that it was added for.
type hosts struct {
	driver.Layer
	mu    sync.Mutex
	addrs []string
}

func (h *hosts) add(addr string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.addrs = append(h.addrs, addr)
	return fmt.Sprintf("a1b2c3d4id%d", len(h.addrs)-1)
}

func (h *hosts) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	var i int
	if _, err := fmt.Sscanf(req.URL.Path, "/s/a1b2c3d4id%d/a.bin", &i); err != nil || req.URL.Query().Get("dl") != "1" {
		return nil, fetch.Protocol
	}
	h.mu.Lock()
	addr := h.addrs[i]
	h.mu.Unlock()
	r := *req
	r.URL = &url.URL{Scheme: "http", Host: addr, Path: "/", RawQuery: req.URL.RawQuery}
	return h.Next.Fetch(ctx, &r)
}

// serve serves obj and returns its address.
func serve(t *testing.T, obj fetchtest.Object) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var conns []net.Conn
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns = append(conns, c)
			mu.Unlock()
			wg.Go(func() {
				defer c.Close()
				answer(c, obj)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		for _, c := range conns {
			c.Close()
		}
		mu.Unlock()
		wg.Wait()
	})
	return l.Addr().String()
}

// answer answers the requests of one connection with obj.
func answer(c net.Conn, obj fetchtest.Object) {
	r := bufio.NewReader(c)
	for {
		if _, err := http.ReadRequest(r); err != nil {
			obj.Left()
			return
		}
		body := obj.Body
		switch obj.Fault {
		case fetchtest.Missing:
			fmt.Fprint(c, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
			continue
		case fetchtest.Mute:
			continue
		case fetchtest.Cut, fetchtest.Stalled:
			body = body[:len(body)/2]
		}
		fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(obj.Body), body)
		if obj.Fault == fetchtest.Cut {
			return
		}
	}
}
