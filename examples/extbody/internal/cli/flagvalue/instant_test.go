package flagvalue

import (
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
		at, err := ParseInstant(c.text, now)
		got := ""
		if err == nil {
			got = at.Format(time.RFC3339)
		}
		if got != c.want {
			t.Errorf("%q: got %q (%v), want %q", c.text, got, err, c.want)
		}
	}
}
