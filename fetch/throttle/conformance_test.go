package throttle_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/fetchtest"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// All that holds for a Fetcher holds for one with a Throttle around it, also for
// one with limits that are in force.
func TestConformance(t *testing.T) {
	for name, opts := range map[string]*throttle.Options{
		"Default": nil,
		"Limited": {PerHost: 1, Fetches: 2, Rate: 1000},
	} {
		t.Run(name, func(t *testing.T) {
			web := httpfetch.New(&httpfetch.Options{
				Guard: &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true},
			})
			fetchtest.Run(t, fetchtest.Harness{
				Fetcher: throttle.New(web, opts),
				Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
					if obj.Fault == fetchtest.Forbidden {
						return request("http://[::1]/")
					}
					return request(serve(t, obj))
				},
			})
		})
	}
}

// serve serves obj and returns its URL.
func serve(t *testing.T, obj fetchtest.Object) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := obj.Body
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		switch obj.Fault {
		case fetchtest.Missing:
			http.NotFound(w, r)
			return
		case fetchtest.Mute:
			<-r.Context().Done()
			panic(http.ErrAbortHandler)
		case fetchtest.Cut, fetchtest.Stalled:
			body = body[:len(body)/2]
		}
		w.Write(body)
		if obj.Fault == fetchtest.Good {
			return
		}
		http.NewResponseController(w).Flush()
		if obj.Fault == fetchtest.Stalled {
			<-r.Context().Done()
		}
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(s.Close)
	return s.URL
}
