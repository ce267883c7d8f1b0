package httpfetch_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

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
