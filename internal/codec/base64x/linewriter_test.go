package base64x

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"testing"
)

// lines returns the text that a LineWriter has to write for src.
func lines(src []byte) []byte {
	var out []byte
	for text := base64.StdEncoding.EncodeToString(src); text != ""; {
		n := min(76, len(text))
		out = append(append(out, text[:n]...), "\r\n"...)
		text = text[n:]
	}
	return out
}

func TestLineWriter(t *testing.T) {
	src := random(3*blockOctets + 100)
	for _, n := range []int{0, 1, 2, 3, 56, 57, 58, 114, blockOctets - 1, blockOctets, blockOctets + 1, len(src)} {
		for _, piece := range []int{1, 3, 57, 1000, blockOctets, len(src)} {
			var out bytes.Buffer
			w := NewLineWriter(&out)
			for rest := src[:n]; len(rest) > 0; {
				k, err := w.Write(rest[:min(piece, len(rest))])
				if err != nil || k != min(piece, len(rest)) {
					t.Fatalf("Write: got %d, %v; want %d, nil", k, err, min(piece, len(rest)))
				}
				rest = rest[k:]
			}
			for range 2 {
				if err := w.Close(); err != nil {
					t.Fatalf("Close: got error %v, want none", err)
				}
			}
			if !bytes.Equal(out.Bytes(), lines(src[:n])) {
				t.Fatalf("%d octets in pieces of %d: got %d octets %.100q, want %d octets %.100q", n, piece, out.Len(), out.Bytes(), len(lines(src[:n])), lines(src[:n]))
			}
			if _, err := w.Write([]byte("x")); err == nil {
				t.Error("Write after Close succeeds")
			}
		}
	}
}

func TestLineWriterError(t *testing.T) {
	broken := errors.New("broken")
	for _, blocks := range []int{0, 1, 2} {
		w := NewLineWriter(&brokenWriter{blocks: blocks, err: broken})
		n, err := w.Write(random(3 * blockOctets))
		if err != broken || n != blocks*blockOctets {
			t.Errorf("Write = %d, %v; want %d, broken", n, err, blocks*blockOctets)
		}
		if _, err := w.Write([]byte("x")); err != broken {
			t.Errorf("later Write: %v, want broken", err)
		}
		if err := w.Close(); err != broken {
			t.Errorf("Close: %v, want broken", err)
		}
	}
	w := NewLineWriter(&brokenWriter{err: broken})
	if _, err := w.Write([]byte("x")); err != nil {
		t.Errorf("Write of what is held back: got error %v, want none", err)
	}
	if err := w.Close(); err != broken {
		t.Errorf("Close: %v, want broken", err)
	}
}

// A brokenWriter fails after some calls.
type brokenWriter struct {
	blocks int
	err    error
}

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.blocks == 0 {
		return 0, w.err
	}
	w.blocks--
	return len(p), nil
}

func FuzzLineWriter(f *testing.F) {
	f.Add([]byte("some octets"), 3)
	f.Add(random(5000), 700)
	f.Fuzz(func(t *testing.T, src []byte, piece int) {
		piece = max(1, piece%5000)
		var out bytes.Buffer
		w := NewLineWriter(&out)
		for rest := src; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
			w.Write(rest[:min(piece, len(rest))])
		}
		w.Close()
		if !bytes.Equal(out.Bytes(), lines(src)) {
			t.Fatalf("%q: got %q, want %q", src, out.Bytes(), lines(src))
		}
		m := NewMailReader(&out)
		if back, err := io.ReadAll(m); err != nil || !bytes.Equal(back, src) || m.Forgiven() != 0 {
			t.Fatalf("read back: got %q, %v, %d forgiven; want %q, nil, 0", back, err, m.Forgiven(), src)
		}
	})
}
