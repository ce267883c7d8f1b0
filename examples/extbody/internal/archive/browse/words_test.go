package browse

import "testing"

// TestSeconds holds: a delay of many days is written in days.
func TestSeconds(t *testing.T) {
	for n, want := range map[int64]string{0: "0 seconds", 1: "1 second", 119: "119 seconds", 120: "2 minutes", 7200: "2 hours", 172800: "2 days", 32*86400 + 5: "32 days"} {
		if got := seconds(n); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}
