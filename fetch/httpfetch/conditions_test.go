package httpfetch_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

func TestNotModified(t *testing.T) {
	const date = "Sat, 21 Nov 2026 10:00:00 GMT"
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Cache-Control", "max-age=60")
		if r.Header.Get("If-None-Match") == `"v1"` || r.Header.Get("If-Modified-Since") == date {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, "new")
	})
	f := newFetcher(t, httpfetch.Options{}, s.URL)
	for _, row := range []struct {
		name string
		c    *fetch.Conditions
		want bool
	}{
		{"ETag", &fetch.Conditions{ETag: `"v1"`}, true},
		{"WeakETag", &fetch.Conditions{ETag: `W/"v1"`}, false},
		{"LastModified", &fetch.Conditions{LastModified: date}, true},
		{"Other", &fetch.Conditions{ETag: `"v0"`, LastModified: "Sat, 21 Nov 2026 09:00:00 GMT"}, false},
		{"Injected", &fetch.Conditions{ETag: "\"v1\r\nX: y\"", LastModified: "yesterday"}, false},
		{"SameURL", &fetch.Conditions{URL: s.URL + "/", ETag: `"v1"`}, true},
		{"OtherURL", &fetch.Conditions{URL: s.URL + "/other", ETag: `"v1"`, LastModified: date}, false},
		{"None", nil, false},
	} {
		req := request(t, s.URL+"/")
		req.Conditions = row.c
		resp, data, err := get(t, f, req)
		noError(t, err)
		equal(t, row.name, data, map[bool]string{true: "", false: "new"}[row.want])
		if resp.NotModified != row.want || (resp.Status == 304) != row.want {
			t.Errorf("%s: got NotModified %v, status %d, want %v", row.name, resp.NotModified, resp.Status, row.want)
		}
		equal(t, row.name, resp.Header.Get("Cache-Control"), "max-age=60")
	}
}

// A 304 that was not asked for is not an answer.
func TestNotModifiedUnasked(t *testing.T) {
	s := serveText(t, "HTTP/1.1 304 Not Modified\r\n\r\n")
	f := newFetcher(t, httpfetch.Options{}, s.url)
	wantKind(t, f, request(t, s.url), fetch.Protocol)
	req := request(t, s.url)
	req.Conditions = &fetch.Conditions{ETag: `"v1"`, Offset: 3}
	wantKind(t, f, req, fetch.Protocol)
}

func TestRange(t *testing.T) {
	const whole = "0123456789"
	for _, row := range []struct {
		name, answer string
		c            fetch.Conditions
		want         string // the Body, "" for an error
		offset       int64
	}{
		{"Good", "206 X\r\nETag: \"v\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6", fetch.Conditions{ETag: `"v"`, Offset: 4, Size: 10}, "456789", 4},
		{"SizeUnknown", "206 X\r\nETag: \"v\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6", fetch.Conditions{ETag: `"v"`, Offset: 4}, "456789", 4},
		{"Whole", "200 OK\r\nETag: \"v\"\r\nContent-Length: 10", fetch.Conditions{ETag: `"v"`, Offset: 4}, whole, 0},
		{"ReprDigest", "206 X\r\nETag: \"v\"\r\nRepr-Digest: sha-256=:AAAA:\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6", fetch.Conditions{ETag: `"v"`, Offset: 4}, "456789", 4},
		{"Earlier", "206 X\r\nETag: \"v\"\r\nContent-Range: bytes 3-9/10\r\nContent-Length: 7", fetch.Conditions{ETag: `"v"`, Offset: 4}, "3456789", 3},
		{"UnknownOfKnown", "206 X\r\nETag: \"v\"\r\nContent-Range: bytes 4-9/*\r\nContent-Length: 6", fetch.Conditions{ETag: `"v"`, Offset: 4, Size: 10}, "456789", 4},
		{"UnknownAndShorter", "206 X\r\nETag: \"v\"\r\nContent-Range: bytes 4-8/*\r\nContent-Length: 5", fetch.Conditions{ETag: `"v"`, Offset: 4, Size: 10}, "", 0},
		{"Later", "206 X\r\nETag: \"v\"\r\nContent-Range: bytes 5-9/10\r\nContent-Length: 5", fetch.Conditions{ETag: `"v"`, Offset: 4}, "", 0},
		{"Shorter", "206 X\r\nETag: \"v\"\r\nContent-Range: bytes 4-8/10\r\nContent-Length: 5", fetch.Conditions{ETag: `"v"`, Offset: 4}, "", 0},
		{"Grows", "206 X\r\nETag: \"v\"\r\nContent-Range: bytes 4-19/20\r\nContent-Length: 16", fetch.Conditions{ETag: `"v"`, Offset: 4, Size: 10}, "", 0},
		{"Unknown", "206 X\r\nETag: \"v\"\r\nContent-Range: bytes 4-9/*\r\nContent-Length: 6", fetch.Conditions{ETag: `"v"`, Offset: 4}, "", 0},
		{"OtherUnit", "206 X\r\nETag: \"v\"\r\nContent-Range: lines 4-9/10\r\nContent-Length: 6", fetch.Conditions{ETag: `"v"`, Offset: 4}, "", 0},
		{"NoRange", "206 X\r\nETag: \"v\"\r\nContent-Length: 6", fetch.Conditions{ETag: `"v"`, Offset: 4}, "", 0},
		{"TwoRanges", "206 X\r\nETag: \"v\"\r\nContent-Range: bytes 4-9/10\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6", fetch.Conditions{ETag: `"v"`, Offset: 4}, "", 0},
		{"OtherLength", "206 X\r\nETag: \"v\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 5", fetch.Conditions{ETag: `"v"`, Offset: 4}, "", 0},
		{"OtherETag", "206 X\r\nETag: \"w\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6", fetch.Conditions{ETag: `"v"`, Offset: 4}, "", 0},
		{"WeakETag", "206 X\r\nETag: W/\"v\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6", fetch.Conditions{ETag: `"v"`, Offset: 4}, "", 0},
		{"NoETag", "206 X\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6", fetch.Conditions{ETag: `"v"`, Offset: 4}, "", 0},
		{"TwoETags", "206 X\r\nETag: \"v\"\r\nETag: \"w\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6", fetch.Conditions{ETag: `"v"`, Offset: 4}, "", 0},
		{"Unasked", "206 X\r\nETag: W/\"v\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6", fetch.Conditions{ETag: `W/"v"`, Offset: 4}, "", 0},
		{"Multipart", "206 X\r\nETag: \"v\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6\r\nContent-Type: Multipart/byteranges; boundary=x", fetch.Conditions{ETag: `"v"`, Offset: 4}, "", 0},
		{"OutOfRange", "416 X\r\nContent-Range: bytes */10\r\nContent-Length: 0", fetch.Conditions{ETag: `"v"`, Offset: 4}, "", 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := serveText(t, "HTTP/1.1 "+row.answer+"\r\n\r\n"+whole[row.offset:])
			req := request(t, s.url)
			req.Conditions = &row.c
			f := newFetcher(t, httpfetch.Options{}, s.url)
			resp, data, err := get(t, f, req)
			if row.want == "" {
				if fetch.KindOf(err) != fetch.Protocol || resp != nil { // before there is a body
					t.Errorf("got %+v, %v, want Protocol", resp, err)
				}
				return
			}
			noError(t, err)
			if data != row.want || resp.Offset != row.offset {
				t.Errorf("got %q at %d, want %q at %d", data, resp.Offset, row.want, row.offset)
			}
		})
	}
}

// The fields that are sent for a range, and that they are not sent without a strong
// validator.
func TestRangeRequest(t *testing.T) {
	got := make(chan string, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got <- strings.Join([]string{r.Header.Get("Range"), r.Header.Get("If-Range"), r.Header.Get("If-None-Match")}, "|")
	})
	f := newFetcher(t, httpfetch.Options{}, s.URL)
	for _, row := range []struct {
		name string
		c    fetch.Conditions
		want string
	}{
		{"Strong", fetch.Conditions{ETag: `"v"`, Offset: 7}, `bytes=7-|"v"|`},
		{"Weak", fetch.Conditions{ETag: `W/"v"`, Offset: 7}, "||"},
		{"Longest", fetch.Conditions{ETag: `"` + strings.Repeat("v", 1022) + `"`, Offset: 7}, `bytes=7-|"` + strings.Repeat("v", 1022) + `"|`},
		{"TooLong", fetch.Conditions{ETag: `"` + strings.Repeat("v", 1023) + `"`, Offset: 7}, "||"},
		{"Date", fetch.Conditions{LastModified: "Sat, 21 Nov 2026 10:00:00 GMT", Offset: 7}, "||"},
		{"NoOffset", fetch.Conditions{ETag: `"v"`}, `||"v"`},
		{"Negative", fetch.Conditions{ETag: `"v"`, Offset: -7}, `||"v"`},
	} {
		req := request(t, s.URL)
		req.Conditions = &row.c
		wantBody(t, f, req, "")
		equal(t, row.name, <-got, row.want)
	}
}

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
	driver.OfRequest(req).Brief = true
	req.Observe = func(x *fetch.Exchange) { in += x.OctetsIn }
	_, got, err := get(t, newFetcher(t, httpfetch.Options{}, s.url), req)
	if err != nil || got != string(body) {
		t.Fatalf("got %d octets, %v, want %d, nil", len(got), err, len(body))
	}
	if in*100 > int64(len(body))*105 {
		t.Errorf("got %d octets on the wire for %d, want at most 5%% more", in, len(body))
	}
	equal(t, "connections", s.conns.Load(), 101)
}

// The answers that a server may give when the rest is asked for. The body is
// 0123456789, of which half comes first.
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
		{"Whole", first, "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 10\r\n\r\n0123456789", "0123456789", 2, 0},
		{"WholeRange", first, "HTTP/1.1 206 X\r\nETag: \"v\"\r\nContent-Range: bytes 0-9/10\r\nContent-Length: 10\r\n\r\n0123456789", "0123456789", 2, 0},
		{"UnknownTotal", first, "HTTP/1.1 206 X\r\nETag: \"v\"\r\nContent-Range: bytes 5-9/*\r\nContent-Length: 5\r\n\r\n56789", "0123456789", 2, 0},
		{"WholeOfOtherOctets", first, "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 10\r\n\r\n01X3456789", "", 2, 0},
		{"WholeChanged", first, "HTTP/1.1 200 OK\r\nETag: \"w\"\r\nContent-Length: 10\r\n\r\nabcdefghij", "", 2, 0},
		{"Earlier", first, "HTTP/1.1 206 X\r\nETag: \"v\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6\r\n\r\n456789", "0123456789", 2, 0},
		{"EarlierOfOtherOctets", first, "HTTP/1.1 206 X\r\nETag: \"v\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6\r\n\r\nX56789", "", 2, 0},
		{"Later", first, "HTTP/1.1 206 X\r\nETag: \"v\"\r\nContent-Range: bytes 6-9/10\r\nContent-Length: 4\r\n\r\n6789", "", 2, 0},
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

// HT-16. The time for which a server asks is in the error (RFC 9110 section
// 10.2.3), as seconds or as a date, within a bound.
func TestAfter(t *testing.T) {
	const day = 24 * time.Hour
	inTenMinutes := func() string { return time.Now().Add(10 * time.Minute).UTC().Format(http.TimeFormat) }
	for _, tt := range []struct {
		name  string
		field func() string
		code  int
		want  time.Duration // from now; -1 for no time at all
	}{
		{"Seconds", func() string { return "600" }, 429, 10 * time.Minute},
		{"Unavailable", func() string { return "600" }, 503, 10 * time.Minute},
		{"Date", inTenMinutes, 503, 10 * time.Minute},
		{"Now", func() string { return "0" }, 503, 0},
		{"Past", func() string { return "Sat, 21 Nov 2015 10:00:00 GMT" }, 503, 0},
		{"TwoDays", func() string { return "172800" }, 503, day},
		{"Overflow", func() string { return "99999999999999999999" }, 503, day},
		{"FarDate", func() string { return "Sat, 21 Nov 9999 10:00:00 GMT" }, 503, day},
		{"Several", func() string { return "1\r\nRetry-After: 600\r\nRetry-After: 2" }, 429, 10 * time.Minute},
		{"SeveralDates", func() string { return "soon\r\nRetry-After: " + inTenMinutes() + "\r\nRetry-After: 0" }, 503, 10 * time.Minute},
		{"List", func() string { return "1, 600" }, 429, 10 * time.Minute},
		{"ListOfWords", func() string { return "soon, later" }, 429, -1},
		{"Negative", func() string { return "-1" }, 503, -1},
		{"Word", func() string { return "soon" }, 503, -1},
		{"Empty", func() string { return "" }, 503, -1},
		{"OtherStatus", inTenMinutes, 500, -1},
		{"NotFound", inTenMinutes, 404, -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
				for readRequest(r) != "" {
					fmt.Fprintf(c, "HTTP/1.1 %d Later\r\nRetry-After: %s\r\nContent-Length: 0\r\n\r\n", tt.code, tt.field())
				}
			})
			start := time.Now()
			_, _, err := get(t, newFetcher(t, httpfetch.Options{}, s.url), request(t, s.url))
			after := fetch.AfterOf(err)
			if tt.want < 0 {
				if !after.IsZero() {
					t.Errorf("got %v in %v, want no time", after, err)
				}
				return
			}
			// A date has no fractions of a second.
			early, late := start.Add(tt.want-time.Second), time.Now().Add(tt.want)
			if after.Before(early) || after.After(late) {
				t.Errorf("got %v in %v, want %v to %v", after, err, early, late)
			}
		})
	}
}
