package spool

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"testing/iotest"
)

func octets(n int, seed uint64) []byte {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// The octets that were written are read, from memory and from a file, and nothing
// after Close.
func TestSpool(t *testing.T) {
	for _, c := range []struct {
		name   string
		size   int
		inFile bool
	}{
		{"Empty", 0, false},
		{"Short", 100, false},
		{"Longest", DefaultMemory, false},
		{"Long", DefaultMemory + 1, true},
		{"Longer", 3*DefaultMemory + 7, true},
		{"SeveralRooms", 3*maxRoom + 7, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := octets(c.size, 1)
			s := new(Spool)
			if n, err := io.Copy(s, iotest.HalfReader(bytes.NewReader(want))); err != nil || n != int64(c.size) {
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

func TestMax(t *testing.T) {
	s := &Spool{Max: 10}
	defer s.Close()
	if _, err := s.Write(make([]byte, 10)); err != nil {
		t.Error(err)
	}
	if n, err := s.Write([]byte("x")); n != 0 || !errors.Is(err, ErrTooLong) {
		t.Errorf("got %d, %v, want 0, %v", n, err, ErrTooLong)
	}
}

// Spools that together have more than their Account go to files, and give memory back.
func TestAccount(t *testing.T) {
	a := &Account{Max: 100}
	first, second := &Spool{Account: a}, &Spool{Account: a}
	first.Write(make([]byte, 100))
	second.Write([]byte("x"))
	if first.file != nil || second.file == nil || a.Used() != 100 {
		t.Errorf("got %t, %t, %d, want false, true, 100", first.file != nil, second.file != nil, a.Used())
	}
	first.Write([]byte("x"))
	if first.file == nil || a.Used() != 0 {
		t.Errorf("got %t, %d, want true, 0", first.file != nil, a.Used())
	}
	first.Close()
	second.Reset()
	second.Write([]byte("x"))
	if second.Close(); a.Used() != 0 {
		t.Errorf("got %d octets in use, want 0", a.Used())
	}
}

// Spools that share a file, written at the same time with Resets between, have their own
// octets, and the file ends with them.
func TestSharedFile(t *testing.T) {
	f := &File{Dir: t.TempDir()}
	var wg sync.WaitGroup
	spools := make([]*Spool, 12)
	for i := range spools {
		spools[i] = &Spool{File: f, Memory: -1}
		wg.Go(func() {
			io.Copy(spools[i], bytes.NewReader(octets(100_000*i, 99)))
			if err := spools[i].Reset(); err != nil {
				t.Error(err)
			}
			if _, err := io.Copy(spools[i], iotest.HalfReader(bytes.NewReader(octets(70_000*i, uint64(i))))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i, s := range spools {
		got, err := io.ReadAll(s.Section())
		if err != nil || !bytes.Equal(got, octets(70_000*i, uint64(i))) {
			t.Errorf("spool %d: got %d octets, %v, want others", i, len(got), err)
		}
	}
	for _, s := range spools {
		s.Close()
	}
	if info, err := f.file.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("got %d octets, %v, want none left", info.Size(), err)
	}
	f.Close()
	if entries, err := os.ReadDir(f.Dir); len(entries) > 0 || err != nil {
		t.Errorf("got %v, %v, want an empty folder", entries, err)
	}
}

// With a full disk the octets from before stay, and the error is an *Error.
func TestFull(t *testing.T) {
	s := &Spool{Dir: t.TempDir() + "/missing"}
	defer s.Close()
	s.Write([]byte("abc"))
	if _, err := s.Write(make([]byte, DefaultMemory)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want %v", err, fs.ErrNotExist)
	} else if _, ok := errors.AsType[*Error](err); !ok {
		t.Errorf("got %T, want *Error", err)
	}
	if got, err := io.ReadAll(s.Section()); err != nil || string(got) != "abc" {
		t.Errorf("got %q, %v, want abc", got, err)
	}
}
