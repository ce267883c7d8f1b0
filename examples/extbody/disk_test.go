package main

import (
	"net/http"
	"sync/atomic"
	"testing"
)

// Nothing is begun on a disk with too little room, and the status says that it was not
// done.
func TestGetMinFree(t *testing.T) {
	var requests atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		text(w, "x")
	})
	for _, c := range []struct {
		free     string
		status   int
		requests int64
	}{
		{"1", 0, 2},
		{"1000000TB", 1, 0},
		{"much", 2, 0},
	} {
		requests.Store(0)
		status, out, errs := invoke(t.Context(), box(base+"/a", base+"/b"), append([]string{"get", "-o", t.TempDir(), "--min-free", c.free}, flags...)...)
		if status != c.status || requests.Load() != c.requests {
			t.Errorf("%s: got status %d and %d requests, want %d and %d: %s%s", c.free, status, requests.Load(), c.status, c.requests, out, errs)
		}
	}
}
