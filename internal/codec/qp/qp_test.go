package qp_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime/quotedprintable"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-extbody/extbody/internal/codec/qp"
)

var readers = map[string]func(io.Reader) io.Reader{
	"Whole":   func(r io.Reader) io.Reader { return r },
	"OneByte": iotest.OneByteReader,
	"Half":    iotest.HalfReader,
	"DataErr": iotest.DataErrReader,
}

func TestReader(t *testing.T) {
	long := strings.Repeat("x", 40<<10)
	tests := []struct{ name, text, want string }{
		{"Empty", "", ""},
		{"Plain", "abc", "abc"},
		{"Octets", "=41=c3=A9=00", "A\xc3\xa9\x00"},
		{"SoftBreak", "a=\r\nb=\nc", "abc"},
		{"SoftBreakBlanks", "a= \t\r\nb", "ab"},
		{"SoftBreakAtEnd", "a=", "a"},
		{"SoftBreakBlanksAtEnd", "a= \t", "a"},
		{"OnlySoftBreak", "=", ""},
		{"LineEnds", "a\r\nb\nc\r\n", "a\r\nb\nc\r\n"},
		{"BlanksAtLineEnd", "a \t\r\nb \nc ", "a\r\nb\nc"},
		{"EncodedBlankAtLineEnd", "a=20\r\n", "a \r\n"},
		{"EncodedLineEnd", "a=0D=0Ab", "a\r\nb"},
		{"CRs", "a\r\r\nb\rc", "a\r\nb\rc"},
		{"NoHex", "=XY=4", "=XY=4"},
		{"HalfHex", "=4X=X4=", "=4X=X4"},
		{"EqualSigns", "a==41=", "a=A"},
		{"TwoAtLineEnd", "a==\r\nb", "a=b"},
		{"HalfAtLineEnd", "a=4\r\nb", "a=4\r\nb"},
		{"Controls", "\x00\x7f\x80\xff", "\x00\x7f\x80\xff"},
		{"LongLine", long + "=41" + long + "\r\n", long + "A" + long + "\r\n"},
		{"LongLineSoftBreak", long + "=\r\n" + long, long + long},
		{"ManyBlanksAtLineEnd", "a" + strings.Repeat(" ", 9000) + "\r\nb", "a\r\nb"},
		{"ManyBlanks", strings.Repeat(" ", 40<<10) + "b", strings.Repeat(" ", 40<<10) + "b"},
		{"ManyBlanksBehindEqualSign", "=" + strings.Repeat(" ", 40<<10) + "b", "=" + strings.Repeat(" ", 40<<10) + "b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, wrap := range readers {
				if name == "OneByte" && len(tt.text) > 20<<10 {
					continue // each octet makes it look through a buffer of blanks
				}
				if err := iotest.TestReader(qp.NewReader(wrap(strings.NewReader(tt.text))), []byte(tt.want)); err != nil {
					t.Errorf("%s: got %v, want what a reader does", name, err)
				}
				var got bytes.Buffer
				big := make([]byte, 64<<10)
				if _, err := io.CopyBuffer(struct{ io.Writer }{&got}, struct{ io.Reader }{qp.NewReader(wrap(strings.NewReader(tt.text)))}, big); err != nil || got.String() != tt.want {
					t.Errorf("%s, in big pieces: %.80q, %v; want %.80q", name, got.String(), err, tt.want)
				}
			}
		})
	}
}

// TestForgiven: faults that may be read in several ways are counted, whatever the
// pieces of the text are.
func TestForgiven(t *testing.T) {
	long := strings.Repeat(" ", 20<<10)
	tests := []struct {
		name, text string
		want       int64
	}{
		{"Empty", "", 0},
		{"Clean", "caf=C3=A9 =\r\n\ty \r\nz=3D\n", 0},
		{"LowerCase", "=c3=a9", 0},
		{"LongLine", strings.Repeat("x", 40<<10), 0},
		{"BlanksAtLineEnd", "a \t\r\nb = \n", 0},
		{"NoHex", "=XY=4X\r\n", 2},
		{"HalfAtEnd", "a=4", 1},
		{"TwoEqualSigns", "a==41", 1},
		{"SoftBreakAtEnd", "a=", 1},
		{"SoftBreakBlanksAtEnd", "a= \t", 1},
		{"SoftBreakBeforeEnd", "a=\r\n", 0},
		{"BareCR", "a\rb", 1},
		{"CRBeforeCRLF", "a\r\r\n", 1},
		{"CRBeforeBlanks", "a\r \r\n", 1},
		{"CRAtEnd", "a\r", 1},
		{"Controls", "\x00a\x7f\v", 3},
		{"EightBit", "\x80caf\xe9\xff", 3},
		{"ManyBlanks", "a" + long + "b", 1},
		{"EqualSignBeforeManyBlanks", "=" + long + "b", 2},
	}
	for _, tt := range tests {
		for name, wrap := range readers {
			if name == "OneByte" && len(tt.text) > 10<<10 {
				continue // each octet makes it look through a buffer of blanks
			}
			r := qp.NewChecked(wrap(strings.NewReader(tt.text)))
			if _, err := io.Copy(io.Discard, struct{ io.Reader }{r}); err != nil || r.Forgiven() != tt.want {
				t.Errorf("%s, %s: got %d forgiven, %v; want %d", tt.name, name, r.Forgiven(), err, tt.want)
			}
		}
	}
}

// TestWithoutStrays has the readings of programs that leave out each "=" that stands for nothing.
func TestWithoutStrays(t *testing.T) {
	for _, tt := range []struct{ name, text, want, digit string }{
		{"Clean", "caf=C3=A9 =\r\n\ty \r\nz=3D\n", "caf\xc3\xa9 \ty\r\nz=\n", "caf\xc3\xa9 \ty\r\nz=\n"},
		{"NoHex", "a=XY=4X", "aXY4X", "aXYX"},
		{"TwoEqualSigns", "==41", "A", "A"},
		{"Digit", "=0=41", "0A", "A"},
		{"BeforeSoftBreak", "==\n=41", "A", "A"},
		{"AtEnd", "a=", "a", "a"},
		{"HalfAtEnd", "a=4", "a4", "a"},
	} {
		if got := string(qp.WithoutStrays([]byte(tt.text), false)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
		if got := string(qp.WithoutStrays([]byte(tt.text), true)); got != tt.digit {
			t.Errorf("%s, with a digit: got %q, want %q", tt.name, got, tt.digit)
		}
	}
}

// TestStrict: a control ends the output of a strict Reader, wherever it is, and nothing
// else does.
func TestStrict(t *testing.T) {
	long := strings.Repeat("0123456789abcdef\r\n", 4<<10)
	blanks := strings.Repeat(" ", 20<<10)
	for _, tt := range []struct {
		name, text string
		err        error
		forgiven   int64
	}{
		{"Empty", "", nil, 0},
		{"Clean", "caf=C3=a9 =\r\n\ty \r\nz=3D\n", nil, 0},
		{"EightBit", "caf\xe9", nil, 1},
		{"SoftBreakAtEnd", "a=", nil, 1},
		{"BareCR", "a\rb", nil, 1},
		{"ManyBlanks", "a" + blanks + "b", nil, 1},
		{"NoHex", "a=XY=4", nil, 2},
		{"Control", "a\x00", qp.ErrControl, 1},
		{"Delete", "a\x7f", qp.ErrControl, 1},
		{"Late", long + "\x01" + long, qp.ErrControl, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := qp.NewStrict(strings.NewReader(tt.text))
			got, err := io.ReadAll(r)
			if err != tt.err || r.Forgiven() != tt.forgiven {
				t.Errorf("got %v, %d forgiven, want %v, %d", err, r.Forgiven(), tt.err, tt.forgiven)
			}
			want, _ := io.ReadAll(qp.NewReader(strings.NewReader(tt.text)))
			if !bytes.HasPrefix(want, got) || err == nil && len(got) < len(want) {
				t.Errorf("got %.80q, want the beginning of %.80q", got, want)
			}
			if n, err := r.Read(make([]byte, 1)); tt.err != nil && (n > 0 || err != tt.err) {
				t.Errorf("then got %d octets, %v, want 0, %v", n, err, tt.err)
			}
		})
	}
}

func TestReaderError(t *testing.T) {
	broken := errors.New("broken")
	got, err := io.ReadAll(qp.NewReader(io.MultiReader(strings.NewReader("=41b=4"), iotest.ErrReader(broken))))
	if string(got) != "Ab=4" || err != broken {
		t.Errorf("ReadAll = %q, %v, want %q, %v", got, err, "Ab=4", broken)
	}
	if _, err := io.ReadAll(qp.NewReader(idle{})); err != io.ErrNoProgress {
		t.Errorf("of a reader that gives nothing: got %v, want %v", err, io.ErrNoProgress)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// FuzzReader compares with mime/quotedprintable where that gives no error, and
// with the same text in small pieces.
func FuzzReader(f *testing.F) {
	for _, s := range []string{
		"", "a=\r\nb", "a= \r\n", "=", "==", "=4", "=41", "=\n", "a \t\r\n", "a\r\r\n", "=3D=\r\n=E9", "x=0D=0A=\r\n\r\n",
		"caf=C3=A9 =\r\n  y\r\n", "=\r", " = ", "a=\r\n=\r\n b", strings.Repeat("0123456789", 500) + "=\r\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		whole := qp.NewChecked(bytes.NewReader(text))
		got, err := io.ReadAll(whole)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > len(text) {
			t.Errorf("got %d octets of %d, want at most those", len(got), len(text))
		}
		pieces := qp.NewChecked(iotest.OneByteReader(bytes.NewReader(text)))
		slow, err := io.ReadAll(pieces)
		if err != nil || !bytes.Equal(slow, got) || pieces.Forgiven() != whole.Forgiven() {
			t.Errorf("octet by octet: got %q, %v, %d forgiven; want %q, %d as at once", slow, err, pieces.Forgiven(), got, whole.Forgiven())
		}
		unchecked := qp.NewReader(bytes.NewReader(text))
		if plain, err := io.ReadAll(unchecked); err != nil || !bytes.Equal(plain, got) {
			t.Errorf("unchecked: got %q, %v; want %q as checked", plain, err, got)
		}
		appended, strays := qp.Append([]byte("x"), text)
		if string(appended) != "x"+string(got) || int64(strays) != unchecked.Forgiven() || int64(strays) > whole.Forgiven() {
			t.Errorf("Append = %q, %d, Reader %q, %d, want %q", appended, strays, got, unchecked.Forgiven(), "x"+string(got))
		}
		for _, digit := range []bool{false, true} {
			if other := qp.WithoutStrays(text, digit); strays == 0 && !bytes.HasPrefix(got, other) || len(other)+strays > len(text) {
				t.Errorf("without %d stray \"=\": got %q of %q, want %q", strays, other, text, got)
			}
		}
		clone := bytes.Clone(text)
		if same, _ := qp.Append(clone[:0], clone); string(same) != string(got) {
			t.Errorf("Append in place: got %q, want %q as of the Reader", same, got)
		}
		strict := qp.NewStrict(bytes.NewReader(text))
		if octets, err := io.ReadAll(strict); err == nil && !bytes.Equal(octets, got) || err != nil && (err != qp.ErrControl || !bytes.HasPrefix(got, octets)) {
			t.Errorf("strict: got %q, %v; want %q as checked, or its beginning and %v", octets, err, got, qp.ErrControl)
		} else if _, std := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(text))); std == nil && err != nil {
			t.Errorf("got %v for %q, want none, as mime/quotedprintable", err, text)
		}
		if want, err := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(text))); err == nil && !bytes.Equal(got, want) {
			t.Errorf("%q became %q, by mime/quotedprintable %q", text, got, want)
		} else if err != nil && err != bufio.ErrBufferFull && whole.Forgiven() == 0 {
			t.Errorf("%q: got %q with nothing forgiven, want something, as mime/quotedprintable says %v", text, got, err)
		}
	})
}
