package lastoctet_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-extbody/extbody/internal/netx/lastoctet"
)

func TestReader(t *testing.T) {
	for size := range 70 {
		want := bytes.Repeat([]byte("0123456789"), 7)[:size]
		for name, wrap := range map[string]func(io.Reader) io.Reader{
			"Plain":   func(r io.Reader) io.Reader { return r },
			"OneByte": iotest.OneByteReader,
			"Half":    iotest.HalfReader,
			"DataErr": iotest.DataErrReader,
		} {
			if err := iotest.TestReader(&lastoctet.Reader{R: wrap(bytes.NewReader(want))}, want); err != nil {
				t.Errorf("%s of %d octets: got %v, want what a reader does", name, size, err)
			}
			var buf bytes.Buffer
			n, err := (&lastoctet.Reader{R: wrap(bytes.NewReader(want))}).WriteTo(&buf)
			if err != nil || n != int64(size) || !bytes.Equal(buf.Bytes(), want) {
				t.Errorf("%s: WriteTo of %d octets: got %d, %v, want %d, nil", name, size, n, err, int64(size))
			}
		}
	}
}

func TestLastOctetNeedsVerdict(t *testing.T) {
	bad := errors.New("bad")
	for size := 1; size < 10; size++ {
		for _, chunk := range []int{1, 2, 3, 100} {
			r := &lastoctet.Reader{R: io.MultiReader(strings.NewReader(strings.Repeat("x", size)), iotest.ErrReader(bad))}
			buf, got := make([]byte, chunk), 0
			var err error
			for err == nil {
				var n int
				n, err = r.Read(buf)
				got += n
			}
			if got != size-1 || err != bad {
				t.Errorf("%d octets in chunks of %d: got %d octets, then %v, want %d, %v", size, chunk, got, err, size-1, bad)
			}
			if n, err := r.Read(buf); n != 0 || err != bad {
				t.Errorf("after the end: got %d, %v, want 0, %v", n, err, bad)
			}
		}
	}
}

func TestAbandon(t *testing.T) {
	closed := errors.New("closed")
	r := &lastoctet.Reader{R: strings.NewReader("abc")}
	r.Read(make([]byte, 2))
	r.Abandon(closed)
	if n, err := r.Read(make([]byte, 9)); n != 0 || err != closed {
		t.Errorf("got %d, %v, want 0, %v", n, err, closed)
	}
}
