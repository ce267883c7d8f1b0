package bodystore

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
)

func open(t *testing.T, dir string, names Names) *Store {
	t.Helper()
	s, err := Open(dir, names)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bodies returns the files below dir, the key apart, with their octets.
func bodies(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == KeyFile {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func pathOf(name string) string { return name[:2] + "/" + name[2:4] + "/" + name }

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func macOf(key []byte, text string) string {
	mac := hmac.New(sha256.New, key)
	io.WriteString(mac, text)
	return hex.EncodeToString(mac.Sum(nil))
}

func TestPut(t *testing.T) {
	text := strings.Repeat("body ", 20_000)
	for _, tt := range []struct {
		name   string
		names  Names
		text   string
		reader func(io.Reader) io.Reader
	}{
		{"SHA256", SHA256, text, nil},
		{"HMAC", HMAC, text, nil},
		{"Empty", HMAC, "", nil},
		{"OneByte", HMAC, "some octets", iotest.OneByteReader},
		{"DataErr", SHA256, text, iotest.DataErrReader},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir, tt.names)
			want := sumOf(tt.text)
			if tt.names == HMAC {
				want = macOf(s.key, tt.text)
			}
			var r io.Reader = strings.NewReader(tt.text)
			if tt.reader != nil {
				r = tt.reader(r)
			}
			b, err := s.Put(t.Context(), r)
			if err != nil || *b != (Body{want, pathOf(want), sumOf(tt.text), int64(len(tt.text))}) {
				t.Fatalf("got %+v, %v; want the name %s", b, err, want)
			}
			if got := bodies(t, dir); len(got) != 1 || got[b.Path] != tt.text {
				t.Errorf("got files %q, want %q alone", got, b.Path)
			}
			again, err := open(t, dir, tt.names).Put(t.Context(), strings.NewReader(tt.text))
			if err != nil || *again != *b {
				t.Errorf("the second time: got %+v, %v; want %+v", again, err, b)
			}
		})
	}
}

// TestOldStore keeps bodies that are there under other names, and the names of new
// bodies when the store is opened as it was before.
func TestOldStore(t *testing.T) {
	dir := t.TempDir()
	for _, names := range []Names{SHA256, HMAC, SHA256, HMAC} {
		if _, err := open(t, dir, names).Put(t.Context(), strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
	}
	files := bodies(t, dir)
	if len(files) != 2 || files[pathOf(sumOf("x"))] != "x" {
		t.Errorf("got files %q, want one under each kind of name", files)
	}
}

// TestDamaged trusts no size: a file counts as the body only if its octets are
// those of the body.
func TestDamaged(t *testing.T) {
	const text = "the body"
	for _, names := range []Names{SHA256, HMAC} {
		for _, tt := range []struct {
			name   string
			damage func(path string) error
		}{
			{"OtherOctets", func(path string) error { return os.WriteFile(path, []byte("the copy"), 0o644) }},
			{"Zeros", func(path string) error { return os.WriteFile(path, make([]byte, len(text)), 0o644) }},
			{"Shorter", func(path string) error { return os.Truncate(path, 3) }},
			{"Folder", func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o755)) }},
			{"Link", func(path string) error {
				return errors.Join(os.Rename(path, path+".x"), os.Symlink(path+".x", path))
			}},
		} {
			t.Run(fmt.Sprint(tt.name, names), func(t *testing.T) {
				dir := t.TempDir()
				s := open(t, dir, names)
				b, err := s.Put(t.Context(), strings.NewReader(text))
				if err == nil {
					err = tt.damage(filepath.Join(dir, b.Path))
				}
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Put(t.Context(), strings.NewReader(text)); !errors.Is(err, ErrDamaged) {
					t.Errorf("got %v, want %v", err, ErrDamaged)
				}
			})
		}
	}
}

// TestErrors leaves nothing of a body that ends with an error.
func TestErrors(t *testing.T) {
	fail := errors.New("fail")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		r    io.Reader
		want error
	}{
		{"Reader", t.Context(), io.MultiReader(strings.NewReader("half"), iotest.ErrReader(fail)), fail},
		{"Canceled", canceled, strings.NewReader("x"), context.Canceled},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := open(t, dir, HMAC).Put(tt.ctx, tt.r); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if got := bodies(t, dir); len(got) != 0 {
				t.Errorf("got files %q, want none", got)
			}
		})
	}
}

// TestAge makes a body that is put again young.
func TestAge(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, HMAC)
	old := time.Unix(1e9, 0)
	for range 2 {
		b, err := s.Put(t.Context(), strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, b.Path)
		if info, err := os.Stat(path); err != nil || !info.ModTime().After(old) {
			t.Errorf("got the time %v, %v; want one after %v", info.ModTime(), err, old)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
}

// TestConcurrent opens a new store, and puts the same and other bodies, from many
// goroutines as if each was a program: they agree on the key.
func TestConcurrent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			s, err := Open(dir, HMAC)
			if err == nil {
				_, err = s.Put(t.Context(), strings.NewReader(strings.Repeat(fmt.Sprint(i%4), 100_000)))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	files := bodies(t, dir)
	key, err := readKey(filepath.Join(dir, KeyFile))
	if err != nil || len(files) != 4 {
		t.Errorf("got %d bodies, %v; want 4", len(files), err)
	}
	for path, text := range files {
		if want := pathOf(macOf(key, text)); path != want {
			t.Errorf("got a body at %s, want %s", path, want)
		}
	}
}

func TestKey(t *testing.T) {
	good := strings.Repeat("0123456789abcdef", 4) + "\n"
	for _, tt := range []struct {
		name string
		text string
		mode fs.FileMode
		want error
	}{
		{"Good", good, 0o600, nil},
		{"NoLineEnd", good[:64], 0o400, nil},
		{"Empty", "", 0o600, ErrKey},
		{"Short", good[1:], 0o600, ErrKey},
		{"Long", "00" + good, 0o600, ErrKey},
		{"NoDigits", strings.Repeat("x", 64), 0o600, ErrKey},
		{"OfTheGroup", good, 0o640, ErrKeyMode},
		{"OfAll", good, 0o604, ErrKeyMode},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == ErrKeyMode && runtime.GOOS == "windows" {
				t.Skip("there are no modes")
			}
			dir := t.TempDir()
			path := filepath.Join(dir, KeyFile)
			if err := errors.Join(os.WriteFile(path, []byte(tt.text), 0o600), os.Chmod(path, tt.mode)); err != nil {
				t.Fatal(err)
			}
			s, err := Open(dir, HMAC)
			if !errors.Is(err, tt.want) {
				t.Fatalf("got %v, want %v", err, tt.want)
			}
			if err == nil && !bytes.Equal(s.key, slices.Repeat([]byte{1, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef}, 4)) {
				t.Errorf("got the key %x, want the one of the file", s.key)
			}
			if _, err := Open(dir, SHA256); err != nil {
				t.Errorf("without a key: got %v, want none", err)
			}
		})
	}
	t.Run("Link", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.Symlink("elsewhere", filepath.Join(dir, KeyFile)); err != nil {
			t.Skip(err)
		}
		if _, err := Open(dir, HMAC); !errors.Is(err, ErrKey) {
			t.Errorf("got %v, want %v", err, ErrKey)
		}
	})
}

// A text that is not the URL of a folder is a mistake, and no folder is made for
// it.
func TestServeBase(t *testing.T) {
	for _, base := range []string{"", "files.example", "https:///m", "https://u:p@files.example/", "https://files.example/?a", "https://files.example/#a"} {
		if _, err := Serve(t.TempDir(), base, false, HMAC); !exit.Is(err, exit.Usage) {
			t.Errorf("%q: got %v, want a mistake on the command line", base, err)
		}
	}
}
