package main

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestParseInstant(t *testing.T) {
	now := time.Date(2030, 1, 31, 22, 0, 0, 0, time.FixedZone("x", 3600))
	for _, c := range []struct{ text, want string }{
		{"2h", "2030-02-01T00:00:00+01:00"},
		{"90s", "2030-01-31T22:01:30+01:00"},
		{"23:30", "2030-01-31T23:30:00+01:00"},
		{"06:30", "2030-02-01T06:30:00+01:00"},
		{"22:00", "2030-02-01T22:00:00+01:00"},
		{"2031-01-31T06:30:00Z", "2031-01-31T06:30:00Z"},
		{"-2h", ""},
		{"25:00", ""},
		{"soon", ""},
		{"", ""},
	} {
		at, err := parseInstant(c.text, now)
		got := ""
		if err == nil {
			got = at.Format(time.RFC3339)
		}
		if got != c.want {
			t.Errorf("%q: got %q (%v), want %q", c.text, got, err, c.want)
		}
	}
}

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
