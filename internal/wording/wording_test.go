package wording

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		n                   int64
		exact, about, limit string
	}{
		{0, "0 octets", "0 octets", "0 octets"},
		{1, "1 octet", "1 octet", "1 octet"},
		{-1234, "-1,234 octets", "-1,234 octets", "-1,234 octets"},
		{587, "587 octets", "587 octets", "587 octets"},
		{999, "999 octets", "999 octets", "999 octets"},
		{1000, "1,000 octets", "1.0 kB", "1 kB"},
		{1024, "1,024 octets", "1.0 kB", "1 KiB"},
		{9949, "9,949 octets", "9.9 kB", "9,949 octets"},
		{9950, "9,950 octets", "10 kB", "9,950 octets"},
		{999_499, "999,499 octets", "999 kB", "999,499 octets"},
		{999_500, "999,500 octets", "1.0 MB", "999,500 octets"},
		{22_100_000, "22,100,000 octets", "22 MB", "22,100 kB"},
		{25_000_000, "25,000,000 octets", "25 MB", "25 MB"},
		{1 << 30, "1,073,741,824 octets", "1.1 GB", "1 GiB"},
		{math.MaxInt64, "9,223,372,036,854,775,807 octets", "9.2 EB", "9,223,372,036,854,775,807 octets"},
	} {
		if got := Exact(tt.n); got != tt.exact {
			t.Errorf("Exact(%d): got %q, want %q", tt.n, got, tt.exact)
		}
		if got := About(tt.n); got != tt.about {
			t.Errorf("About(%d): got %q, want %q", tt.n, got, tt.about)
		}
		if got := Limit(tt.n); got != tt.limit {
			t.Errorf("Limit(%d): got %q, want %q", tt.n, got, tt.limit)
		}
	}
}

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		n             int
		noun          string
		count, choice string
	}{
		{0, "message", "0 messages", "0 were"},
		{1, "message", "1 message", "1 was"},
		{2, "body", "2 bodies", "2 were"},
		{1, "body", "1 body", "1 was"},
		{1234, "day", "1234 days", "1234 were"},
	} {
		if got := Count(tt.n, tt.noun); got != tt.count {
			t.Errorf("Count(%d, %q): got %q, want %q", tt.n, tt.noun, got, tt.count)
		}
		if got := Choose(tt.n, "was", "were"); got != tt.choice {
			t.Errorf("Choose(%d): got %q, want %q", tt.n, got, tt.choice)
		}
	}
}

func TestSpan(t *testing.T) {
	for n, want := range map[int64]string{0: "0 seconds", 1: "1 second", 119: "119 seconds", 120: "2 minutes", 7199: "119 minutes", 7200: "2 hours", 172800: "2 days",
		32*86400 + 5: "32 days", 4000 * 86400: "4,000 days"} {
		if got := Span(n); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		name string
		most int
		want string
	}{
		{"a.pdf", 5, "a.pdf"},
		{"yearly report.pdf", 16, "yearly...ort.pdf"},
		{"yearly report 7.pdf", 16, "yearly...t 7.pdf"},
		{"yearly report of é.pdf", 14, "yearl... é.pdf"},
		{"yearly report of é.pdf", 9, "ye....pdf"},
		{"yearly report.pdf", 6, "yearly"},
		{"年次報告書.pdf", 14, "年次報告書.pdf"},
		{"年次報告書.pdf", 12, "年次....pdf"},
		{"no extension here", 10, "no ex...re"},
		{"a.of an extension that is a sentence", 12, "a.of a...nce"},
		{"", 3, ""},
	} {
		if got := Name(tt.name, tt.most); got != tt.want {
			t.Errorf("Name(%q, %d): got %q, want %q", tt.name, tt.most, got, tt.want)
		}
	}
	for _, tt := range []struct {
		host string
		most int
		want string
	}{
		{"cloud.example", 13, "cloud.example"},
		{"login.bank.example.evil.example", 15, "...evil.example"},
		{"cloud.example", 2, "..."},
	} {
		if got := Host(tt.host, tt.most); got != tt.want {
			t.Errorf("Host(%q, %d): got %q, want %q", tt.host, tt.most, got, tt.want)
		}
	}
}

// FuzzName wants each name to fit and to keep the start and the end, and one that fits to stay.
func FuzzName(f *testing.F) {
	f.Add("yearly report.pdf", uint8(10))
	f.Add("年次報告書.pdf", uint8(9))
	f.Fuzz(func(t *testing.T, name string, most uint8) {
		got := Name(name, int(most))
		if n := Columns(got); n > int(most) {
			t.Errorf("%q: got %q of %d columns, want at most %d", name, got, n, most)
		}
		if Columns(name) <= int(most) && got != name {
			t.Errorf("%q: got %q, want it as it is", name, got)
		}
		kept := strings.HasPrefix(name, got)
		for i := range got {
			rest, ok := strings.CutPrefix(got[i:], mark)
			kept = kept || ok && strings.HasPrefix(name, got[:i]) && strings.HasSuffix(name, rest)
		}
		if !kept || utf8.ValidString(name) && !utf8.ValidString(got) {
			t.Errorf("%q: got %q, want its start and its end", name, got)
		}
	})
}
