package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// noError ends the test if err is not nil.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	noError(t, os.WriteFile(path, []byte(text), 0o600))
}

func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	noError(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("got the files %q, want %q", got, want)
	}
}

func openTempAt(dir string) (*File, error) { return openTemp(paths{}, dir) }

// All kinds of file keep to the same rules: nothing has the name before Link,
// nothing is overwritten, nothing stays after Discard.
func TestLink(t *testing.T) {
	tests := []struct {
		name string
		open func(dir string) (*File, error)
		link func(u *File, path string) error
	}{
		{"Nameless", Open, (*File).Link},
		{"Temporary", openTempAt, (*File).Link},
		{"WithoutLinks", openTempAt, (*File).rename},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a")
			create := func(text string) error {
				u, err := tt.open(dir)
				noError(t, err)
				if _, err := u.WriteString(text); err != nil {
					t.Fatal(err)
				}
				err = tt.link(u, path)
				if err != nil {
					u.Discard()
				}
				return err
			}
			noError(t, create("first"))
			if err := create("second"); !errors.Is(err, fs.ErrExist) {
				t.Errorf("got %v, want %v", err, fs.ErrExist)
			}
			wantFiles(t, dir, "a")
			info, err := os.Stat(path)
			noError(t, err)
			if mode := info.Mode().Perm(); mode != 0o600 && runtime.GOOS != "windows" {
				t.Errorf("got the mode %v, want 0600", mode)
			}
			if b, _ := os.ReadFile(path); string(b) != "first" {
				t.Errorf("got %q, want %q", b, "first")
			}
		})
	}
}

// Replace takes no file of another user, and leaves nothing but the new file.
func TestReplace(t *testing.T) {
	for _, tt := range []struct {
		name   string
		open   func(dir string) (*File, error)
		plant  string
		others bool
	}{
		{"Nameless", Open, "", false},
		{"Temporary", openTempAt, "", false},
		{"Left", Open, Prefix + "new.a", false},
		{"OfAnother", Open, Prefix + "new.a", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a")
			writeFile(t, path, "old")
			want := []string{"a"}
			if tt.plant != "" {
				planted := filepath.Join(dir, tt.plant)
				writeFile(t, planted, "planted")
				if tt.others {
					if err := os.Chown(planted, 54321, 54321); err != nil {
						t.Skip("a file of another user takes root: ", err)
					}
					want = []string{tt.plant, "a"}
				}
			}
			f, err := tt.open(dir)
			if err == nil {
				_, err = f.WriteString("new")
			}
			noError(t, err)
			if tt.plant != "" && f.Temporary() {
				want = []string{tt.plant, "a"} // Sweep removes it
			}
			noError(t, f.Replace(path, 0o640))
			wantFiles(t, dir, want...)
			if b, err := os.ReadFile(path); err != nil || string(b) != "new" {
				t.Errorf("got %q, %v; want new", b, err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode() != 0o640 && runtime.GOOS != "windows" {
				t.Errorf("got mode %v, %v; want %v", info.Mode(), err, fs.FileMode(0o640))
			}
		})
	}
}

// ReplaceFile leaves the old file, and nothing else, if it fails.
func TestReplaceFileFails(t *testing.T) {
	dir, bad := t.TempDir(), errors.New("bad")
	noError(t, os.Mkdir(filepath.Join(dir, "b"), 0o700))
	for _, tt := range []struct {
		name string
		err  error // of the content
		ok   bool
	}{{"a", nil, true}, {"a", bad, false}, {"b", nil, false}} {
		err := ReplaceFile(filepath.Join(dir, tt.name), func(w io.Writer) error {
			fmt.Fprint(w, tt.name, tt.ok)
			return tt.err
		})
		if (err == nil) != tt.ok || tt.err != nil && !errors.Is(err, bad) {
			t.Errorf("%s, %v: got %v", tt.name, tt.err, err)
		}
	}
	wantFiles(t, dir, "a", "b")
	if got, err := os.ReadFile(filepath.Join(dir, "a")); string(got) != "atrue" || err != nil {
		t.Errorf("got %q, %v; want the first content", got, err)
	}
}

// TestSweep removes old temporary files alone.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".extbody-1", ".extbody-2", ".extbody-new.x", ".other-1", "x"} {
		writeFile(t, filepath.Join(dir, name), "")
		if old := time.Now().Add(-48 * time.Hour); name != ".extbody-2" {
			noError(t, os.Chtimes(filepath.Join(dir, name), old, old))
		}
	}
	Sweep(dir)
	if _, err := os.Lstat(filepath.Join(dir, ".extbody-1")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("an old one stays")
	}
	wantFiles(t, dir, ".extbody-2", ".extbody-new.x", ".other-1", "x")
}

func TestRemoveOwn(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"own", "theirs"} {
		noError(t, os.Mkdir(filepath.Join(dir, sub), 0o700))
		writeFile(t, filepath.Join(dir, sub, "a"), "a")
	}
	if err := os.Chown(filepath.Join(dir, "theirs"), 54321, 54321); err != nil {
		t.Skip("a file of another user takes root: ", err)
	}
	for _, sub := range []string{"own", "theirs", "missing"} {
		if err := RemoveOwn(filepath.Join(dir, sub)); err != nil {
			t.Errorf("%s: got %v, want none", sub, err)
		}
	}
	wantFiles(t, dir, "theirs")
	wantFiles(t, filepath.Join(dir, "theirs"), "a")
}

// recorded are names that log each use of a file.
type recorded struct {
	paths
	log *[]string
}

func (n recorded) Link(old, name string) error {
	*n.log = append(*n.log, "link")
	return n.paths.Link(old, name)
}

func (n recorded) linkNameless(f *os.File, name string) error {
	*n.log = append(*n.log, "link")
	return n.paths.linkNameless(f, name)
}

func (n recorded) sync(f *os.File) error {
	*n.log = append(*n.log, "sync")
	return n.paths.sync(f)
}

func (n recorded) settle(dir string) error {
	*n.log = append(*n.log, "settle")
	return n.paths.settle(dir)
}

// A file gets its name after its octets are on the disk, and the name follows them.
func TestPublishOrder(t *testing.T) {
	for name, make := range map[string]func(names, string) (*File, error){"Nameless": open, "Temporary": openTemp} {
		var log []string
		dir := t.TempDir()
		f, err := make(recorded{log: &log}, dir)
		noError(t, err)
		if err := f.Publish(filepath.Join(dir, "a")); err != nil {
			t.Error(err)
		}
		if want := []string{"sync", "link", "settle"}; !slices.Equal(log, want) {
			t.Errorf("%s: got %q, want %q", name, log, want)
		}
		wantFiles(t, dir, "a")
	}
}
