package charset

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

func TestUTF7(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"ASCII", "a b c", "a b c"},
		{"Tag", "+ADw-a href+AD0AIg-https://a.example/?b+AD0-c+ACY-d+ACIAPg-x+ADw-/a+AD4-", `<a href="https://a.example/?b=c&d">x</a>`},
		{"RFC", "A+ImIDkQ.", "A≢Α."},
		{"RFCHi", "Hi Mom -+Jjo--!", "Hi Mom -☺-!"},
		{"RFCJapanese", "+ZeVnLIqe-", "日本語"},
		{"Plus", "1 +- 2", "1 + 2"},
		{"Pair", "+2D3cSg-", "👊"},
		{"HalfPair", "+2D0-a+3Eo-", "\ufffda\ufffd"},
		{"HalfPairThenOther", "+2D0AYQ-", "\ufffda"},
		{"EndsInBase64", "+ZeVnLIqe", "日本語"},
		{"EndedByOther", "+ZeVnLIqe. x", "日本語. x"},
		{"Cut", "+A", ""},
		{"LastPlus", "a+", "a"},
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(tt.text), "by octets": iotest.OneByteReader(strings.NewReader(tt.text))} {
			got, err := io.ReadAll(Narrow(r, nil, "UTF-7"))
			if err != nil || string(got) != tt.want {
				t.Errorf("%s, %s: got %q, %v, want %q", tt.name, name, got, err, tt.want)
			}
		}
	}
}

func TestISO2022KR(t *testing.T) {
	const text, want = "\x1b$)C<a href=x>\x0e:8<o\x0f</a>\r\n\x0e0!\nab", "<a href=x>보쇽</a>\r\n가\nab"
	for name, r := range map[string]io.Reader{"whole": strings.NewReader(text), "by octets": iotest.OneByteReader(strings.NewReader(text))} {
		got, err := io.ReadAll(Narrow(r, nil, "ISO-2022-KR"))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
		}
	}
}

func TestIsShifted(t *testing.T) {
	for _, tt := range []struct {
		text, label string
		want        bool
	}{
		{"a +ADw-b", "utf-7", true},
		{"a +ADw-b", " Unicode-1-1-UTF-7", true},
		{"a +ADw-b", "utf-8", false},
		{"a b", "utf-7", false},
		{"+IKwAPA-b", "utf-7", true},     // after another character
		{"+IKwgrAB7-b", "utf-7", true},   // after two others
		{"+IKwgrCCsADw-", "utf-7", true}, // after three others
		{"+ZeVnLIqe-", "utf-7", false},
		{"1+1 +49-30", "utf-7", false},
		{"\x1b$)C\x0e0!\x0f", "iso-2022-kr", true},
		{"\x1b$)Cab", "iso-2022-kr", false},
		{"a ~{<:Ky2;~}", "hz-gb-2312", true},
		{"a ~b", "hz-gb-2312", false},
		{"a +ADw-b", "ibm037", false},
		{"\xc8\x89", "ibm037", true},
		{"a\x00", "utf-16", true},
		{"ab", "utf-16", false},
		{"\xff\xfea\x00", "", true},
		{"\xff\xfea\x00", "utf-8", false},
	} {
		if got := IsWide([]byte(tt.text), tt.label); got != tt.want {
			t.Errorf("%q in %q: got %v, want %v", tt.text, tt.label, got, tt.want)
		}
	}
}

// FuzzUTF7 checks that any text in UTF-7 becomes UTF-8, whatever the pieces in which it
// comes, and is not longer than three times its length.
func FuzzUTF7(f *testing.F) {
	for _, s := range []string{"", "a+ADw-b", "+ZeVnLIqe", "+2D3cSg-", "+2D0-", "+-+-", "+A", "++", "+/-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		whole, err := io.ReadAll(Narrow(strings.NewReader(text), nil, "utf-7"))
		if err != nil {
			t.Fatalf("%q: got error %v, want none", text, err)
		}
		pieces, err := io.ReadAll(Narrow(iotest.OneByteReader(strings.NewReader(text)), nil, "utf-7"))
		if err != nil || string(pieces) != string(whole) {
			t.Fatalf("%q: got %q, %v in pieces, want %q", text, pieces, err, whole)
		}
		if len(whole) > 3*len(text) || utf8.ValidString(text) && !utf8.Valid(whole) {
			t.Fatalf("%q: got %q, want UTF-8 of at most three times its length", text, whole)
		}
	})
}
