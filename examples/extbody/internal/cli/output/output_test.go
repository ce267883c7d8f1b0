package output

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// An output has its name, or goes to standard output, at Commit and not before. If it
// is closed without Commit, nothing of it is left.
func TestFile(t *testing.T) {
	for _, c := range []struct {
		name   string
		old    string // "" for none
		commit bool
	}{
		{"New", "", true},
		{"Replaced", "old", true},
		{"NewClosed", "", false},
		{"ReplacedClosed", "old", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a")
			if c.old != "" {
				if err := os.WriteFile(path, []byte(c.old), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			o, err := Open(path, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(o, "new"); err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(path); string(got) != c.old {
				t.Errorf("before Commit: got %q, want %q", got, c.old)
			}
			want := c.old
			if c.commit {
				want = "new"
				if err := o.Commit(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if err := o.Close(); err != nil {
				t.Error(err)
			}
			if got, _ := os.ReadFile(path); string(got) != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if info, err := os.Stat(path); c.old != "" && (err != nil || info.Mode().Perm() != 0o640) {
				t.Errorf("got %v, %v, want the mode as it was", info, err)
			}
			if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) > 1 {
				t.Errorf("got %v, %v, want nothing else in the folder", entries, err)
			}
		})
	}
}

func TestStandardOutput(t *testing.T) {
	var out bytes.Buffer
	o, err := Open("-", &out)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	io.WriteString(o, "a")
	if out.Len() > 0 {
		t.Errorf("before Commit: got %q, want nothing", &out)
	}
	if err := o.Commit(t.Context()); err != nil || out.String() != "a" {
		t.Errorf("got %q, %v, want a", &out, err)
	}
}

// An interrupted run puts nothing in its place.
func TestCommitInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	o, err := Open(path, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	io.WriteString(o, "new")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := o.Commit(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want no file", err)
	}
}

func TestMakeFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b") + string(filepath.Separator)
	for range 2 {
		if err := MakeFolder(path); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("got %v, %v, want a folder for its owner alone", info, err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := MakeFolder(file); err == nil {
		t.Error("a file: got no error, want one")
	}
}
