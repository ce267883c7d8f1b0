package message

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

func quote(s string) string { return strconv.Quote(s) }

func TestFields(t *testing.T) {
	tests := []struct {
		name   string
		header string
		want   []string // name=value of each, both quoted
	}{
		{"Empty", "", nil},
		{"One", "A: b\r\n", []string{`"A"=" b"`}},
		{"Raw", "X-y \t:\t a  b \xff\x00 \r\n", []string{`"X-y"="\t a  b \xff\x00 "`}},
		{"Fold", "A: b\r\n\t c\n \r\nD:e\n", []string{`"A"=" b\r\n\t c\n "`, `"D"="e"`}},
		{"NoLineEnd", "A: b\nC", []string{`"A"=" b"`, `""=""`}},
		{"CRInValue", "A: b\rc\r\r\n", []string{`"A"=" b\rc"`}},
		{"MailboxLines", "From a\n>From b\nA: b\n", []string{`""=""`, `""=""`, `"A"=" b"`}},
		{"NotAField", "no field\n x\nA: b\n", []string{`""=""`, `""=""`, `"A"=" b"`}},
		{"EmptyValue", "A:\nB:\n c\n", []string{`"A"=""`, `"B"="\n c"`}},
		{"Malformed", ": a\nno name: b\n c\nA: b\n", []string{`""=""`, `""=""`, `""=""`, `"A"=" b"`}},
		{"ColonInValue", "A: b: c\n", []string{`"A"=" b: c"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			var raw strings.Builder
			for f := range Fields(test.header, 100) {
				got = append(got, quote(f.Name)+"="+quote(f.Value))
				if f.Span != (Span{100 + int64(raw.Len()), 100 + int64(raw.Len()+len(f.Raw))}) {
					t.Errorf("%q: got the span %v, want its place after the fields before it", f.Raw, f.Span)
				}
				raw.WriteString(f.Raw)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			names := slices.Collect(Names(test.header))
			if !slices.EqualFunc(names, test.want, func(name, field string) bool { return strings.HasPrefix(field, quote(name)+"=") }) {
				t.Errorf("got the names %q, want those of %s", names, test.want)
			}
			if raw.String() != test.header {
				t.Errorf("fields join to %q, want %q", raw.String(), test.header)
			}
		})
	}
}

func TestLookup(t *testing.T) {
	const header = "From x\nA: 1\nb: 2\nB: 3\n"
	if f, ok := Lookup(header, "B", 10); !ok || f.Value != " 2" || f.Span != (Span{22, 27}) {
		t.Errorf("B: got %+v, %v; want %q at %v", f, ok, " 2", Span{22, 27})
	}
	for _, name := range []string{"C", ""} {
		if f, ok := Lookup(header, name, 0); ok {
			t.Errorf("%q: got %+v, want none", name, f)
		}
	}
}

// TestSplit is about phantom headers (EB-13, EB-14, EB-15).
func TestSplit(t *testing.T) {
	tests := []struct {
		name  string
		body  string
		parts []string // header, blank, body
		diag  Diag
	}{
		{"Empty", "", []string{"", "", ""}, 0},
		{"HeaderAndBody", "A: b\nC: d\n\nx\n\ny", []string{"A: b\nC: d\n", "\n", "x\n\ny"}, 0},
		{"EndsWithHeader", "A: b\r\nC: d", []string{"A: b\r\nC: d", "", ""}, 0},
		{"EndsWithBlank", "A: b\r\n\r\n", []string{"A: b\r\n", "\r\n", ""}, 0},
		{"StartsWithBlank", "\r\nA: b\r\n\r\nx", []string{"", "\r\n", "A: b\r\n\r\nx"}, 0},
		{"MissingBlank", "A: b\nx y\n", []string{"A: b\n", "", "x y\n"}, MissingBlank},
		{"MalformedField", "Bad Name: x\n: y\nA: b\n\nz", []string{"Bad Name: x\n: y\nA: b\n", "\n", "z"}, MalformedField},
		{"NoHeader", "x y\n", []string{"", "", "x y\n"}, MissingBlank},
		{"NoMailboxLine", "From x\nA: b\n", []string{"", "", "From x\nA: b\n"}, MissingBlank},
		{"DelimiterLineIsNothing", "A: b\n--b\n", []string{"A: b\n", "", "--b\n"}, MissingBlank},
		{"DuplicateIsNoFault", "Content-Type: a/b\nContent-Type: c/d\n", []string{"Content-Type: a/b\nContent-Type: c/d\n", "", ""}, 0},
		{"TooLong", "A: bcdefghijklmnop\n\nx", []string{"A: bcdefghijklmnop\n", "\n", "x"}, HeaderTooLong},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, before := range []string{"", "x", "\r\n", strings.Repeat("x\r\n", windowSize)} {
				source := before + test.body + "\nZ: z\n"
				span := Span{int64(len(before)), int64(len(before) + len(test.body))}
				b, err := Split(strings.NewReader(source), span, Limits{HeaderBytes: 18})
				if err != nil {
					t.Fatal(err)
				}
				if test.name != "TooLong" {
					b.Diag &^= HeaderTooLong
				}
				got := []string{source[b.Header.Start:b.Header.End], source[b.Blank.Start:b.Blank.End], source[b.Body.Start:b.Body.End]}
				if !slices.Equal(got, test.parts) || b.Diag != test.diag {
					t.Errorf("behind %d octets: got %q (%v), want %q (%v)", len(before), got, b.Diag, test.parts, test.diag)
				}
			}
		})
	}
}

// TestBareCRAtEdge: a CR is found where a read ends as well.
func TestBareCRAtEdge(t *testing.T) {
	for _, size := range []int{firstRead, windowSize} {
		for n := size - 10; n < size+10; n++ {
			for cr, want := range map[string]Diag{"\rx": BareCR, "\r\r\rx": BareCR, "\r\r\n": 0} {
				text := strings.Repeat("x", n)
				text = "A: " + text + cr + "\n\n"
				x, err := Scan(strings.NewReader(text), int64(len(text)), Limits{})
				if err != nil || x.Root().Diag&BareCR != want || (x.Others() != nil) != (want != 0) {
					t.Errorf("%d octets and %q: got %v, other readings %v, %v, want %v", n, cr, x.Root().Diag, x.Others(), err, want)
				}
			}
		}
	}
}

// TestJunkInHeader has the texts after a line that is not a field: only those with a
// field of MIME before the next empty line or delimiter line have a second reading.
func TestJunkInHeader(t *testing.T) {
	const multipart = "Content-Type: multipart/mixed; boundary=b\n\n--b\n"
	for _, tt := range []struct {
		name, text string
		want       []Reading
	}{
		{"Field", "A: b\njunk\nContent-Type: text/html\n\n", []Reading{ReadJunk}},
		{"FieldLater", "A: b\njunk\nmore\ncontent-ID: <x>\n\n", []Reading{ReadJunk}},
		{"FieldAfterDashes", "A: b\njunk\n-- \nContent-Type: text/html\n\n", []Reading{ReadJunk}},
		{"FieldAfterEmptyLine", "A: b\njunk\n\nContent-Type: text/html\n\n", nil},
		{"OtherField", "A: b\njunk\nSubject: text/html\n\n", nil},
		{"FieldAfterDelimiter", multipart + "A: b\njunk\n--b\nContent-Type: text/html\n\nx\n--b--\n", nil},
		{"FieldInPart", multipart + "A: b\njunk\nContent-Type: text/html\n\nx\n--b--\n", []Reading{ReadJunk}},
	} {
		x, err := Scan(strings.NewReader(tt.text), int64(len(tt.text)), Limits{})
		if err != nil || !slices.Equal(x.Others(), tt.want) {
			t.Errorf("%s: got readings %v, %v; want %v, nil", tt.name, x.Others(), err, tt.want)
		}
	}
}

func TestSpan(t *testing.T) {
	s := Span{3, 8}
	if got := s.First(2); got != (Span{3, 5}) {
		t.Errorf("First(2): got %v, want %v", got, Span{3, 5})
	}
	if got := s.First(9); got != s {
		t.Errorf("First(9) is %v, want %v", got, s)
	}
	if got := s.First(-1); got != (Span{3, 3}) {
		t.Errorf("First(-1): got %v, want %v", got, Span{3, 3})
	}
	if got, err := ReadSpan(strings.NewReader("0123456789"), s); got != "34567" || err != nil {
		t.Errorf("ReadSpan is %q, %v, want %q, nil", got, err, "34567")
	}
}

func TestDiagString(t *testing.T) {
	if got := (MissingBlank | TooMany).String(); got != "missing-blank,too-many" {
		t.Errorf("got %q, want %q", got, "missing-blank,too-many")
	}
	if got := NearEncoding; 1<<(len(diagNames)-1) != got {
		t.Errorf("got %d names for faults, want them up to %d", len(diagNames), got)
	}
	if d := MissingBlank | TooDeep; !d.Has(TooDeep) || d.Has(TooDeep|TooMany) {
		t.Error("Has is wrong")
	}
	for e, want := range map[Encoding]string{Identity: "identity", Base64: "base64", QuotedPrintable: "quoted-printable", OtherEncoding: "other"} {
		if e.String() != want {
			t.Errorf("encoding %d: got %q, want %q", e, e, want)
		}
	}
}

func TestValues(t *testing.T) {
	for _, tt := range []struct{ name, value, unfold, text, line string }{
		{"Empty", "", "", "", ""},
		{"Plain", " a b", " a b", "a b", "a b"},
		{"Folded", " a\r\n\tb\n c", " a\tb c", "a\tb c", "a b c"},
		{"Blanks", "\t a  b ", "\t a  b ", "a  b", "a b"},
		{"BareCR", " a\rb", " a\rb", "a\rb", "a b"},
	} {
		f := Field{Value: tt.value}
		if unfold, text, line := Unfold(tt.value), f.Text(), f.Line(); unfold != tt.unfold || text != tt.text || line != tt.line {
			t.Errorf("%s: got %q, %q, %q, want %q, %q, %q", tt.name, unfold, text, line, tt.unfold, tt.text, tt.line)
		}
	}
	if got, want := FieldValue("Subject: a: b\r\n c\r\n"), " a: b\r\n c"; got != want {
		t.Errorf("FieldValue: got %q, want %q", got, want)
	}
}

func TestContentID(t *testing.T) {
	for _, tt := range []struct{ name, value, want, bare string }{
		{"Empty", "", "", ""},
		{"Plain", " <a@b>", "<a@b>", "a@b"},
		{"Folded", " <a@\r\n b>", "<a@ b>", "a@ b"},
		{"FoldedBefore", "\r\n <a@b>\r\n", "<a@b>", "a@b"},
		{"NoBrackets", " a@b ", "<a@b>", "a@b"},
		{"NotClosed", "<a@b", "<a@b>", "a@b"},
		{"Text", "see <a@b> (x)", "<a@b>", "a@b"},
		{"Blanks", "< a@b >", "<a@b>", "a@b"},
		{"EmptyBrackets", "<>", "", ""},
		{"TwoBrackets", "<<a>>", "<<a>", "<a"},
	} {
		got := ContentID(tt.value)
		if bare := BareID(got); got != tt.want || bare != tt.bare {
			t.Errorf("%s: got %q, %q, want %q, %q", tt.name, got, bare, tt.want, tt.bare)
		}
	}
}

// TestDecoders: the result of each decoder for damage.
func TestDecoders(t *testing.T) {
	for _, tt := range []struct {
		name     string
		encoding Encoding
		text     string
		want     string
		forgiven int64 // by DecodeChecked and DecodeStrict
		strict   bool  // DecodeStrict ends with an error
	}{
		{"Base64", Base64, "aGVs\r\nbG8=", "hello", 0, false},
		{"Base64Junk", Base64, "aGVs*bG8=", "hello", 1, false},
		{"QP", QuotedPrintable, "=68ello=\r\n", "hello", 0, false},
		{"QPNoHex", QuotedPrintable, "=XY", "=XY", 1, false},
		{"QPEightBit", QuotedPrintable, "\xe9", "\xe9", 1, false},
		{"QPControl", QuotedPrintable, "a\x00", "a\x00", 1, true},
	} {
		if got, err := io.ReadAll(Decode(strings.NewReader(tt.text), tt.encoding)); string(got) != tt.want || err != nil {
			t.Errorf("%s: got %q, %v, want %q, nil", tt.name, got, err, tt.want)
		}
		checked := DecodeChecked(strings.NewReader(tt.text), tt.encoding)
		if got, err := io.ReadAll(checked); string(got) != tt.want || err != nil || checked.Forgiven() != tt.forgiven {
			t.Errorf("%s, checked: got %q, %v, %d forgiven, want %q, nil, %d", tt.name, got, err, checked.Forgiven(), tt.want, tt.forgiven)
		}
		strict := DecodeStrict(strings.NewReader(tt.text), tt.encoding)
		if got, err := io.ReadAll(strict); !tt.strict && string(got) != tt.want || (err != nil) != tt.strict || strict.Forgiven() != tt.forgiven {
			t.Errorf("%s, strict: got %q, %v, %d forgiven, want %q, an error %v, %d", tt.name, got, err, strict.Forgiven(), tt.want, tt.strict, tt.forgiven)
		}
	}
	for _, e := range []Encoding{Identity, OtherEncoding} {
		src := strings.NewReader("=41")
		if got := Decode(src, e); got != src {
			t.Errorf("%v: got %T, want the source", e, got)
		}
		if checked, strict := DecodeChecked(src, e), DecodeStrict(src, e); checked != nil || strict != nil {
			t.Errorf("%v: got %T, %T, want none", e, checked, strict)
		}
	}
}

func TestErrReader(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name string
		r    io.Reader
		want error
	}{
		{"End", strings.NewReader("=4"), nil},
		{"Fault", io.MultiReader(strings.NewReader("=4"), iotest.ErrReader(broken)), broken},
	} {
		src := NewErrReader(tt.r)
		io.Copy(io.Discard, Decode(src, Base64))
		if got := src.Failure(); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
	if got := (*ErrReader)(nil).Failure(); got != nil {
		t.Errorf("without a reader: got %v, want nil", got)
	}
}
