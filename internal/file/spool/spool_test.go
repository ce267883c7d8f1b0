package spool

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
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
