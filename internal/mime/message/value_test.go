package message

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

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

// TestDecoders: what each decoder makes of damage.
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

func ExampleDecodeChecked() {
	d := DecodeChecked(strings.NewReader("caf=C3=A9 =XY"), QuotedPrintable)
	text, err := io.ReadAll(d)
	fmt.Printf("%s, %v, %d forgiven\n", text, err, d.Forgiven())
	// Output: café =XY, <nil>, 1 forgiven
}
