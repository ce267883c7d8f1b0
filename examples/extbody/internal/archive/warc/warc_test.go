package warc_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/warc"
)

var date = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func record(block string) *warc.Record {
	return &warc.Record{Type: warc.Metadata, URI: "http://a.example/", Date: date, ContentType: "text/plain", Block: []byte(block)}
}

func written(t testing.TB, records ...*warc.Record) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, r := range records {
		if err := r.Write(&b); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestReader(t *testing.T) {
	text := written(t, record("one"), record(""), record(strings.Repeat("x", 100_000)))
	r := warc.NewReader(bytes.NewReader(text), 1<<20)
	for _, want := range []string{"one", "", strings.Repeat("x", 100_000)} {
		got, _, err := r.Next()
		if err != nil || string(got.Block) != want || got.URI != "http://a.example/" {
			t.Fatalf("got %v, %v, want a block of %d octets", got, err, len(want))
		}
	}
	if _, n, err := r.Next(); err != io.EOF || n != int64(len(text)) {
		t.Errorf("got %v at %d, want the end at %d", err, n, len(text))
	}
	for cut := 1; cut < len(text); cut += 997 {
		r := warc.NewReader(bytes.NewReader(text[:cut]), 1<<20)
		var err error
		for err == nil {
			_, _, err = r.Next()
		}
		if err == io.EOF && cut != len(written(t, record("one"))) {
			t.Errorf("cut at %d: got the end, want an error", cut)
		}
	}
	// Octets between the end of a record and the end of its gzip member, or none.
	for _, end := range []string{"", "\r\n", "\r\n\r\nx", "\r\n\r\n\r\n", "xx\r\n\r\n"} {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, "WARC/1.1\r\nWARC-Type: metadata\r\nContent-Length: 3\r\n\r\none"+end)
		z.Close()
		if rec, _, err := warc.NewReader(bytes.NewReader(b.Bytes()), 1<<20).Next(); err == nil {
			t.Errorf("a record that ends with %q: got %v, want an error", end, rec)
		}
	}
	if _, _, err := warc.NewReader(bytes.NewReader(written(t, record("four"))), 3).Next(); err == nil {
		t.Error("got a block larger than the limit")
	}
}

// A header that never ends is not held.
func TestEndlessHeader(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, "WARC/1.1\r\nWARC-Type: ")
	for range 1 << 10 {
		z.Write(make([]byte, 64<<10))
	}
	z.Close()
	allocated := testing.AllocsPerRun(1, func() {
		if _, _, err := warc.NewReader(bytes.NewReader(b.Bytes()), 1<<40).Next(); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("got %v, want an error", err)
		}
	})
	if allocated > 1000 {
		t.Errorf("got %v allocations, want at most 1000", allocated)
	}
}

func TestPadding(t *testing.T) {
	small := 0
	for size := range 1300 {
		if size > 1100 {
			size += 100_000
		}
		b := warc.Padding(size, date, "removed")
		if b == nil {
			small = size
			continue
		}
		if len(b) != size {
			t.Fatalf("got %d octets, want %d", len(b), size)
		}
		if rec, _, err := warc.NewReader(bytes.NewReader(b), 1<<20).Next(); err != nil || rec.Type != warc.Metadata || !strings.HasPrefix(string(rec.Block), "removed\n") {
			t.Fatalf("%d octets: got %v, %v; want the metadata record of what was removed", size, rec, err)
		}
	}
	if small >= 1024 {
		t.Errorf("got nothing for %d octets, want 1024 to be enough", small)
	}
}

// FuzzReader reads any octets: no block is larger than the limit, and records that were read are written and read
// again as they were.
func FuzzReader(f *testing.F) {
	f.Add(written(f, record("one"), record("two")), uint16(100))
	f.Add([]byte("\x1f\x8b\x08"), uint16(0))
	f.Fuzz(func(t *testing.T, text []byte, limit uint16) {
		r := warc.NewReader(bytes.NewReader(text), int64(limit))
		for range 100 {
			rec, n, err := r.Next()
			if n < 0 || n > int64(len(text)) {
				t.Fatalf("got the offset %d of %d, want one within the text", n, len(text))
			}
			if err != nil {
				return
			}
			if len(rec.Block) > int(limit) {
				t.Fatalf("got a block of %d octets, want at most %d", len(rec.Block), limit)
			}
			again, _, err := warc.NewReader(bytes.NewReader(written(t, rec)), int64(limit)).Next()
			if err != nil || !bytes.Equal(again.Block, rec.Block) || len(again.Fields) > len(rec.Fields) {
				t.Fatalf("got %v, %v, want %v", again, err, rec)
			}
			if strings.TrimSpace(rec.URI) != "" && !strings.ContainsFunc(rec.URI, func(c rune) bool { return c < ' ' || c == 0x7f }) && !reflect.DeepEqual(again.URI, rec.URI) {
				t.Fatalf("got %q, want %q", again.URI, rec.URI)
			}
		}
	})
}
