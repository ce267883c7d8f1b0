package show

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

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
