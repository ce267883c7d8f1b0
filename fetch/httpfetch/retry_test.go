package httpfetch_test

import (
	"bufio"
	"fmt"
	"net"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

// HT-16.
func TestRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		name     string
		field    string
		code     int
		failures int // answers with code before a 200
		retries  int
		requests int
		kind     fetch.Kind
	}{
		{name: "Once", field: "Retry-After: 0\r\n", code: 503, failures: 1, requests: 2},
		{name: "Twice", field: "Retry-After: 0\r\n", code: 429, failures: 2, requests: 3},
		{name: "Date", field: "Retry-After: Sat, 21 Nov 2015 10:00:00 GMT\r\n", code: 503, failures: 1, requests: 2},
		{name: "TooOften", field: "Retry-After: 0\r\n", code: 503, failures: 3, requests: 3, kind: fetch.Unavailable},
		{name: "Never", field: "Retry-After: 0\r\n", code: 503, failures: 1, retries: -1, requests: 1, kind: fetch.Unavailable},
		{name: "More", field: "Retry-After: 0\r\n", code: 503, failures: 4, retries: 4, requests: 5},
		{name: "TooLong", field: "Retry-After: 11\r\n", code: 503, failures: 1, requests: 1, kind: fetch.Unavailable},
		{name: "Overflow", field: "Retry-After: 99999999999999999999\r\n", code: 503, failures: 1, requests: 1, kind: fetch.Unavailable},
		{name: "FarDate", field: "Retry-After: Sat, 21 Nov 9999 10:00:00 GMT\r\n", code: 503, failures: 1, requests: 1, kind: fetch.Unavailable},
		{name: "Negative", field: "Retry-After: -1\r\n", code: 503, failures: 1, requests: 1, kind: fetch.Unavailable},
		{name: "Absent", code: 503, failures: 1, requests: 1, kind: fetch.Unavailable},
		{name: "OtherStatus", field: "Retry-After: 0\r\n", code: 500, failures: 1, requests: 1, kind: fetch.Unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			requests := 0
			s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
				for readRequest(r) != "" {
					requests++
					if requests <= tt.failures {
						fmt.Fprintf(c, "HTTP/1.1 %d Later\r\n%sContent-Length: 5\r\n\r\nlater", tt.code, tt.field)
						continue
					}
					fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
				}
			})
			f := newFetcher(t, httpfetch.Options{Retries: tt.retries}, s.url)
			_, data, err := get(t, f, request(t, s.url))
			if fetch.KindOf(err) != tt.kind || err == nil && data != "ok" {
				t.Errorf("got %q, %v", data, err)
			}
			if requests != tt.requests {
				t.Errorf("%d requests", requests)
			}
		})
	}
}
