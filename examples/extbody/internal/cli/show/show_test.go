package show

import (
	"slices"
	"testing"
)

func TestOctets(t *testing.T) {
	for n, want := range map[int64]string{0: "0 octets", 1: "1 octet", 999: "999 octets", 1000: "1,000 octets", 1234567: "1,234,567 octets"} {
		if got := Octets(n); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

func TestTexts(t *testing.T) {
	tests := []struct {
		name, text, escaped, line string
	}{
		{"Plain", "a b", "a b", "a b"},
		{"NotUTF8", "caf\xe9", `caf\xe9`, `caf\xe9`},
		{"Control", "a\x1b[2J\nb", "a\x1b[2J\nb", `a\x1b[2J\nb`},
		{"Direction", "a\u202eb", "a\u202eb", `a\u202eb`},
		{"Replacement", "\ufffd", "\ufffd", "\ufffd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Escape(tt.text); got != tt.escaped {
				t.Errorf("Escape: got %q, want %q", got, tt.escaped)
			}
			if got := Line(tt.text); got != tt.line {
				t.Errorf("Line: got %q, want %q", got, tt.line)
			}
		})
	}
}

func TestWrap(t *testing.T) {
	const text = "one two three\nfour five\n\n  a   table that is long\n\nshort"
	if got := Wrap(text, 0); got != text {
		t.Errorf("no width: got %q, want %q", got, text)
	}
	if got, want := Wrap(text, 9), "one two\nthree\nfour five\n\n  a   table that is long\n\nshort"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTable(t *testing.T) {
	got := Table([][]string{{"1", "url", "a"}, {"1.2", "anon-ftp", "b"}, {"2", "", "c"}})
	want := []string{"1    url       a", "1.2  anon-ftp  b", "2              c"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
