package redact

import (
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit"
)

func TestPasswords(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"ftp://h/x":                  "ftp://h/x",
		"ftp://u@h/x":                "ftp://u@h/x",
		"ftp://u:@h/x":               "ftp://u:@h/x",
		"ftp://u:secret@h/x?a=b#c":   "ftp://u:xxxxx@h/x?a=b#c",
		"ftp://u:se:cr@et@h:21/x":    "ftp://u:xxxxx@h:21/x",
		"ftp://:secret@h":            "ftp://:xxxxx@h",
		"ftp://u:secret@h":           "ftp://u:xxxxx@h",
		"http://h:80/a:b@c":          "http://h:80/a:b@c",
		"http://[::1]:80/a@b":        "http://[::1]:80/a@b",
		"http://[2001:db8::1]/a:b@c": "http://[2001:db8::1]/a:b@c",
		"ftp://u:sec/ret@h/x":        "ftp://u:xxxxx@h/x",
		"ftp://u:se?c#r@h/x@y":       "ftp://u:xxxxx@y", // rather too much than too little
		"mailto:a:b@h":               "mailto:a:b@h",
		`{"url":"ftp://u:secret@h/x","next":"ftp://v:other@h/y"} a@b`: `{"url":"ftp://u:xxxxx@h/x","next":"ftp://v:xxxxx@h/y"} a@b`,
		"<ftp://u:secret@h/x> ftp://h a@b":                            "<ftp://u:xxxxx@h/x> ftp://h a@b",
		"ftp://u:s%40\u202e\x00@h":                                    "ftp://u:s%40\u202e\x00@h", // no URL has these octets
		"x://a:b://c:secret@h":                                        "x://a:xxxxx@h",
	} {
		if got := Passwords(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestPasswordsScale holds: the time is linear in the text.
func TestPasswordsScale(t *testing.T) {
	for _, piece := range []string{"://", "://a:b", "://a:b/", "a://u:p@", ":@//", "@", "://a:b@c ", "://a:x\""} {
		testkit.InLinearTime(t, piece, 20_000, func(n int) string { return strings.Repeat(piece, n) }, func(text string) { Passwords(text) })
	}
}

// FuzzPasswords wants the password of each URL that net/url reads to be hidden, and a result that stays as it is.
func FuzzPasswords(f *testing.F) {
	f.Add("ftp://u:secret@h/x")
	f.Add("ftp://u:se/c:r@h://a:b@c")
	f.Fuzz(func(t *testing.T, text string) {
		got := Passwords(text)
		if again := Passwords(got); again != got {
			t.Errorf("%q: got %q, and then %q", text, got, again)
		}
		u, err := url.Parse(text)
		if err != nil || u.User == nil || u.Scheme == "" {
			return
		}
		if password, _ := u.User.Password(); password != "" {
			u, err = url.Parse(got)
			if err != nil || u.User == nil || u.Scheme == "" {
				return
			}
			if shown, _ := u.User.Password(); shown != hidden {
				t.Errorf("%q: got %q with the password %q", text, got, shown)
			}
		}
	})
}
