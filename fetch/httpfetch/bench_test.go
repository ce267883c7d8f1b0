package httpfetch_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

// BenchmarkFetch gets a small body and one of 256 MiB again and again, over one connection,
// with and without an observer, and with a plain client. The octets are compared outside the
// clock.
func BenchmarkFetch(b *testing.B) {
	data := make([]byte, 256<<10)
	rand.Read(data)
	s := serve(b, func(w http.ResponseWriter, r *http.Request) {
		var size int
		fmt.Sscanf(r.URL.Path, "/%d", &size)
		w.Header().Set("Content-Length", fmt.Sprint(size))
		for ; size > 0; size -= len(data) {
			w.Write(data[:min(size, len(data))])
		}
	})
	f := newFetcher(b, httpfetch.Options{}, s.URL)
	do := func(observe func(*fetch.Exchange), brief bool) func(*url.URL, io.Writer) (int64, error) {
		return func(u *url.URL, w io.Writer) (int64, error) {
			req := &fetch.Request{URL: u, Observe: observe}
			driver.OfRequest(req).Brief = brief
			resp, err := fetch.Do(b.Context(), f, req)
			if err != nil {
				return 0, err
			}
			defer resp.Body.Close()
			return io.Copy(w, resp.Body)
		}
	}
	nothing := func(*fetch.Exchange) {}
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	plain := func(u *url.URL, w io.Writer) (int64, error) {
		resp, err := client.Get(u.String())
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{resp.Body}, make([]byte, 256<<10))
	}
	for _, size := range []int64{5, 256 << 20} {
		u := request(b, fmt.Sprintf("%s/%d", s.URL, size)).URL
		for _, way := range []struct {
			name string
			get  func(*url.URL, io.Writer) (int64, error)
		}{{"Do", do(nil, false)}, {"Brief", do(nothing, true)}, {"Observed", do(nothing, false)}, {"Client", plain}} {
			b.Run(fmt.Sprint(way.name, size), func(b *testing.B) {
				b.SetBytes(size)
				b.ReportAllocs()
				for b.Loop() {
					if n, err := way.get(u, io.Discard); err != nil || n != size {
						b.Fatalf("got %d octets, %v, want %d, nil", n, err, size)
					}
				}
				b.StopTimer()
				got, want := sha256.New(), sha256.New()
				way.get(u, got)
				if plain(u, want); !bytes.Equal(got.Sum(nil), want.Sum(nil)) {
					b.Error("got other octets than a plain client")
				}
			})
		}
	}
}
