package flagvalue

import (
	"strings"
	"testing"
	"time"
)

func TestByteSize(t *testing.T) {
	tests := []struct {
		name string
		text string
		want int64 // 0 for an error
	}{
		{"Plain", "500000", 500000},
		{"Octets", "7B", 7},
		{"Decimal", "10MB", 10e6},
		{"DecimalLowerCase", "10mb", 10e6},
		{"Binary", "1GiB", 1 << 30},
		{"Fraction", "1.5KiB", 1536},
		{"Space", "10 kB", 10000},
		{"None", "none", -1},
		{"Exact", "9223372036854775807", 1<<63 - 1},
		{"Zero", "0", 0},
		{"Negative", "-5", 0},
		{"TooMuch", "9999999999TB", 0},
		{"Empty", "", 0},
		{"UnitAlone", "MB", 0},
		{"NoNumber", "xMB", 0},
		{"Infinite", "InfB", 0},
		{"NotANumber", "NaNB", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b Size
			err := b.Set(tt.text)
			if int64(b) != tt.want || (err == nil) != (tt.want != 0) {
				t.Errorf("got %d, %v, want %v", b, err, tt.want)
			}
			if err == nil {
				var again Size
				if err := again.Set(b.String()); err != nil || again != b {
					t.Errorf("%q reads as %d, %v, want %d, nil", b.String(), again, err, b)
				}
			}
		})
	}
}

func TestPrefixes(t *testing.T) {
	tests := []struct {
		name, text, want string // "" for an error
	}{
		{"Range", "10.1.2.3/8", "10.0.0.0/8"},
		{"Address", "127.0.0.1", "127.0.0.1/32"},
		{"Six", "::1", "::1/128"},
		{"Zone", "fe80::1%eth0", ""},
		{"TooLong", "10.0.0.0/99", ""},
		{"Name", "localhost", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var p Prefixes
			if err := p.Set(tt.text); p.String() != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("got %q, %v, want %q", p.String(), err, tt.want)
			}
		})
	}
}

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
		got, err := ParseSince(tt.in, now)
		if !got.Equal(tt.want) || (err != nil) != tt.want.IsZero() {
			t.Errorf("%q: got %v, %v; want %v", tt.in, got, err, tt.want)
		}
	}
}

func TestHosts(t *testing.T) {
	var h Hosts
	for _, text := range []string{"Cloud.Example", "cloud.example:8443", "[::1]:80", "b\u00fccher.example", "ftps://a.example", "HTTP://a.example:81"} {
		if err := h.Set(text); err != nil {
			t.Errorf("%s: got %v, want no error", text, err)
		}
	}
	if got, want := h.String(), "[::1]:80,cloud.example,cloud.example:8443,http://a.example:81,https://a.example,xn--bcher-kva.example"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, text := range []string{"", "https://", "gopher://cloud.example", "https://cloud.example/", "*.example", "a b", "cloud.example:x", "127.1"} {
		if err := h.Set(text); err == nil {
			t.Errorf("%q: got no error, want one", text)
		}
	}
}

// TestAgrees: an agreement to an encrypted way holds for encrypted ways alone, for http also for https, and never
// for ftp. A host without a scheme is agreed to for every way (OP-57).
func TestAgrees(t *testing.T) {
	asked := []string{"https", "ftps", "imaps", "http", "ftp", "tftp", "mailto"}
	for _, c := range []struct{ named, want string }{
		{"a.example", "https ftps imaps http ftp tftp mailto"},
		{"https://a.example", "https ftps imaps"},
		{"ftps://a.example", "https ftps imaps"},
		{"http://a.example", "https http"},
		{"ftp://a.example", "ftps ftp"},
		{"tftp://a.example", "tftp"},
		{"a.example:8443", ""},
		{"https://b.example", ""},
	} {
		var h Hosts
		if err := h.Set(c.named); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, scheme := range asked {
			if where, ok := h.Agrees(scheme, "a.example"); ok && where == "--yes" {
				got = append(got, scheme)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got that it agrees to %q, want %q", c.named, got, c.want)
		}
	}
}
