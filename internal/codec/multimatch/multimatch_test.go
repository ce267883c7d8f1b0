package multimatch_test

import (
	"bytes"
	"fmt"
	"html"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/codec/multimatch"
)

var hosts = []string{
	"1drv.ms", "onedrive.live.com", ".sharepoint.com", "drive.google.com", "docs.google.com", "icloud.com", "dropbox.com",
	"we.tl", "wetransfer.com", "app.box.com", "drive.proton.me", "mega.nz", "163.com", "mail.qq.com", "alimail", "filecenter",
	"bigfile.mail.", "cloud.mail.ru", "disk.yandex.", "pcloud.", "cloudattachmentitem", "owareferenceattachment",
	"gmail_drive_chip", "x-apple-maildrop", "expiretime", "safelinks.protection.outlook.com", "urldefense", "linkprotect.cudasvc.com",
}

// naive is the oracle.
func naive(text string, needles []string) []bool {
	fold := func(s string) string {
		b := []byte(s)
		for i, c := range b {
			if 'A' <= c && c <= 'Z' {
				b[i] = c + 32
			}
		}
		return string(b)
	}
	found := make([]bool, len(needles))
	for i, n := range needles {
		found[i] = strings.Contains(fold(text), fold(n))
	}
	return found
}

func found(s *multimatch.Search, n int) []bool {
	f := make([]bool, n)
	for i := range f {
		f[i] = s.Found(i)
	}
	return f
}

func TestSearch(t *testing.T) {
	sets := map[string][]string{
		"None": nil, "Empty": {""}, "Octet": {"q", "Z"}, "Pair": {"qq", "q"}, "Hosts": hosts,
		"Mixed": append([]string{"s3", "x"}, hosts...), "Nested": {"abab", "bab", "ab", "babababab"}, "Upper": {"AbC"},
		"Octets": {"\u041c\u0411)", "\xcc\xc1)", "\xe2z", "\xe2", "z\xc1"},
		"Pivots": {"ab.ab", "b.a", "bb.", "Aab.ab.b", "zz]", "q.zz.", "..", "...", "ab|ab", ".ab", "q.a"},
		"Tails":  {"a]", "Z.]", "aba`{", "b{", "q{", ".{", "abab"},
	}
	r := rand.New(rand.NewPCG(1, 2))
	for name, needles := range sets {
		t.Run(name, func(t *testing.T) {
			search := multimatch.New(needles).NewSearch(false)
			for range 300 {
				text := make([]byte, r.IntN(200))
				for i := range text {
					text[i] = "abABq.zZ@[`{]"[r.IntN(13)]
				}
				for range r.IntN(3) {
					if len(needles) == 0 || len(text) == 0 {
						continue
					}
					n := needles[r.IntN(len(needles))]
					if r.IntN(2) == 0 {
						n = strings.ToUpper(n)
					}
					copy(text[r.IntN(len(text)):], n)
				}
				want := naive(string(text), needles)
				search.Reset()
				for rest := text; len(rest) > 0 || len(text) == 0; {
					n := min(len(rest), 1+r.IntN(60))
					search.Write(rest[:n])
					if rest = rest[n:]; len(text) == 0 {
						break
					}
				}
				if got := found(search, len(needles)); !slices.Equal(got, want) {
					t.Fatalf("%q: %v, want %v", text, got, want)
				}
				if search.Any() != slices.Contains(want, true) {
					t.Fatalf("%q: Any: got %t, want %t", text, search.Any(), !search.Any())
				}
			}
		})
	}
}

func TestManyNeedles(t *testing.T) {
	var needles []string
	for i := range 1000 {
		needles = append(needles, fmt.Sprintf("needle-%d.%c", i, 'a'+i%26))
	}
	search := multimatch.New(needles).NewSearch(false)
	for i, n := range needles {
		search.Reset()
		fmt.Fprint(search, "what "+strings.ToUpper(n)+" is")
		if !search.Found(i) {
			t.Errorf("%q: got false, want true", n)
		}
	}
}

func TestBreaks(t *testing.T) {
	set := multimatch.New([]string{"dropbox.com", "a.b-c"})
	for _, text := range []string{"x drop\nbox.com", "DROP\r\nbox\t.\ncom", "<a href='http://drop\t\t\n\tbox.com'>", "drop\rbox.com", "\r\nd\rrop\r\rbox.com\r\n\r\n"} {
		for i := range text {
			search, plain := set.NewSearch(true), set.NewSearch(false)
			for _, x := range []*multimatch.Search{search, plain} {
				x.Write([]byte(text[:i]))
				x.Write([]byte(text[i:]))
			}
			if !search.Found(0) || search.Found(1) || plain.Any() {
				t.Fatalf("%q, broken at %d: got %t, %t, without HTML %t; want true, false, without HTML false", text, i, search.Found(0), search.Found(1), plain.Any())
			}
		}
	}
}

// TestMaxBreaks has a needle with as many breaks as it may have.
func TestMaxBreaks(t *testing.T) {
	search := multimatch.New([]string{"dropbox.com"}).NewSearch(true)
	for piece := range slices.Chunk([]byte("x drop"+strings.Repeat("\r\n", maxBreaks/2)+"box.com y"), 3) {
		search.Write(piece)
	}
	if !search.Found(0) {
		t.Errorf("got nothing with %d breaks, want the needle", maxBreaks)
	}
}

func TestReference(t *testing.T) {
	set := multimatch.New([]string{"drive.google.com/f_", "a:b-9", ">size: <", "gr\u00f6\u00dfe: ", "taille\u00a0:"})
	tests := []struct {
		name, text string
		want       bool
	}{
		{"None", "drive", false},
		{"Decimal", "drive&#46;google.com/f_", true},
		{"Hexadecimal", "drive&#x2e;google.com/f_", true},
		{"HexadecimalUpper", "drive&#X2E;google.com/f_", true},
		{"WithoutSemicolon", "drive&#46google.com/f_", true},
		{"Zeros", "drive&#00000046;google.com/f_", true},
		{"ManyZeros", "drive&#" + strings.Repeat("0", 100) + "46;google", true},
		{"Letter", "dri&#118;e.google.com/f_", true},
		{"UpperLetter", "dri&#86;e.google.com/f_", true},
		{"Digit", "a:b-&#57;", true},
		{"OtherDigit", "a:b-&#48;", false},
		{"Named", "drive&period;google.com/f_", true},
		{"Solidus", "drive.google.com&sol;f_", true},
		{"Colon", "a&colon;b-9", true},
		{"LowLine", "drive.google.com/f&lowbar;", true},
		{"LongName", "drive.google.com/f&UnderBar;", true},
		{"Ligature", "&fjlig;", true},
		{"Apostrophe", "it&#39;s &#x27;", false},
		{"Ampersand", "?a=1&amp;b=2&AMP;", false},
		{"Blank", "&nbsp;&#160;&#xa0;", false},
		{"NoNumber", "&#;&#x;&#", false},
		{"Big", "&#8217;&#128512;&#99999999;", false},
		{"Address", " Ann &lt;ann@a.example&gt; wrote ", false},
		{"Quote", "size: &#62; Siz: 1&lt;", false},
		{"Before", "Siz&gt;Size: <", true},
		{"After", ">sIZe: &ltp>", true},
		{"Several", " &gt&#115;&#x49;ze:", true},
		{"AtEnd", "&gt;size: ", false},
		{"Breaks", "\t>si\r\nze: &lt;\t", true},
		{"Other", ">gr&ouml;size: &lt;", true},
		{"Umlaut", "gr&ouml;\u00dfe: ", true},
		{"UmlautWithoutSemicolon", "gr&ouml\u00dfe: ", true},
		{"UmlautNumber", "gr&#246;\u00dfe: ", true},
		{"UmlautNumberHexadecimal", "Gr\u00f6&#xDF;e: ", true},
		{"Umlauts", "Gr&ouml;&szlig;e: ", true},
		{"OtherUmlaut", "gr&uuml;&szlig;en: ", false},
		{"UmlautElsewhere", "gr\u00f6bste &ouml;le: ", false},
		{"NoBreakSpace", "Taille&nbsp;:", true},
		{"NoBreakSpaceElsewhere", "Telle&nbsp;: &nbsp;", false},
		{"LongNumber", "&#" + strings.Repeat("0", maxReference-4) + "33;", false},
		{"LongerNumber", "&#" + strings.Repeat("0", maxReference-3) + "33;", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for i := range tt.text {
				search := set.NewSearch(true)
				search.Write([]byte(tt.text[:i]))
				search.Write([]byte(tt.text[i:]))
				if search.Reference() != tt.want {
					t.Fatalf("%q, broken at %d: got %t, want %t", tt.text, i, search.Reference(), tt.want)
				}
			}
		})
	}
}

// maxReference and maxBreaks are the constants of the package.
const maxReference, maxBreaks = 16, 16

// TestDisguises writes needles with random references, breaks and cases, in random pieces.
func TestDisguises(t *testing.T) {
	needles := []string{"drive.google.com/f_", "a:b-9", ">size: <", "gr\u00f6\u00dfe: "}
	set := multimatch.New(needles)
	r := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		n := r.IntN(len(needles))
		var b strings.Builder
		b.WriteString(" &lt; &amp;x"[:r.IntN(12)])
		breaks := 0
		for _, c := range needles[n] {
			switch k := r.IntN(9); {
			case k == 0:
				fmt.Fprintf(&b, []string{"&#%d;", "&#%03d;", "&#x%x;", "&#X%X;"}[r.IntN(4)], c)
			case k == 1:
				if breaks++; breaks < 16 && b.Len() > 0 {
					b.WriteString([]string{"\r", "\n", "\t", "&Tab;", "&#10;"}[r.IntN(5)])
				}
				fallthrough
			default:
				b.WriteString(map[bool]string{false: string(c), true: map[rune]string{'>': "&gt;", '<': "&lt", '.': "&period;", ':': "&colon;", 'f': "F"}[c]}[r.IntN(2) == 0 && strings.ContainsRune("><.:f", c)])
			}
		}
		b.WriteString(" &gt; xyz"[:r.IntN(9)])
		search := set.NewSearch(true)
		for piece := range slices.Chunk([]byte(b.String()), 1+r.IntN(30)) {
			search.Write(piece)
		}
		if !search.Found(n) && !search.Reference() {
			t.Errorf("%q: got neither %q nor a reference", b.String(), needles[n])
		}
	}
}

// TestReferenceToTwo has the references that stand for two characters, at least one of them
// ASCII.
func TestReferenceToTwo(t *testing.T) {
	for _, tt := range []struct{ name, needle string }{
		{"fjlig", "fast"},
		{"fjlig", "jira"},
		{"bne", "x="},
		{"nvlt", "x<"},
		{"nvgt", "x>"},
	} {
		search := multimatch.New([]string{tt.needle}).NewSearch(true)
		search.Write([]byte("x&" + tt.name + ";"))
		if !search.Reference() {
			t.Errorf("%s for %q: got no reference, want one", tt.name, tt.needle)
		}
	}
}

func FuzzSearch(f *testing.F) {
	f.Add([]byte("https://1DRV.MS/x"), uint16(3))
	f.Add([]byte("<li class=cloudAttachmentItem>"), uint16(9))
	f.Add([]byte("drive&#46;google.com we.tlwe.t163.co"), uint16(1))
	f.Add([]byte("drop&#98ox.com &period; &#x0000000000000000062;"), uint16(40))
	f.Add([]byte("drop\r\nbox.com dro\tpb\nox.com we&Tab;.tl 1drv&#10;.ms"), uint16(3))
	f.Add([]byte("drop\rBoX.Com0\r\n\r\n"), uint16(2))
	f.Add([]byte("&#x2D&#0;&#x80;&#150;&amp;#46;"), uint16(2))
	set := multimatch.New(hosts)
	f.Fuzz(func(t *testing.T, text []byte, piece uint16) {
		search := set.NewSearch(true)
		for rest := range slices.Chunk(text, int(piece)+1) {
			search.Write(rest)
		}
		want := naive(string(text), hosts)
		plain := set.NewSearch(false)
		for rest := range slices.Chunk(text, int(piece)+1) {
			plain.Write(rest)
		}
		if got := found(plain, len(hosts)); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		if strings.Contains(string(text), "\r\r\r") || strings.Contains(string(text), "\n\n\n") || strings.Contains(string(text), "\t\t\t") {
			return // more breaks than are looked at
		}
		for i, ok := range naive(strings.NewReplacer("\r", "", "\n", "", "\t", "").Replace(html.UnescapeString(string(text))), hosts) {
			if ok && !search.Found(i) && !search.Reference() {
				t.Errorf("%q: got nothing for %s, want it found", text, hosts[i])
			}
		}
	})
}

// TestPlaces checks that each needle in a text is within a place, that places are in
// order and apart, and that they are short without a break.
func TestPlaces(t *testing.T) {
	needles := []string{"dropbox.com", "a.b-c", "c)"}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 2000 {
		html := i%2 == 0
		var text []byte
		for range r.IntN(12) {
			piece := []byte(needles[r.IntN(3)])
			if html && r.IntN(3) == 0 {
				piece = slices.Insert(piece, r.IntN(len(piece)), []byte("\r\n\t"[r.IntN(3):])...)
			}
			text = append(append(text, "dropbox.com/ x a.b"[:r.IntN(18)]...), bytes.ToUpper(piece)...)
		}
		search := multimatch.New(needles).NewSearch(html)
		search.Look(text)
		places, ok := search.Places()
		if !ok {
			t.Fatalf("%q: got no places, want them known", text)
		}
		for i, p := range places {
			if p.Start < 0 || p.Start >= p.End || p.End > len(text) || i > 0 && p.Start <= places[i-1].End {
				t.Fatalf("%q: got places %v, want them in order and within the text", text, places)
			}
		}
		whole := strings.NewReplacer("\r", "", "\n", "", "\t", "").Replace(strings.ToLower(string(text)))
		joined := make([]int, 0, len(text)) // where each octet of whole is in text
		for i, c := range text {
			if c != '\r' && c != '\n' && c != '\t' {
				joined = append(joined, i)
			}
		}
		for _, n := range needles {
			for at := range whole {
				if !strings.HasPrefix(whole[at:], n) {
					continue
				}
				start, end := joined[at], joined[at+len(n)-1]+1
				if !html && end-start != len(n) {
					continue
				}
				if !slices.ContainsFunc(places, func(p multimatch.Span) bool { return p.Start <= start && end <= p.End }) {
					t.Fatalf("%q: got places %v, want %q at %d in one", text, places, n, start)
				}
			}
		}
	}
}

func TestPlacesUnknown(t *testing.T) {
	set := multimatch.New([]string{"dropbox.com", "<"})
	tests := []struct {
		name string
		look func(x *multimatch.Search)
		want bool
	}{
		{"NoText", func(*multimatch.Search) {}, false},
		{"Look", func(x *multimatch.Search) { x.Look([]byte("dropbox.com")) }, true},
		{"Write", func(x *multimatch.Search) { x.Write([]byte("dropbox.com")) }, false},
		{"WriteAfterLook", func(x *multimatch.Search) { x.Look([]byte("dropbox.com")); x.Write([]byte("x")) }, false},
		{"OneOctet", func(x *multimatch.Search) { x.Look([]byte("dropbox.com<")) }, false},
		{"Many", func(x *multimatch.Search) { x.Look(bytes.Repeat([]byte("dropbox.com "), 256)) }, true},
		{"TooMany", func(x *multimatch.Search) { x.Look(bytes.Repeat([]byte("dropbox.com "), 257)) }, false},
		{"Reset", func(x *multimatch.Search) { x.Look([]byte("dropbox.com")); x.Reset() }, false},
	}
	for _, tt := range tests {
		for _, html := range []bool{false, true} {
			x := set.NewSearch(html)
			tt.look(x)
			if _, got := x.Places(); got != tt.want {
				t.Errorf("%s: places known is %t, want %t", tt.name, got, tt.want)
			}
		}
	}
}
