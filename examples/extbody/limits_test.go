package main

import (
	"io"
	"net/http"
	"sync/atomic"
	"testing"
)

// With a proxy all requests go to it; URLs that it cannot carry are refused.
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
