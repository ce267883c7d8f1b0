package httpfetch_test

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"sync"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// benchGuard allows all of loopback.
func benchGuard() *netguard.Guard {
	return &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}
}

// serveSizes answers /n with n octets, on one port of many loopback addresses.
func serveSizes(b *testing.B, addresses int) []string {
	data := make([]byte, 256<<10)
	rand.Read(data)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.URL.Path[1:])
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(n))
		for ; n > 0; n -= len(data) {
			w.Write(data[:min(n, len(data))])
		}
	})
	var hosts []string
	s := &http.Server{Handler: handler}
	b.Cleanup(func() { s.Close() })
	for i := range addresses {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.%d:0", i+2))
		if err != nil {
			b.Skip(err)
		}
		go s.Serve(l)
		hosts = append(hosts, l.Addr().String())
	}
	return hosts
}

// A getter copies the body of one URL to w.
type getter func(b *testing.B, u *url.URL, w io.Writer) (int64, error)

// check compares the octets that g gets with those of a plain client, outside the clock.
func (g getter) check(b *testing.B, u *url.URL) {
	b.StopTimer()
	defer b.StartTimer()
	defer http.DefaultClient.CloseIdleConnections()
	got, want := sha256.New(), sha256.New()
	if _, err := g(b, u, got); err != nil {
		b.Fatal(err)
	}
	resp, err := http.Get(u.String())
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(want, resp.Body); err != nil || !bytes.Equal(got.Sum(nil), want.Sum(nil)) {
		b.Fatalf("%s: got other octets than a plain client, %v", u, err)
	}
}

func fetchGetter(f fetch.Fetcher) getter {
	return func(b *testing.B, u *url.URL, w io.Writer) (int64, error) {
		resp, err := fetch.Do(b.Context(), f, &fetch.Request{URL: u})
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		return io.Copy(w, resp.Body)
	}
}

// observedGetter is fetchGetter with an observer.
func observedGetter(f fetch.Fetcher, brief bool) getter {
	return func(b *testing.B, u *url.URL, w io.Writer) (int64, error) {
		resp, err := fetch.Do(b.Context(), f, &fetch.Request{URL: u, Brief: brief, Observe: func(*fetch.Exchange) {}})
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		return io.Copy(w, resp.Body)
	}
}

func clientGetter(c *http.Client, size int) getter {
	pool := sync.Pool{New: func() any { b := make([]byte, size); return &b }}
	return func(b *testing.B, u *url.URL, w io.Writer) (int64, error) {
		resp, err := c.Get(u.String())
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		buf := pool.Get().(*[]byte)
		defer pool.Put(buf)
		return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{resp.Body}, *buf)
	}
}

// BenchmarkSmallBodies gets 2,000 bodies of 1.5 to 64 KB from 50 hosts, 16 at a
// time.
func BenchmarkSmallBodies(b *testing.B) {
	hosts := serveSizes(b, 50)
	var urls []*url.URL
	var total int64
	for i := range 2000 {
		n := 1500 + i*7919%62500
		total += int64(n)
		urls = append(urls, &url.URL{Scheme: "http", Host: hosts[i%len(hosts)], Path: "/" + strconv.Itoa(n)})
	}
	f := httpfetch.New(&httpfetch.Options{Guard: benchGuard()})
	defer f.CloseIdleConnections()
	transport := &http.Transport{MaxIdleConns: 128, MaxIdleConnsPerHost: 4, DisableCompression: true}
	defer transport.CloseIdleConnections()
	for _, bb := range []struct {
		name string
		get  getter
	}{
		{"Do", fetchGetter(f)},
		{"Brief", observedGetter(f, true)},
		{"Observed", observedGetter(f, false)},
		{"Client", clientGetter(&http.Client{Transport: transport}, 32<<10)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(total)
			b.ReportAllocs()
			for b.Loop() {
				work := make(chan *url.URL)
				var wg sync.WaitGroup
				for range 16 {
					wg.Go(func() {
						for u := range work {
							if _, err := bb.get(b, u, io.Discard); err != nil {
								b.Error(err)
							}
						}
					})
				}
				for _, u := range urls {
					work <- u
				}
				close(work)
				wg.Wait()
			}
			for _, u := range urls[:20] {
				bb.get.check(b, u)
			}
		})
	}
}

// BenchmarkLargeBody gets one body of 256 MiB.
func BenchmarkLargeBody(b *testing.B) {
	const size = 256 << 20
	host := serveSizes(b, 1)[0]
	u := &url.URL{Scheme: "http", Host: host, Path: "/" + strconv.Itoa(size)}
	f := httpfetch.New(&httpfetch.Options{Guard: benchGuard()})
	defer f.CloseIdleConnections()
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	for _, bb := range []struct {
		name string
		get  getter
	}{
		{"Do", fetchGetter(f)},
		{"Client", clientGetter(&http.Client{Transport: transport}, 256<<10)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				if n, err := bb.get(b, u, io.Discard); err != nil || n != size {
					b.Fatalf("got %d octets, %v, want %d, nil", n, err, size)
				}
			}
			bb.get.check(b, u)
		})
	}
}

// BenchmarkFetch gets one small body again and again, over one connection.
func BenchmarkFetch(b *testing.B) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				r := bufio.NewReader(c)
				for readRequest(r) != "" {
					io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello")
				}
			}()
		}
	}()
	u := &url.URL{Scheme: "http", Host: l.Addr().String(), Path: "/"}
	f := httpfetch.New(&httpfetch.Options{Guard: benchGuard()})
	defer f.CloseIdleConnections()
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	for _, bb := range []struct {
		name string
		get  getter
	}{
		{"Do", fetchGetter(f)},
		{"Brief", observedGetter(f, true)},
		{"Observed", observedGetter(f, false)},
		{"Client", clientGetter(&http.Client{Transport: transport}, 32<<10)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if n, err := bb.get(b, u, io.Discard); err != nil || n != 5 {
					b.Fatalf("got %d octets, %v, want 5, nil", n, err)
				}
			}
			bb.get.check(b, u)
		})
	}
}
