package httpfetch_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	mathrand "math/rand/v2"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

// randomCuts returns n places within size octets, in order.
func randomCuts(seed uint64, n, size int) []int {
	rnd := mathrand.New(mathrand.NewPCG(seed, 1))
	cuts := make([]int, n)
	for i := range cuts {
		cuts[i] = rnd.IntN(size)
	}
	slices.Sort(cuts)
	return cuts
}

// 100 random cuts of 10 MB: the octets are right, and hardly any comes twice.
func TestResumeRandom(t *testing.T) {
	body := make([]byte, 10_000_000)
	mathrand.NewChaCha8([32]byte{}).Read(body)
	s := serveLossy(t, body, randomCuts(1, 100, len(body)), false)
	var in int64
	req := request(t, s.url)
	req.Brief = true
	req.Observe = func(x *fetch.Exchange) { in += x.OctetsIn }
	_, got, err := get(t, newFetcher(t, httpfetch.Options{}, s.url), req)
	if err != nil || got != string(body) {
		t.Fatalf("got %d octets, %v, want %d, nil", len(got), err, len(body))
	}
	if in*100 > int64(len(body))*105 {
		t.Errorf("got %d octets on the wire for %d, want at most 5%% more", in, len(body))
	}
	if n := s.conns.Load(); n != 101 {
		t.Errorf("got %d connections, want 101", n)
	}
}

// What a server may answer when the rest is asked for. The body is 0123456789, of
// which half comes first.
func TestResumeHostile(t *testing.T) {
	other := serveText(t, "HTTP/1.1 206 X\r\nETag: \"v\"\r\nContent-Range: bytes 5-9/10\r\nContent-Length: 5\r\n\r\n56789")
	const first = "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 10\r\n\r\n01234"
	for _, row := range []struct {
		name          string
		first, second string
		want          string // "" for Truncated
		conns         int32
		hops          int // that CheckHop is asked about
	}{
		{"Good", first, "HTTP/1.1 206 X\r\nETag: \"v\"\r\nContent-Range: bytes 5-9/10\r\nContent-Length: 5\r\n\r\n56789", "0123456789", 2, 0},
		{"Chunked", "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n", "HTTP/1.1 206 X\r\nETag: \"v\"\r\nContent-Range: bytes 5-9/10\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n56789\r\n0\r\n\r\n", "0123456789", 2, 0},
		{"Whole", first, "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 10\r\n\r\n0123456789", "", 2, 0},
		{"WholeChanged", first, "HTTP/1.1 200 OK\r\nETag: \"w\"\r\nContent-Length: 10\r\n\r\nabcdefghij", "", 2, 0},
		{"OtherRange", first, "HTTP/1.1 206 X\r\nETag: \"v\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6\r\n\r\n456789", "", 2, 0},
		{"OtherValidator", first, "HTTP/1.1 206 X\r\nETag: \"w\"\r\nContent-Range: bytes 5-9/10\r\nContent-Length: 5\r\n\r\nfghij", "", 2, 0},
		{"Grows", first, "HTTP/1.1 206 X\r\nETag: \"v\"\r\nContent-Range: bytes 5-10/11\r\nContent-Length: 6\r\n\r\n56789X", "", 2, 0},
		{"TooMuch", first, "HTTP/1.1 206 X\r\nETag: \"v\"\r\nContent-Range: bytes 5-9/10\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n56789X\r\n0\r\n\r\n", "", 2, 0},
		{"NotSatisfiable", first, "HTTP/1.1 416 X\r\nContent-Range: bytes */5\r\nContent-Length: 0\r\n\r\n", "", 2, 0},
		{"NotModified", first, "HTTP/1.1 304 X\r\nETag: \"v\"\r\n\r\n", "", 2, 0},
		{"Coded", first, "HTTP/1.1 206 X\r\nETag: \"v\"\r\nContent-Encoding: gzip\r\nContent-Range: bytes 5-9/10\r\nContent-Length: 5\r\n\r\n56789", "", 2, 0},
		{"Elsewhere", first, "HTTP/1.1 302 X\r\nLocation: " + other.url + "\r\nContent-Length: 0\r\n\r\n", "", 2, 0},
		{"Refused", first, "HTTP/1.1 302 X\r\nLocation: /denied\r\nContent-Length: 0\r\n\r\n", "", 2, 1},
		{"WeakValidator", strings.Replace(first, `"v"`, `W/"v"`, 1), "", "", 1, 0},
		{"NoValidator", strings.Replace(first, "ETag", "X", 1), "", "", 1, 0},
		{"NoRanges", strings.Replace(first, "ETag", "Accept-Ranges: none\r\nETag", 1), "", "", 1, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			var asked atomic.Int32
			s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
				readRequest(r)
				answer := row.first
				if asked.Add(1) > 1 {
					answer = row.second
				}
				io.WriteString(c, answer)
			})
			hops := 0
			req := request(t, s.url)
			req.CheckHop = func(_ context.Context, _, to *url.URL) error {
				hops++
				return fetch.Denied
			}
			_, got, err := get(t, newFetcher(t, httpfetch.Options{}, s.url, other.url), req)
			switch {
			case row.want != "":
				if got != row.want || err != nil {
					t.Errorf("got %q, %v, want %q", got, err, row.want)
				}
			case fetch.KindOf(err) != fetch.Truncated && row.name != "TooMuch":
				t.Errorf("got %q, %v, want Truncated", got, err)
			case err == nil || !strings.HasPrefix("0123456789", got) || len(got) >= 10:
				t.Errorf("got %q, %v, want a beginning of the body and an error", got, err)
			}
			if n := s.conns.Load(); n != row.conns || hops != row.hops || other.conns.Load() != 0 {
				t.Errorf("got %d connections, %d hops, %d elsewhere, want %d, %d, 0", n, hops, other.conns.Load(), row.conns, row.hops)
			}
		})
	}
}

// BenchmarkResume gets 100 MB over connections that are lost at 100 random places.
func BenchmarkResume(b *testing.B) {
	body := bytes.Repeat([]byte("0123456789"), 10_000_000)
	f := httpfetch.New(&httpfetch.Options{Guard: benchGuard()})
	defer f.CloseIdleConnections()
	for seed := uint64(0); b.Loop(); seed++ {
		s := serveLossy(b, body, randomCuts(seed, 100, len(body)), false)
		var in int64
		req := request(b, s.url)
		req.Brief = true
		req.Observe = func(x *fetch.Exchange) { in += x.OctetsIn }
		resp, err := fetch.Do(b.Context(), f, req)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		buf := make([]byte, 64<<10)
		for err == nil {
			var m int
			m, err = resp.Body.Read(buf)
			if !bytes.Equal(buf[:m], body[n:n+m]) {
				b.Fatalf("got other octets after %d, want those of the body", n)
			}
			n += m
		}
		resp.Body.Close()
		if err != io.EOF || n != len(body) {
			b.Fatalf("got %d octets, %v, want %d, EOF", n, err, len(body))
		}
		b.ReportMetric(float64(in)/float64(n), "sent/octet")
	}
	b.SetBytes(int64(len(body)))
}
