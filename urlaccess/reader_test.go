package urlaccess

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReader(t *testing.T) {
	for _, param := range []string{
		"", " \r\n", "data:,abc", " d a\tt\r\na:, \"a\\b\"\xff%41 ", strings.Repeat("data:;base64, QUJD\r\n\t", 3000), "<URL:data:,x>",
	} {
		want, _, err := DecodeReport(param)
		if param == "<URL:data:,x>" {
			want = param
		} else if err != nil && !errors.Is(err, Empty) {
			t.Fatal(err)
		}
		if err := iotest.TestReader(NewReader(strings.NewReader(param)), []byte(want)); err != nil {
			t.Errorf("%.20q: got error %v, want none", param, err)
		}
		got, err := io.ReadAll(NewReader(iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(param)))))
		if string(got) != want || err != nil {
			t.Errorf("%.20q: got %.20q, %v, want %.20q", param, got, err, want)
		}
	}
}

func TestReaderErrors(t *testing.T) {
	long := strings.Repeat(" a", readerBuffer)
	got, err := io.ReadAll(NewReader(strings.NewReader(long + "\x00b")))
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Reason != ControlCharacter || e.Offset != len(long) {
		t.Errorf("got %v, want %v at octet %d", err, ControlCharacter, len(long))
	}
	if want := strings.Repeat("a", readerBuffer); string(got) != want {
		t.Errorf("got %d octets, want %d", len(got), len(want))
	}
	if _, err := io.ReadAll(NewReader(iotest.ErrReader(iotest.ErrTimeout))); err != iotest.ErrTimeout {
		t.Errorf("got %v, want %v", err, iotest.ErrTimeout)
	}
}

// FuzzReader compares with Decode.
func FuzzReader(f *testing.F) {
	for _, s := range []string{"", "data:,a b", "\"\\\xff", "a\x00b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, param string) {
		want, repairs, wantErr := DecodeReport(param)
		got, err := io.ReadAll(NewReader(iotest.HalfReader(strings.NewReader(param))))
		if errors.Is(wantErr, ControlCharacter) {
			if err == nil || err.Error() != wantErr.Error() {
				t.Fatalf("%q: got %v, want %v", param, err, wantErr)
			}
			return
		}
		if err != nil {
			t.Fatalf("%q: got error %v, want none", param, err)
		}
		if wantErr == nil && string(got) != want && !slices.Contains(repairs, wrapperRemoved) {
			t.Fatalf("%q: got %q, want %q", param, got, want)
		}
	})
}
