package dataurl_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-extbody/extbody/dataurl"
)

// streamSeeds are URLs whose parts are cut by the reads of a Stream.
var streamSeeds = []string{
	"", "data:", "data:,", "data:,x", "http://a/", "  data:,a b  ", "data:,a \x01 b\x01 #c ", "data:text/html,%4", "data:,%4\n1%zz%%41", "data:,a #",
	"data:;base64,QUJD", "data:;base64,QU JD%51UI=", "data:;base64,QUI", "data:;base64,QUI=", "data:;base64,QQ==", "data:;base64,QUI==", "data:;base64,Q",
	"data:;base64,QU*D", "data:;base64,QUJD=", "data:;base64,QUI=QUJD", "data:;base64,QUJD#x", "data:;base64,QUJD\x01", "data:;base64,Q%3D", "data:;base64,QU%3D=",
	"da\tta:a/b;c=d;base64 ,Q\nQ", "data:#,", "data:a#,b", "data:/a/../b,c?d e#f", "data://u@h:1/a,b", "data://[x]/,b", "data:a/b;base64,QR==", "data:,a\"b",
}

// same compares a Stream with the same URL as a string.
func same(t *testing.T, text string, r io.Reader, strict bool) {
	parse, parseReader := dataurl.Parse, dataurl.ParseReader
	if strict {
		parse, parseReader = dataurl.ParseStrict, dataurl.ParseReaderStrict
	}
	u, wantErr := parse(text)
	var want []byte
	if wantErr == nil {
		want, wantErr = io.ReadAll(u.NewReader())
	}
	s, err := parseReader(r)
	var got []byte
	if err == nil {
		if wantErr == nil && (s.MediaType != u.MediaType || s.Base64 != u.Base64) {
			t.Fatalf("%q: got %q, %t, want %q, %t", text, s.MediaType, s.Base64, u.MediaType, u.Base64)
		}
		got, err = io.ReadAll(s)
	}
	e, ok := errors.AsType[*dataurl.Error](err)
	if err != nil && !ok {
		t.Fatalf("%q: got %v, want a *dataurl.Error", text, err)
	}
	if wantErr != nil {
		w, _ := errors.AsType[*dataurl.Error](wantErr)
		if err == nil || e.Fault() != w.Fault() {
			t.Fatalf("%q strict %t: got %q, %v, want %v", text, strict, got, err, wantErr)
		}
		return
	}
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%q strict %t: got %q, %v, want %q", text, strict, got, err, want)
	}
}

func TestParseReader(t *testing.T) {
	for _, text := range streamSeeds {
		for _, strict := range []bool{false, true} {
			same(t, text, strings.NewReader(text), strict)
			same(t, text, iotest.OneByteReader(strings.NewReader(text)), strict)
			same(t, text, iotest.DataErrReader(strings.NewReader(text)), strict)
		}
	}
	for _, fill := range []string{"QUJD", "QUJD\r\n ", "%51UJD", "a", "%41", " ", "QUJ"} {
		for _, head := range []string{"data:a/b,", "data:a/b;base64,"} {
			for n := range 4 {
				text := head + strings.Repeat("x", n) + strings.Repeat(fill, 20_000)
				same(t, text, strings.NewReader(text), false)
			}
		}
	}
	text := "data:a/b;base64," + strings.Repeat("QUJD\r\n", 1000) + "QQ=="
	s, err := dataurl.ParseReader(strings.NewReader(text))
	noError(t, err)
	if err := iotest.TestReader(s, []byte(strings.Repeat("ABC", 1000)+"A")); err != nil {
		t.Error(err)
	}
}

func TestParseReaderErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		text io.Reader
		want error
	}{
		{"Comma", strings.NewReader("data:" + strings.Repeat("x", 64<<10-len("data:,")) + ",x"), nil},
		{"CommaAfter", strings.NewReader("data:" + strings.Repeat("x", 64<<10-len("data:")) + ",x"), dataurl.TooLong},
		{"Whole", strings.NewReader("data:/," + strings.Repeat("x", 64<<10-len("data:/,"))), nil},
		{"WholeMore", strings.NewReader("data:/," + strings.Repeat("x", 64<<10-len("data:/"))), dataurl.TooLong},
		{"Head", strings.NewReader("data:" + strings.Repeat("x", 70<<10) + ",x"), dataurl.TooLong},
		{"NotData", strings.NewReader(strings.Repeat("x", 70<<10)), dataurl.NotData},
		{"Normalized", strings.NewReader("data:/," + strings.Repeat("x", 70<<10)), dataurl.TooLong},
		{"Source", io.MultiReader(strings.NewReader("data:"), iotest.ErrReader(iotest.ErrTimeout)), iotest.ErrTimeout},
	} {
		if _, err := dataurl.ParseReader(c.text); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
	s, err := dataurl.ParseReader(io.MultiReader(strings.NewReader("data:,a#"), iotest.ErrReader(iotest.ErrTimeout)))
	noError(t, err)
	if got, err := io.ReadAll(s); string(got) != "a" || err != iotest.ErrTimeout {
		t.Errorf("got %q, %v, want a and %v", got, err, iotest.ErrTimeout)
	}
}

// The body of a Stream takes no memory.
func TestStreamMemory(t *testing.T) {
	text := "data:a/b;base64," + strings.Repeat("QUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJD\r\n", 100_000)
	allocs := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s, err := dataurl.ParseReader(strings.NewReader(text))
			if err != nil {
				b.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, s); n != 4_500_000 || err != nil {
				b.Fatalf("got %d octets, %v", n, err)
			}
		}
	})
	if got := allocs.AllocedBytesPerOp(); got > 256<<10 {
		t.Errorf("got %d octets allocated, want at most 256 KiB", got)
	}
}

// FuzzParseReader compares a Stream with Parse and ParseStrict, in pieces of any
// size.
func FuzzParseReader(f *testing.F) {
	for _, s := range streamSeeds {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, strict bool) {
		same(t, text, strings.NewReader(text), strict)
		same(t, text, iotest.OneByteReader(strings.NewReader(text)), strict)
	})
}

func BenchmarkStream(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"Base64", "data:a/b;base64," + strings.Repeat("QUJD", 1<<20)},
		{"Base64Lines", "data:a/b;base64," + strings.Repeat(strings.Repeat("QUJD", 19)+"\r\n", 50_000)},
		{"Escapes", "data:a/b," + strings.Repeat("%41", 1<<20)},
	} {
		bench(b, c.name, len(c.text), func() error {
			s, err := dataurl.ParseReader(strings.NewReader(c.text))
			if err == nil {
				_, err = io.Copy(io.Discard, s)
			}
			return err
		})
	}
}
