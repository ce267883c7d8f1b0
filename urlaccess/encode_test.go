package urlaccess

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	tests := []struct {
		name, url string
		want      []string
	}{
		{"Empty", "", nil},
		{"Short", "http://a/", []string{"http://a/"}},
		{"ExactlyForty", x(40), []string{x(40)}},
		{"FortyOne", x(41), []string{x(40), "x"}},
		{"UA4AfterSlash", "http://a.example/" + x(30) + "/y", []string{"http://a.example/", x(30) + "/y"}},
		{"UA4LastSlashInReach", x(10) + "/" + x(10) + "/" + x(30), []string{x(10) + "/" + x(10) + "/", x(30)}},
		{"UA4SlashAtForty", x(39) + "/" + x(5), []string{x(39) + "/", x(5)}},
		{"UA4SlashAtFortyOneIsTooFar", x(40) + "/" + x(5), []string{x(40), "/" + x(5)}},
		{"UA4NotInsideEscape1", x(39) + "%41y", []string{x(39), "%41y"}},
		{"UA4NotInsideEscape2", x(38) + "%41y", []string{x(38), "%41y"}},
		{"UA4AfterEscape", x(37) + "%41y", []string{x(37) + "%41", "y"}},
		{"UA4LiteralPercent", x(39) + "%zzy", []string{x(39) + "%", "zzy"}},
		{"UA4NotAfterHyphen", x(39) + "-y", []string{x(39), "-y"}},
		{"UA4NotAfterHyphens", x(37) + "----y", []string{x(37), "----y"}},
		{"UA4HyphenBeforeEscape", x(38) + "-%41", []string{x(38), "-%41"}},
		{"UA4NothingButHyphens", strings.Repeat("-", 41), []string{strings.Repeat("-", 40), "-"}},
		{"UA4HyphensThenEscape", strings.Repeat("-", 39) + "%41", []string{strings.Repeat("-", 39), "%41"}},
		{"UA2EscapedBeforeCutting", x(39) + " y", []string{x(39), "%20y"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			words := Words(tt.url)
			for range 2 { // the iterator can be used again
				if got := slices.Collect(words); !slices.Equal(got, tt.want) {
					t.Fatalf("got  %q\nwant %q", got, tt.want)
				}
			}
			if got, want := Encode(tt.url), strings.Join(tt.want, " "); got != want {
				t.Errorf("Encode: got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestWordsStopsEarly(t *testing.T) {
	for word := range Words(strings.Repeat("a/", 100)) {
		if len(word) != 40 {
			t.Errorf("first word %q, want 40 of them", word)
		}
		break
	}
}

// UA-2: the characters that must be escaped are, and no others.
func TestEncodeEscapes(t *testing.T) {
	for c := range 256 {
		raw := "a" + string([]byte{byte(c)}) + "b"
		want := raw
		if c <= 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			want = fmt.Sprintf("a%%%02Xb", c)
		}
		if got := Encode(raw); got != want {
			t.Errorf("octet %#x: got %q, want %q", c, got, want)
		}
	}
}

// FuzzEncode checks that a URL survives encoding and decoding, and that the
// words keep to RFC 2017 and UA-4.
func FuzzEncode(f *testing.F) {
	for _, s := range []string{
		"", "http://a/b", "http://a/ b\"c\\d\u00e9\x00\r\n", strings.Repeat("a/", 50), strings.Repeat("-", 90),
		strings.Repeat("%41", 50), strings.Repeat("%4", 50), strings.Repeat("x-%", 50), "URL:x", "<x>", strings.Repeat("\xff", 50),
		"ftp://ftp.deepdirs.org/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/20/21/file.html",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, rawURL string) {
		want := slowEscape(rawURL)
		if twice := slowEscape(want); twice != want {
			t.Fatalf("the oracle changes %q", want)
		}
		param := Encode(rawURL)
		if Encode(want) != param {
			t.Fatalf("Encode(%q): got %q, want %q as without escaping first", want, Encode(want), param)
		}
		got, err := Decode(param)
		switch {
		case want == "":
			if err == nil {
				t.Fatalf("%q for an empty URL, want an error", got)
			}
			return
		case unwrap(want) != want:
			return
		case err != nil || got != want:
			t.Fatalf("got  %q %v\nwant %q", got, err, want)
		}
		words := strings.Split(param, " ")
		if !slices.Equal(words, slices.Collect(Words(rawURL))) {
			t.Fatalf("got words %q, want %q as Words yields", words, slices.Collect(Words(rawURL)))
		}
		// Three words in a row are longer than one, except for the octets that a
		// cut may have spared: an escape or hyphens.
		for i, word := range words {
			last := i == len(words)-1
			switch {
			case word == "" || len(word) > 40:
				t.Fatalf("got word %q, want 1 to 40 octets", word)
			case last:
			case i+2 < len(words) && len(word)+len(words[i+1])+len(words[i+2]) < 38:
				t.Fatalf("got words %q, want them longer", words[i:i+3])
			case strings.HasSuffix(word, "-") && strings.Trim(word, "-") != "":
				t.Fatalf("got word %q, want no hyphen at its end", word)
			case isEscape(lastN(word, 1)+words[i+1]) || isEscape(lastN(word, 2)+words[i+1]):
				t.Fatalf("got words %q, %q, want no cut inside an escape", word, words[i+1])
			case strings.Contains(word, "/") && !strings.HasSuffix(word, "/"):
				t.Fatalf("got word %q, want a cut after its slash", word)
			}
		}
	})
}

func lastN(s string, n int) string { return s[max(0, len(s)-n):] }

func slowEscape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(onlyPlain, s[i]) >= 0 {
			b.WriteByte(s[i])
			continue
		}
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

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

// FuzzEscape: an escaped URL is its own parameter, and itself when escaped again.
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
