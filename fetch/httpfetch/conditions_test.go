package httpfetch_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
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
		resp, err := fetch.Do(t.Context(), f, req)
		if err != nil {
			t.Fatalf("%s: got error %v, want none", row.name, err)
		}
		data, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if want := map[bool]string{true: "", false: "new"}[row.want]; string(data) != want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", row.name, data, err, want)
		}
		if resp.NotModified != row.want || (resp.Status == 304) != row.want {
			t.Errorf("%s: got NotModified %v, status %d, want %v", row.name, resp.NotModified, resp.Status, row.want)
		}
		if got := resp.Header.Get("Cache-Control"); got != "max-age=60" {
			t.Errorf("%s: got Cache-Control %q, want %q", row.name, got, "max-age=60")
		}
	}
}

// A 304 that nobody asked for is not an answer.
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
		{"Earlier", "206 X\r\nETag: \"v\"\r\nContent-Range: bytes 3-9/10\r\nContent-Length: 7", fetch.Conditions{ETag: `"v"`, Offset: 4}, "", 0},
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
			resp, err := fetch.Do(t.Context(), f, req)
			if row.want == "" {
				if fetch.KindOf(err) != fetch.Protocol { // before there is a body
					t.Errorf("got %+v, %v, want Protocol", resp, err)
				}
				if err == nil {
					resp.Body.Close()
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			data, err := io.ReadAll(resp.Body)
			if string(data) != row.want || err != nil || resp.Offset != row.offset {
				t.Errorf("got %q at %d, %v, want %q at %d", data, resp.Offset, err, row.want, row.offset)
			}
		})
	}
}

// What is sent for a range, and that it is not sent without a strong validator.
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
		resp, err := fetch.Do(t.Context(), f, req)
		if err != nil {
			t.Fatalf("%s: got error %v, want none", row.name, err)
		}
		resp.Body.Close()
		if g := <-got; g != row.want {
			t.Errorf("%s: got %s, want %s", row.name, g, row.want)
		}
	}
}
