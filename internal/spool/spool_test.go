package spool

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// What was written is read, from memory and from a file, and nothing after Close.
func TestSpool(t *testing.T) {
	for _, c := range []struct {
		name   string
		size   int
		inFile bool
	}{
		{"Empty", 0, false},
		{"Short", 100, false},
		{"Longest", Memory, false},
		{"Long", Memory + 1, true},
		{"Longer", 3*Memory + 7, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := bytes.Repeat([]byte("0123456789abcde\n"), c.size/16+1)[:c.size]
			s := new(Spool)
			if n, err := io.Copy(s, iotest.OneByteReader(bytes.NewReader(want))); err != nil || n != int64(c.size) {
				t.Fatalf("got %d, %v, want %d octets written", n, err, c.size)
			}
			if got := s.file != nil; got != c.inFile {
				t.Errorf("in a file: got %t, want %t", got, c.inFile)
			}
			if err := iotest.TestReader(s.Section(), want); err != nil {
				t.Error(err)
			}
			s.Close()
			if _, err := s.Write([]byte("x")); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("Write: got %v, want %v", err, fs.ErrClosed)
			}
			if _, err := s.ReadAt(make([]byte, 1), 0); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("ReadAt: got %v, want %v", err, fs.ErrClosed)
			}
		})
	}
}

// A file is read from where it stands; the error of a stream is returned, and so is the
// end of the context, though the stream gives nothing.
func TestHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(4, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	text, release, err := Hold(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(text); string(got) != "456789" || err != nil {
		t.Errorf("a file: got %q, %v, want what is left of it", got, err)
	}
	release()

	bad := errors.New("bad")
	if _, _, err := Hold(t.Context(), io.MultiReader(strings.NewReader("x"), iotest.ErrReader(bad))); !errors.Is(err, bad) {
		t.Errorf("a stream that fails: got %v, want %v", err, bad)
	}

	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Hold(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("a stream that gives nothing: got %v, want %v", err, context.Canceled)
	}
}
