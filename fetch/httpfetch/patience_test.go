package httpfetch

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

func TestPatience(t *testing.T) {
	after := func(s string) http.Header { return http.Header{"Retry-After": {s}} }
	synctest.Test(t, func(t *testing.T) {
		p := &patience{retries: 5, left: maxWait}
		start := time.Now()
		for _, tt := range []struct {
			seconds string
			want    bool
			elapsed time.Duration
		}{
			{"6", true, 6 * time.Second},
			{"5", false, 6 * time.Second},
			{start.Add(10 * time.Second).UTC().Format(http.TimeFormat), true, 10 * time.Second},
			{"1", false, 10 * time.Second},
			{"0", true, 10 * time.Second},
			{start.UTC().Format(http.TimeFormat), true, 10 * time.Second},
			{"1", false, 10 * time.Second}, // the past does not give time back
		} {
			if got := p.wait(t.Context(), 503, after(tt.seconds)); got != tt.want || time.Since(start) != tt.elapsed {
				t.Errorf("%s: got %v after %v, want %v, %v", tt.seconds, got, time.Since(start), tt.want, tt.elapsed)
			}
		}
		if p.retries != 1 {
			t.Errorf("got %d retries left, want 1", p.retries)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		start := time.Now()
		p := &patience{retries: 5, left: maxWait}
		if p.wait(ctx, 503, after("3")) || time.Since(start) != 0 {
			t.Error("a deadline before: got a wait, want none")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		p := &patience{retries: 5, left: maxWait}
		if p.wait(ctx, 503, after("3")) || time.Since(start) != time.Second {
			t.Error("a context that ends: got true or a longer wait, want false after 1 s")
		}
	})
}
