package flagvalue_test

import (
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
)

func TestParseSince(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		in   string
		want time.Time
	}{
		{"2026-01-31", time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)},
		{"2026-01-31T06:30:00+01:00", time.Date(2026, 1, 31, 5, 30, 0, 0, time.UTC)},
		{"30d", now.Add(-30 * 24 * time.Hour)},
		{"12h", now.Add(-12 * time.Hour)},
		{"2026-11-23", time.Time{}},
		{"-12h", time.Time{}},
		{"0001-01-01", time.Time{}},
		{"06:30", time.Time{}},
		{"", time.Time{}},
		{"yesterday", time.Time{}},
	} {
		got, err := flagvalue.ParseSince(tt.in, now)
		if !got.Equal(tt.want) || (err != nil) != tt.want.IsZero() {
			t.Errorf("%q: got %v, %v; want %v", tt.in, got, err, tt.want)
		}
	}
}
