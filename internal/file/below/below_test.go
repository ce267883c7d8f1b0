package below_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-extbody/extbody/internal/file/below"
)

// tree makes a folder, with "secret" and "elsewhere" beside it, and returns its path. link makes
// a symbolic link.
func tree(t *testing.T) (dir string, link func(to, name string)) {
	t.Helper()
	top := t.TempDir()
	dir = filepath.Join(top, "dir")
	for _, name := range []string{"dir/sub", "elsewhere"} {
		if err := os.MkdirAll(filepath.Join(top, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"secret", "elsewhere/secret", "dir/file", "dir/sub/file"} {
		if err := os.WriteFile(filepath.Join(top, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
}

// TestOpen has the names below a folder that may be a stranger's, for reading and for writing.
func TestOpen(t *testing.T) {
	dir, link := tree(t)
	link("file", "inside")
	link("../secret", "out")
	link(filepath.Join(filepath.Dir(dir), "secret"), "absolute")
	link("../made", "dangling")
	link("sub", "subLink")
	link("../elsewhere", "folderOut")
	irregular := below.ErrIrregular
	outside := errors.New("any error")
	for _, tt := range []struct {
		name  string
		read  error // nil means that it is opened
		write error // with O_CREATE
	}{
		{"file", nil, nil},
		{"sub/file", nil, nil},
		{"subLink/file", nil, nil},
		{"missing", fs.ErrNotExist, nil},
		{"sub", irregular, irregular},
		{"inside", irregular, irregular},
		{"out", irregular, irregular},
		{"absolute", irregular, irregular},
		{"dangling", irregular, irregular},
		{"folderOut/secret", outside, outside},
		{"folderOut/made", outside, outside},
		{"../secret", outside, outside},
		{"../made", outside, outside},
	} {
		t.Run(tt.name, func(t *testing.T) {
			agrees := func(err, want error) bool {
				if want == nil || err == nil {
					return want == err
				}
				return want == outside || errors.Is(err, want)
			}
			f, size, err := below.Open(dir, tt.name)
			if !agrees(err, tt.read) {
				t.Errorf("reading: got %v, want %v", err, tt.read)
			}
			if err == nil {
				text, _ := io.ReadAll(f)
				f.Close()
				if string(text) != "dir/file" && string(text) != "dir/sub/file" || size != int64(len(text)) {
					t.Errorf("got %q and the size %d, want a file of the folder", text, size)
				}
			}
			if _, err := below.Stat(dir, tt.name); !agrees(err, tt.read) {
				t.Errorf("stat: got %v, want %v", err, tt.read)
			}
			w, err := below.OpenFile(dir, tt.name, os.O_RDWR|os.O_CREATE, 0o600)
			if !agrees(err, tt.write) {
				t.Errorf("writing: got %v, want %v", err, tt.write)
			}
			if err == nil {
				w.Close()
			}
			if _, err := os.Lstat(filepath.Join(filepath.Dir(dir), "made")); err == nil {
				t.Error("got a file outside of the folder")
			}
		})
	}
	if _, err := below.OpenFile(dir, "file", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); !errors.Is(err, fs.ErrExist) {
		t.Errorf("O_EXCL: got %v, want %v", err, fs.ErrExist)
	}
	if _, err := below.OpenFile(dir, "dangling", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); !errors.Is(err, fs.ErrExist) {
		t.Errorf("O_EXCL of a link: got %v, want %v", err, fs.ErrExist)
	}
}

// TestFolder holds: the folder itself is followed, and a link to a folder of the user is accepted.
func TestFolder(t *testing.T) {
	dir, link := tree(t)
	link("../elsewhere", "own")
	own := filepath.Join(dir, "own")
	if f, _, err := below.Open(own, "secret"); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
	for _, path := range []string{own, dir, filepath.Join(dir, "missing")} {
		if err := below.Folder(path); err != nil {
			t.Errorf("%s: got %v, want none", path, err)
		}
	}
}
