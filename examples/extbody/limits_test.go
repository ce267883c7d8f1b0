package main

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// What is over the limits of a run is left for later, and nobody is contacted for it.
func TestGetRunLimits(t *testing.T) {
	var requests atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		text(w, strings.Repeat("x", 1000))
	})
	for _, c := range []struct {
		name     string
		args     []string
		status   int
		requests int64 // at most
		want     string
	}{
		{"Bytes", []string{"--max-run-bytes", "2000", "--jobs", "1"}, 3, 4, "failed/deferred failed/deferred ok/ ok/"},
		{"Until", []string{"--until", "2001-01-01T00:00:00Z"}, 3, 0, "failed/deferred failed/deferred failed/deferred failed/deferred"},
		{"Enough", []string{"--max-run-bytes", "1MB", "--until", "1h"}, 0, 4, "ok/ ok/ ok/ ok/"},
		{"None", []string{"--max-run-bytes", "none"}, 0, 4, "ok/ ok/ ok/ ok/"},
		{"BadTime", []string{"--until", "soon"}, 2, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			requests.Store(0)
			args := append(append([]string{"get", "--json", "-o", t.TempDir()}, flags...), c.args...)
			status, out, errs := invoke(t.Context(), box(base+"/a", base+"/b", base+"/c", base+"/d"), args...)
			var got []string
			for _, l := range readLines(t, out) {
				got = append(got, l.Status+"/"+l.Kind)
			}
			slices.Sort(got)
			if s := strings.Join(got, " "); s != c.want || status != c.status || requests.Load() > c.requests {
				t.Errorf("got status %d, %d requests, %s, want %d, %d, %s: %s", status, requests.Load(), s, c.status, c.requests, c.want, errs)
			}
		})
	}
}

// With a proxy all requests go to it; what it cannot carry is refused.
func TestGetProxy(t *testing.T) {
	var direct, proxied atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		direct.Add(1)
		text(w, "x")
	})
	proxy, more := serve(t, func(w http.ResponseWriter, r *http.Request) {
		proxied.Add(1)
		if r.Method != http.MethodConnect {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, "no")
	})
	flags = append(flags, more...)
	for _, c := range []struct {
		name   string
		args   []string
		url    string
		status int
		proxy  bool
	}{
		{"Proxy", []string{"--proxy", proxy}, base + "/a", 3, true},
		{"TrustProxy", []string{"--proxy", proxy, "--trust-proxy"}, "http://h.example/a", 3, true},
		{"FTP", []string{"--proxy", proxy}, "ftp://127.0.0.1/a", 3, false},
		{"TFTP", []string{"--proxy", proxy, "--allow-scheme", "tftp"}, "tftp://127.0.0.1/a", 3, false},
		{"TrustWithout", []string{"--trust-proxy"}, base + "/a", 2, false},
		{"NoURL", []string{"--proxy", "proxy"}, base + "/a", 2, false},
		{"BadScheme", []string{"--proxy", "ftp://h"}, base + "/a", 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			proxied.Store(0)
			args := append(append([]string{"get", "--json", "-o", t.TempDir()}, flags...), c.args...)
			status, out, errs := invoke(t.Context(), box(c.url), args...)
			if status != c.status || direct.Load() != 0 || (proxied.Load() > 0) != c.proxy {
				t.Errorf("got status %d, %d direct and %d through the proxy, want %d, 0 and %t: %s%s", status, direct.Load(), proxied.Load(), c.status, c.proxy, out, errs)
			}
		})
	}
}
