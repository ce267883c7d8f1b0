package cache_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch/cache"
)

func put(t testing.TB, s cache.Store, key string, body []byte, meta string) {
	t.Helper()
	noError(t, tryPut(s, key, body, meta))
}

func tryPut(s cache.Store, key string, body []byte, meta string) error {
	d, err := s.Create(int64(len(body)))
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err := d.Write(body); err != nil {
		return err
	}
	return d.Commit(key, []byte(meta))
}

// read returns the stored body, "" for none.
func read(s cache.Store, key string) (body, meta string, err error) {
	it, err := s.Get(key)
	if err != nil {
		return "", "", err
	}
	defer it.Close()
	r := it.Open()
	defer r.Close()
	b, err := io.ReadAll(r)
	return string(b), string(it.Meta()), err
}

// wantStored reports an error unless s has this body, and this meta if there is one.
func wantStored(t testing.TB, s cache.Store, key, want string, meta ...string) {
	t.Helper()
	if got, m, err := read(s, key); got != want || err != nil || len(meta) > 0 && m != meta[0] {
		t.Errorf("%q: got %d octets, %.30q, meta %q, %v, want %d, %.30q, %q, nil", key, len(got), got, m, err, len(want), want, meta)
	}
}

// wantMissing reports an error unless reading from s fails with want.
func wantMissing(t testing.TB, s cache.Store, key string, want error) {
	t.Helper()
	if got, _, err := read(s, key); !errors.Is(err, want) {
		t.Errorf("%q: got %.30q, %v, want %v", key, got, err, want)
	}
}

// Both stores keep the promises of Store.
func TestStore(t *testing.T) {
	const max = 4 << 20
	for _, name := range []string{"Dir", "Memory"} {
		open := func(t *testing.T) cache.Store { return stores(t, max)[name] }
		t.Run(name+"/RoundTrip", func(t *testing.T) {
			s := open(t)
			for _, n := range []int{0, 1, 1000, 256<<10 - 1, 256 << 10, 256<<10 + 1, 1 << 20} {
				key, want := fmt.Sprint("key\x00/", n), string(body(n))
				put(t, s, key, []byte(want), key)
				wantStored(t, s, key, want, key)
			}
		})
		t.Run(name+"/Missing", func(t *testing.T) {
			s := open(t)
			wantMissing(t, s, "x", fs.ErrNotExist)
			noError(t, s.Delete("x"))
		})
		t.Run(name+"/Draft", func(t *testing.T) {
			s := open(t)
			d, err := s.Create(-1)
			noError(t, err)
			for i := range 10 {
				fmt.Fprintf(d, "%d", i)
			}
			buf := make([]byte, 4)
			if n, err := d.ReadAt(buf, 3); n != 4 || err != nil || string(buf) != "3456" {
				t.Errorf("got %q, %v, want %q, nil", buf[:n], err, "3456")
			}
			wantMissing(t, s, "k", fs.ErrNotExist) // before Commit
			noError(t, d.Commit("k", []byte("m")))
			if n, err := d.ReadAt(buf, 6); n != 4 || err != nil && err != io.EOF || string(buf) != "6789" {
				t.Errorf("after Commit: got %q, %v, want %q", buf[:n], err, "6789")
			}
			d.Close()
			wantStored(t, s, "k", "0123456789")
		})
		t.Run(name+"/Replace", func(t *testing.T) {
			s := open(t)
			put(t, s, "k", []byte("one"), "1")
			it, err := s.Get("k")
			noError(t, err)
			defer it.Close()
			put(t, s, "k", []byte("two"), "2")
			wantStored(t, s, "k", "two", "2")
			r := it.Open()
			defer r.Close()
			if b, err := io.ReadAll(r); string(b) != "one" || err != nil {
				t.Errorf("what was being read: got %q, %v, want %q, nil", b, err, "one")
			}
			noError(t, s.Update("k", it, []byte("3")))
			wantStored(t, s, "k", "one", "3")
			noError(t, s.Delete("k"))
			wantMissing(t, s, "k", fs.ErrNotExist)
		})
		t.Run(name+"/Bounded", func(t *testing.T) {
			s := open(t)
			put(t, s, "kept", []byte("kept"), "")
			for i := range 40 {
				put(t, s, fmt.Sprint(i), body(300_000+i), "")
				if _, _, err := read(s, "kept"); err != nil {
					t.Fatalf("what was used just now: got %v after %d more, want it stored", err, i)
				}
				time.Sleep(2 * time.Millisecond) // the times of files differ
			}
			wantMissing(t, s, "0", fs.ErrNotExist) // it was used longest ago
			wantStored(t, s, "39", string(body(300_039)))
			if _, err := s.Create(max + 1); !errors.Is(err, cache.ErrFull) {
				t.Errorf("a body that never fits: got %v, want %v", err, cache.ErrFull)
			}
			if err := tryPut(s, "big", make([]byte, max+1), ""); !errors.Is(err, cache.ErrFull) {
				t.Errorf("got %v, want %v", err, cache.ErrFull)
			}
		})
		t.Run(name+"/BoundedDrafts", func(t *testing.T) {
			s := open(t)
			var drafts []cache.Draft
			for range 6 {
				d, err := s.Create(-1)
				noError(t, err)
				drafts = append(drafts, d)
			}
			full := 0
			for _, d := range drafts {
				if _, err := d.Write(make([]byte, 1<<20)); errors.Is(err, cache.ErrFull) {
					full++
				}
			}
			if full < 2 {
				t.Errorf("%d drafts of 6 MiB found no room in 4 MiB, want at least 2", full)
			}
			for _, d := range drafts {
				d.Close()
			}
			put(t, s, "k", make([]byte, 3<<20), "") // they gave their room back
		})
	}
}

func du(t testing.TB, path string) (n int64) {
	t.Helper()
	for _, name := range files(t, path) {
		if info, err := os.Stat(name); err == nil {
			n += info.Size()
		}
	}
	return n
}

// The bound holds for several stores in one directory, with small files too.
func TestDirSharedBound(t *testing.T) {
	const max = 300_000
	path := filepath.Join(t.TempDir(), "c")
	var stores []cache.Store
	for range 3 {
		d := openDir(t, path, max)
		stores = append(stores, d)
	}
	for i := range 60 {
		put(t, stores[i%3], fmt.Sprint(i), body(9000 + i)[i:], "meta")
		if n := du(t, path); n > max+1000 {
			t.Fatalf("after %d bodies: got %d octets, want at most %d", i, n, max)
		}
		wantStored(t, stores[(i+1)%3], fmt.Sprint(i), string(body(9000 + i)[i:]))
	}
}

// The same octets under several keys are one file, and its name discloses nothing.
func TestDirLayout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "c")
	d := openDir(t, path, 1<<20)
	for i := range 5 {
		put(t, d, fmt.Sprint("http://h/?token=s3cr3t", i), []byte("hello"), "m")
	}
	objects := files(t, filepath.Join(path, "objects"))
	const sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
	if len(objects) != 1 || filepath.Base(objects[0]) != sum {
		t.Errorf("got %v, want one file %s", objects, sum)
	}
	d.Close()
	err := filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if e.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want && runtime.GOOS != "windows" || strings.Contains(name, "s3cr3t") || strings.Contains(name, "token") {
			t.Errorf("%s: mode %o, want %o", name, info.Mode().Perm(), want)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if len(files(t, filepath.Join(path, "tmp"))) != 0 {
		t.Errorf("got temporary files %q, want none", files(t, filepath.Join(path, "tmp")))
	}
	if runtime.GOOS == "windows" {
		return // there are no modes
	}
	noError(t, os.Chmod(path, 0o777))
	if d, err := cache.Dir(path, 1<<20); err == nil {
		d.Close()
		t.Error("a directory that all may write to: got it opened, want an error")
	}
}

// A body that was changed on disk has no end of file, wherever it was changed, and is
// deleted.
func TestDirTampered(t *testing.T) {
	want := body(700_000)
	for _, tt := range []struct {
		name   string
		change func([]byte) []byte
		err    error
	}{
		{"First", func(b []byte) []byte { b[0] ^= 1; return b }, cache.ErrCorrupt},
		{"Middle", func(b []byte) []byte { b[300_000] ^= 1; return b }, cache.ErrCorrupt},
		{"Last", func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, cache.ErrCorrupt},
		{"Shorter", func(b []byte) []byte { return b[:len(b)-1] }, fs.ErrNotExist},
		{"Longer", func(b []byte) []byte { return append(b, 0) }, fs.ErrNotExist},
		{"Empty", func([]byte) []byte { return nil }, fs.ErrNotExist},
		{"Swapped", func(b []byte) []byte {
			first := bytes.Clone(b[:256<<10])
			copy(b, b[256<<10:512<<10])
			copy(b[256<<10:], first)
			return b
		}, cache.ErrCorrupt},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, path := newDir(t, 8<<20)
			put(t, d, "k", want, "m")
			object := files(t, filepath.Join(path, "objects"))[0]
			b, err := os.ReadFile(object)
			if err == nil {
				err = os.WriteFile(object, tt.change(b), 0o600)
			}
			noError(t, err)
			wantMissing(t, d, "k", tt.err)
			wantMissing(t, d, "k", fs.ErrNotExist)
			put(t, d, "k", want, "m")
			wantStored(t, d, "k", string(want))
		})
	}
}

// A body that becomes shorter while it is read is damaged.
func TestDirCutWhileRead(t *testing.T) {
	d, path := newDir(t, 8<<20)
	put(t, d, "k", body(100_000), "m")
	it, err := d.Get("k")
	noError(t, err)
	defer it.Close()
	r := it.Open()
	defer r.Close()
	noError(t, os.Truncate(files(t, filepath.Join(path, "objects"))[0], 5000))
	if got, err := io.ReadAll(r); err != cache.ErrCorrupt || len(got) > 5000 {
		t.Errorf("got %d octets, %v, want %v", len(got), err, cache.ErrCorrupt)
	}
}

// An entry in the format of an earlier version is a miss, and is replaced.
func TestDirOldFormat(t *testing.T) {
	d, path := newDir(t, 8<<20)
	put(t, d, "k", []byte("hello"), "meta")
	entry := files(t, filepath.Join(path, "entries"))[0]
	old := append([]byte("extbody cache 1\n"), make([]byte, 200)...)
	noError(t, os.WriteFile(entry, old, 0o600))
	wantMissing(t, d, "k", fs.ErrNotExist)
	put(t, d, "k", []byte("hello"), "meta")
	wantStored(t, d, "k", "hello")
}

// An entry that was changed, cut, or given another name is not an entry.
func TestDirTamperedEntry(t *testing.T) {
	d, path := newDir(t, 8<<20)
	put(t, d, "k", []byte("hello"), "meta")
	name := files(t, filepath.Join(path, "entries"))[0]
	good, err := os.ReadFile(name)
	noError(t, err)
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x10
		for _, b := range [][]byte{bad, good[:i]} {
			noError(t, os.WriteFile(name, b, 0o600))
			if got, meta, err := read(d, "k"); !errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("octet %d of %d: got %q, %q, %v, want %v", i, len(good), got, meta, err, fs.ErrNotExist)
			}
		}
	}
	os.WriteFile(name, good, 0o600)
	put(t, d, "other", []byte("world"), "meta")
	for _, n := range files(t, filepath.Join(path, "entries")) {
		if n != name {
			os.WriteFile(n, good, 0o600)
		}
	}
	wantMissing(t, d, "other", fs.ErrNotExist)
	wantStored(t, d, "k", "hello")
}
