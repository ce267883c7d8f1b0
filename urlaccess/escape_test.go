package urlaccess

import (
	"errors"
	"strings"
	"testing"
)

func TestEscape(t *testing.T) {
	for _, tt := range []struct{ name, url, want string }{
		{"Empty", "", ""},
		{"Plain", "https://a.example/b?c=%41&d#e", "https://a.example/b?c=%41&d#e"},
		{"Space", "https://a.example/my file.pdf", "https://a.example/my%20file.pdf"},
		{"Tab", "https://a.example/a\tb", "https://a.example/a%09b"},
		{"LineEnds", "https://a.example/a\r\nb\nc", "https://a.example/a%0D%0Ab%0Ac"},
		{"SpaceAtEnd", "https://a.example/a ", "https://a.example/a%20"},
		{"QuoteAndBackslash", `https://a.example/"\`, "https://a.example/%22%5C"},
		{"EightBit", "https://a.example/\u00e9", "https://a.example/%C3%A9"},
	} {
		if got, err := Escape(tt.url); got != tt.want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
	for _, c := range "\x00\x01\b\v\f\x1b\x7f" {
		got, err := Escape("https://a.example/" + string(c))
		if e, ok := errors.AsType[*Error](err); got != "" || !ok || e.Reason != ControlCharacter || e.Offset != 18 {
			t.Errorf("%q: got %q, %v, want a control character at octet 18", c, got, err)
		}
	}
}

// FuzzEscape: what was escaped is its own parameter, and itself when escaped again.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "https://a.example/a b\tc\r\nd", "%", "\x00", "\xff\"\\", "<http://a/ b>", "URL:x y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, rawURL string) {
		got, err := Escape(rawURL)
		if err != nil {
			if !strings.ContainsFunc(rawURL, func(c rune) bool { return c < ' ' || c == 0x7f }) {
				t.Fatalf("%q: got error %v, want none without a control", rawURL, err)
			}
			return
		}
		if again, err := Escape(got); again != got || err != nil {
			t.Errorf("%q: got %q, %v once more, want %q, nil", rawURL, again, err, got)
		}
		if decoded, err := Decode(got); got != "" && unwrap(got) != "" && (decoded != unwrap(got) || err != nil) {
			t.Errorf("%q: got %q, %v decoded, want %q, nil", rawURL, decoded, err, unwrap(got))
		}
	})
}
