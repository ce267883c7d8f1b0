package param

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// sections returns a value in sections of a few octets.
func sections(name, format string, n int, value string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ";\r\n\t"+name+"*%d"+format, i, value)
	}
	return b.String()
}

func TestSkim(t *testing.T) {
	long := strings.Repeat("QUJD", 100)
	const start, end = `message/external-body; access-type=URL; `, `; size=7; name="a b"`
	for _, c := range []struct{ name, field, want string }{
		{"Quoted", `URL="` + long + `"`, long},
		{"Folded", "URL=\"" + strings.ReplaceAll(long, "QUJDQUJD", "QUJD\r\n QUJD\n\t"), ""},
		{"Lines", "URL=\"" + strings.Repeat("QUJD\r\n ", 100) + "\"", strings.Repeat("QUJD ", 100)},
		{"BareCarriageReturns", "URL=\"" + strings.Repeat("a\rb\r\r\n ", 50) + "\"", strings.Repeat("a\rb ", 50)},
		{"QuotedPairs", `URL="` + strings.Repeat(`a\"b\\c\d`, 50) + `"`, strings.Repeat(`a"b\cd`, 50)},
		{"Unquoted", "URL=" + long, long},
		{"UnquotedWithSemicolons", "URL=data:a/b;base64," + long, "data:a/b;base64," + long},
		{"Comments", `(a (b) "\)) URL (c) = (d";) "` + long + `" (e)`, long},
		{"Extended", "URL*=us-ascii'en'" + strings.Repeat("%41%2", 80), strings.Repeat("A%2", 80)},
		{"Sections", "size=7" + sections("URL", `="%s"`, 90, "QUJD"), strings.Repeat("QUJD", 90)},
		{"EncodedSections", "URL*0*=utf-8''%41" + sections("x", `=%s`, 1, "y") + strings.Replace(sections("URL", `*=%s`, 90, "%41%2"), ";\r\n\tURL*0*=%41%2", "", 1), "A" + strings.Repeat("A%2", 89)},
		{"MixedSections", `URL*0="` + long + `"; URL*1*=%41; URL*2=b`, long + "Ab"},
		{"BehindAStrayQuote", `name="a"b"; URL="` + long + `"`, long},
		{"BehindAStrayQuoteOfAToken", `x=a"; URL="` + long + `"`, long},
		{"BeforeStrayQuotes", `URL="` + long + `"; x="a"b"c"; y=z"`, long},
		{"BeforeAStrayQuote", `URL="` + long + `"; x=y"; z=1`, long},
		{"StrayQuoteOfAnother", `URL="` + long + `"; x=a"; y="b`, ""},
		{"StrayQuoteAndComment", `x=a"; y=b (c"d); URL="` + long + `"`, ""},
		{"StrayWord", `x=a"b c=d; URL="` + long + `"`, ""},
		{"Latin1", "URL*=iso-8859-1''" + long + "%E4", ""},
		{"ISO2022JP", "URL*=iso-2022-jp''" + long + "%1B$BJs9p%1B%28B", ""},
		{"Gap", "size=7" + strings.Replace(sections("URL", `="%s"`, 90, "QUJD"), "URL*50=", "URL*51=", 1), ""},
		{"Backwards", `URL*1="` + long + `"; URL*0="` + long + `"`, ""},
		{"Twice", `URL="` + long + `"; url="` + long + `"`, ""},
		{"PlainAndExtended", `URL="` + long + `"; url*=` + "''" + long, ""},
		{"Unterminated", `URL="` + long, ""},
		{"SwallowsAnother", `name="x; URL="` + long + `"`, ""},
	} {
		field := start + c.field + end
		s, err := Skim(strings.NewReader(field), 64)
		if err != nil {
			t.Fatalf("%s: got error %v, want none", c.name, err)
		}
		got, err := io.ReadAll(iotest.HalfReader(NewValueReader(iotest.OneByteReader(strings.NewReader(field)), "url")))
		if c.want == "" {
			if !s.Cut && err == nil && slices.Contains(s.Long, "url") {
				t.Errorf("%s: got %d octets, want a field that is cut, or an error", c.name, len(got))
			}
			continue
		}
		if s.Cut || !slices.Equal(s.Long, []string{"url"}) || len(s.Field) > 400 {
			t.Errorf("%s: got long %q, cut %t, a field of %d octets, want url alone", c.name, s.Long, s.Cut, len(s.Field))
		}
		if string(got) != c.want || err != nil {
			t.Errorf("%s: got %.40q (%d octets), %v, want %.40q (%d octets)", c.name, got, len(got), err, c.want, len(c.want))
		}
		v := Parse(s.Field)
		if kept, _ := v.Get("url"); kept == "" || !strings.HasPrefix(c.want, kept) {
			t.Errorf("%s: got the beginning %q, want one of %.40q", c.name, kept, c.want)
		}
		if size, _ := v.Get("size"); size != "7" {
			t.Errorf("%s: got size %q, want 7, of %q", c.name, size, s.Field)
		}
		if full, _ := Parse(field).Get("url"); full != c.want {
			t.Errorf("%s: got %.40q of the whole field, want %.40q", c.name, full, c.want)
		}
	}
}

func TestSkimErrors(t *testing.T) {
	if _, err := Skim(iotest.ErrReader(iotest.ErrTimeout), 64); err != iotest.ErrTimeout {
		t.Errorf("got %v, want %v", err, iotest.ErrTimeout)
	}
	if _, err := io.ReadAll(NewValueReader(iotest.ErrReader(iotest.ErrTimeout), "url")); err != iotest.ErrTimeout {
		t.Errorf("got %v, want %v", err, iotest.ErrTimeout)
	}
	if _, err := io.ReadAll(NewValueReader(strings.NewReader("a/b; c=d"), "url")); !errors.Is(err, ErrValue) {
		t.Errorf("got %v, want %v", err, ErrValue)
	}
	s, err := Skim(strings.NewReader("a/b"+strings.Repeat("; a=b", maxSkimmed)), 64)
	if err != nil || !s.Cut {
		t.Errorf("got cut %t, %v, want a field that is cut", s.Cut, err)
	}
}

// Names and labels are at and above their limits, in one piece and in many.
func TestSkimLimits(t *testing.T) {
	for more, want := range map[int]bool{0: true, 1: false} {
		s, err := Skim(strings.NewReader("a/b; "+strings.Repeat("n", maxWord+more)+"=x"), 64)
		if err != nil || s.Cut == want {
			t.Errorf("a name with %d octets more: got cut %t, %v, want %t", more, s.Cut, err, !want)
		}
		field := "a/b; url*='" + strings.Repeat("l", maxLabel-2+more) + "'x"
		for _, r := range []io.Reader{strings.NewReader(field), iotest.OneByteReader(strings.NewReader(field))} {
			got, err := io.ReadAll(NewValueReader(r, "url"))
			if (err == nil) != want || want && string(got) != "x" {
				t.Errorf("a label with %d octets more: got %q, %v, want x: %t", more, got, err, want)
			}
		}
	}
}

// A parameter after an unquoted URL starts within the octets that the walker looks at, or the
// field is cut.
func TestSkimAhead(t *testing.T) {
	for more, cut := range map[int]bool{0: false, 1: true} {
		name := ";size"
		field := "a/b; url=x:y" + name + strings.Repeat(" ", maxAhead-len(name)-len("=")+more) + "=3"
		s, err := Skim(strings.NewReader(field), 64)
		if err != nil || s.Cut != cut {
			t.Errorf("with %d octets more: got cut %t, %v, want %t", more, s.Cut, err, cut)
		}
		if size, _ := Parse(s.Field).Get("size"); !cut && size != "3" {
			t.Errorf("got size %q of %q, want 3", size, s.Field)
		}
	}
}

// White space is kept up to its limit.
func TestSkimBlanks(t *testing.T) {
	for n, want := range map[int]int{maxBlank - 1: maxBlank - 1, maxBlank: maxBlank, maxBlank + 1: maxBlank} {
		s, err := Skim(strings.NewReader("a/b;"+strings.Repeat(" ", n)+"c=d"), 64)
		if err != nil || len(s.Field) != len("a/b;c=d")+want {
			t.Errorf("%d blanks: got %d octets, %v, want %d blanks", n, len(s.Field), err, want)
		}
	}
}

// A field of any length is skimmed and read in constant memory.
func TestSkimMemory(t *testing.T) {
	lines := &repeated{text: "QUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJD\r\n ", n: 200_000}
	field := func() io.Reader {
		c := *lines
		return io.MultiReader(strings.NewReader(`a/b; URL="`), &c, strings.NewReader(`"`))
	}
	allocs := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Skim(field(), 1<<10); err != nil {
				b.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, NewValueReader(field(), "url")); err != nil || n != 200_000*65 {
				b.Fatalf("got %d octets, %v", n, err)
			}
		}
	})
	if got := allocs.AllocedBytesPerOp(); got > 1<<20 {
		t.Errorf("got %d octets allocated, want at most 1 MiB", got)
	}
}

// A repeated gives a text many times.
type repeated struct {
	text string
	n    int
	off  int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.text[r.off:])
	if r.off += n; r.off == len(r.text) {
		r.off = 0
		r.n--
	}
	return n, nil
}

// FuzzSkim compares with Parse: in a field that is not cut, the long values are as from
// Parse, or an error if the charset must be converted or the field has faults, and the
// others are equal.
func FuzzSkim(f *testing.F) {
	for _, s := range []string{
		`a/b; url="0123456789abcdef"; name=x`, `a/b; url*0="0123456789"; url*1*=%41%42%43; url*2=z`, `a/b; url*=utf-8'en'%41%42%43%44%45%46`,
		`a/b;url=data:a/b;base64,AAAAAAAAAAAA;size=7`, `a/b; x="\\\\\\\\\\\\\"aaaa"; (a(b)c) y (=) = z`, "a/b; url=\"01\r\n 23\r\n\t456789\"", `"; a="b"c"d`,
		`a/b; name="a"b"; url="0123456789abcdef"`, `a/b; x=a"; y=b (c"d); url="0123456789abcdef"`, `a/b; url*=0123'45678'9abcdef`,
	} {
		f.Add(s, 8)
	}
	f.Fuzz(func(t *testing.T, field string, keep int) {
		keep = 1 + keep&31
		s, err := Skim(strings.NewReader(field), int64(keep))
		if err != nil {
			t.Fatal(err)
		}
		full, short := Parse(field), Parse(s.Field)
		if s.Cut {
			return
		}
		if len(full.Params) != len(short.Params) || full.Type != short.Type {
			t.Fatalf("got %+v\nwant %+v\nof %q", short, full, s.Field)
		}
		for i, p := range full.Params {
			if !slices.Contains(s.Long, p.Name) && p != short.Params[i] {
				t.Fatalf("got %+v, want %+v", short.Params[i], p)
			}
		}
		for _, name := range s.Long {
			want, _ := full.Get(name)
			kept, _ := short.Get(name)
			got, err := io.ReadAll(NewValueReader(strings.NewReader(field), name))
			if err == nil && string(got) == want || err != nil && len(full.Diags) > 0 {
				continue
			}
			p := full.Params[slices.IndexFunc(full.Params, func(p Param) bool { return p.Name == name })]
			if !p.Extended || p.Charset == "" {
				t.Fatalf("%s: got %q, %v, want %q (kept %q)", name, got, err, want, kept)
			}
		}
	})
}

// damaged yields field values of many forms with a few octets of each changed.
func damaged(n int) []string {
	r := rand.New(rand.NewPCG(22, 13))
	seeds := []string{
		`message/external-body; access-type=URL; url="data:a/b;base64,QUJDQUJDQUJDQUJD"; size=7; name="a b"`,
		`message/external-body; access-type=URL; url*0="data:a/b,0123456789"; url*1*=%41%42%43; url*2=z; size=3`,
		`message/external-body; url*=utf-8'en'data:,%41%42%43%44%45%46; access-type=URL`,
		`message/external-body;access-type=url;url=data:a/b;base64,AAAAAAAAAAAA;size=7`,
		`a/b; x="\\\\\\\"aaaa"; (a(b)c) y (=) = z; title="isn't it \"so\""`,
		"a/b; url=\"01\r\n 23\r\n\t456789\"; name=x (y) ; z=\"\"",
		`a/b; x=y"; url="0123456789abcdef"z"; name*=O'Bri'en; a="b"`,
	}
	const stuff = "\"\"\"\\\\();;==  \t\r\n*'%,/:<>@[]?0aé"
	fields := make([]string, n)
	for i := range fields {
		b := []byte(seeds[r.IntN(len(seeds))])
		for range 1 + r.IntN(4) {
			at := r.IntN(len(b))
			c := stuff[r.IntN(len(stuff))]
			switch r.IntN(4) {
			case 0:
				b = slices.Delete(b, at, at+1)
			case 1:
				b[at] = c
			default:
				b = slices.Insert(b, at, c)
			}
		}
		fields[i] = string(b)
	}
	return fields
}

// TestSkimAgrees compares Skim and NewValueReader with Parse over damaged values: a
// field that Skim does not cut means the same to Parse as the whole field.
func TestSkimAgrees(t *testing.T) {
	skimmed, read := 0, 0
	for _, field := range damaged(20_000) {
		s, err := Skim(iotest.OneByteReader(strings.NewReader(field)), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if s.Cut {
			continue
		}
		skimmed++
		full, short := Parse(field), Parse(s.Field)
		if full.Type != short.Type || !slices.Equal(full.Params, short.Params) {
			t.Errorf("%q: got %+v, want %+v as of Parse", field, short, full)
		}
		s, _ = Skim(strings.NewReader(field), 8)
		for _, name := range s.Long {
			if s.Cut {
				continue
			}
			want, _ := full.Get(name)
			got, err := io.ReadAll(NewValueReader(strings.NewReader(field), name))
			if read++; err == nil && string(got) != want || err != nil && !errors.Is(err, ErrValue) {
				t.Errorf("%q: got %q, %v, want %q as of Parse", field, got, err, want)
			}
		}
	}
	t.Logf("%d of 20000 damaged values were skimmed, and %d long values read", skimmed, read)
}
