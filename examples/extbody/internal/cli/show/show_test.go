package show

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestParseRange(t *testing.T) {
	for _, tt := range []struct {
		text     string
		from, to int
		ok       bool
	}{
		{"1", 1, 1, true}, {"3-7", 3, 7, true}, {"12-12", 12, 12, true},
		{"", 0, 0, false}, {"0", 0, 0, false}, {"-1", 0, 0, false}, {"+1", 0, 0, false}, {"7-3", 0, 0, false}, {"3-", 0, 0, false}, {"1-2-3", 0, 0, false}, {"2.1", 0, 0, false}, {"99999999999999999999", 0, 0, false},
	} {
		from, to, ok := ParseRange(tt.text)
		if ok != tt.ok || ok && (from != tt.from || to != tt.to) {
			t.Errorf("%q: got %d, %d, %t, want %d, %d, %t", tt.text, from, to, ok, tt.from, tt.to, tt.ok)
		}
	}
}

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

// Nothing in a fenced text is hidden, and no text is longer than its limit, apart from
// escapes.
func TestFence(t *testing.T) {
	for _, tt := range []struct {
		name, text  string
		limit       int
		line, lines string
	}{
		{"Plain", "a b", 10, "a b", "a b"},
		{"Lines", "a\r\n\tb\\n", 10, `a\r\n\tb\n`, "a\n\tb\\n"},
		{"Direction", "a\u202e\u2066b", 10, `a\u202e\u2066b`, `a\u202e\u2066b`},
		{"Tags", "a\U000e0041\U000e007f", 10, `a\U000e0041\U000e007f`, `a\U000e0041\U000e007f`},
		{"Selectors", "a\ufe0f\U000e0101b", 10, `a\ufe0f\U000e0101b`, `a\ufe0f\U000e0101b`},
		{"Fillers", "\u3164\u115f\u034f", 10, `\u3164\u115f\u034f`, `\u3164\u115f\u034f`},
		{"NotUTF8", "caf\xe9", 10, `caf\xe9`, `caf\xe9`},
		{"Cut", "abcdef", 3, "abc...", "abc..."},
		{"CutCharacter", "ab\u00e9\u00e9", 3, "ab...", "ab..."},
		{"CutOctets", "\x80\x80\x80\x80\x80\x80", 5, `\x80\x80\x80\x80\x80...`, `\x80\x80\x80\x80\x80...`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Fence(tt.text, tt.limit); got != tt.line {
				t.Errorf("Fence: got %q, want %q", got, tt.line)
			}
			if got := FenceText(tt.text, tt.limit); got != tt.lines {
				t.Errorf("FenceText: got %q, want %q", got, tt.lines)
			}
			if got := Seen(tt.text); Fence(got, len(got)) != got && utf8.ValidString(tt.text) {
				t.Errorf("Seen: got %q, want nothing to escape", got)
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
	const list = "The status is\n   0  when all of it was done\n      and more;\n  75  again.\n   $ a command that is long"
	if got := Wrap(list, 29); got != list {
		t.Errorf("got %q, want it as it was", got)
	}
	const want = "The status is\n   0  when all of it was\n      done and more;\n  75  again.\n   $ a command that is long"
	if got := Wrap(list, 26); got != want {
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

func TestJSON(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"Plain", "a<b>&c \u00e9 \U0001f4ce", "\"a<b>&c \u00e9 \U0001f4ce\"\n"},
		{"Escape", "\x1b]0;x\x07", `"\u001b]0;x\u0007"` + "\n"},
		{"Delete", "a\x7f", `"a\u007f"` + "\n"},
		{"C1", "\u009b31m", `"\u009b31m"` + "\n"},
		{"Direction", "a\u202egpj.exe", `"a\u202egpj.exe"` + "\n"},
		{"Isolate", "\u2066x", `"\u2066x"` + "\n"},
		{"Tag", "\U000e0041", `"\udb40\udc41"` + "\n"},
		{"NotUTF8", "\xff", `"\ufffd"` + "\n"},
		{"Empty", "", `""` + "\n"},
	} {
		var b strings.Builder
		if err := JSON(&b, row.text); err != nil || b.String() != row.want {
			t.Errorf("%s: got %q, %v, want %q", row.name, b.String(), err, row.want)
		}
	}
}

// FuzzJSON: the value is the same, and there is nothing that is not printed in the
// line.
func FuzzJSON(f *testing.F) {
	f.Add("a\u202e\u009b\x7f\"\\")
	f.Fuzz(func(t *testing.T, s string) {
		var b strings.Builder
		if err := JSON(&b, map[string]string{s: s}); err != nil {
			t.Fatal(err)
		}
		line, ok := strings.CutSuffix(b.String(), "\n")
		if i := strings.IndexFunc(line, func(c rune) bool { return !unicode.IsPrint(c) }); !ok || i >= 0 {
			t.Errorf("got %q, want a line that can be shown", b.String())
		}
		var got map[string]string
		if err := json.Unmarshal([]byte(line), &got); err != nil || utf8.ValidString(s) && got[s] != s {
			t.Errorf("got %q, %v, want %q", got, err, s)
		}
	})
}
