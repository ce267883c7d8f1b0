package flagvalue

import (
	"testing"
	"time"
)

func TestSpan(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		text string
		want time.Duration // 0 for an error
	}{
		{"30d", 30 * day},
		{"1.5d", 36 * time.Hour},
		{"90m", 90 * time.Minute},
		{"65535d", 65535 * day},
		{"65536d", 0},
		{"30xd", 0},
		{"0d", 0},
		{"-1d", 0},
		{"NaNd", 0},
		{"infd", 0},
		{"d", 0},
		{"0s", 0},
		{"-2h", 0},
		{"soon", 0},
		{"", 0},
	} {
		var got Span
		if err := got.Set(c.text); time.Duration(got) != c.want || (err == nil) != (c.want != 0) {
			t.Errorf("%q: got %v (%v), want %v", c.text, &got, err, c.want)
		}
		var again Span
		if c.want != 0 && (again.Set(got.String()) != nil || again != got) {
			t.Errorf("%q: %v is read as %v, want the same", c.text, &got, &again)
		}
	}
}
