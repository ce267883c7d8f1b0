package mailbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// newMaildir makes a Maildir with empty messages, whose folders have not changed for
// a day.
func newMaildir(t *testing.T, names ...string) string {
	t.Helper()
	needColons(t)
	dir := t.TempDir()
	for _, sub := range []string{"new", "cur", "tmp"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, sub := range maildirSubs {
		old := time.Now().Add(-24 * time.Hour)
		if err := os.Chtimes(filepath.Join(dir, sub), old, old); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A message that is renamed while its folder is read, and that the folder then does
// not show, is listed, and no message is twice.
func TestMaildirRenamedWhileRead(t *testing.T) {
	const was, is = "cur/1.a:2,", "cur/1.a:2,S"
	for _, row := range []struct {
		name  string
		shows []string // of the message, when its folder is read first
		want  []string
		reads int
	}{
		{"Neither", nil, []string{is, "cur/2.b:2,", "new/3.c"}, maxListings},
		{"Both", []string{was, is}, []string{is, "cur/2.b:2,", "new/3.c"}, maxListings},
		{"Old", []string{was}, []string{is, "cur/2.b:2,", "new/3.c"}, maxListings},
		{"Unchanged", []string{was}, []string{was, "cur/2.b:2,", "new/3.c"}, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := newMaildir(t, was, "cur/2.b:2,", "new/3.c")
			reads := 0
			l := &maildirLister{path: dir, fail: func(dir string, err error) bool { t.Error(dir, err); return true }}
			l.read = func(sub string) ([]fs.DirEntry, error) {
				entries, err := os.ReadDir(sub)
				if filepath.Base(sub) != "cur" {
					return entries, err
				}
				if reads++; reads > 1 || row.name == "Unchanged" {
					return entries, err
				}
				if err := os.Rename(filepath.Join(dir, was), filepath.Join(dir, is)); err != nil {
					t.Fatal(err)
				}
				after, err := os.ReadDir(sub)
				shown := []fs.DirEntry{entries[1]} // 2.b
				for _, e := range []fs.DirEntry{entries[0], after[0]} {
					if slices.Contains(row.shows, "cur/"+e.Name()) {
						shown = append(shown, e)
					}
				}
				return shown, err
			}
			files, ok := l.list()
			var got []string
			for _, f := range files {
				name, _ := filepath.Rel(dir, f.path)
				got = append(got, filepath.ToSlash(name))
			}
			if !ok || !slices.Equal(got, row.want) || reads != row.reads {
				t.Errorf("got %q, %v, after %d readings, want %q, true, %d", got, ok, reads, row.want, row.reads)
			}
		})
	}
}

// A message that is removed meanwhile does not count, once the folders are at rest.
func TestMaildirRemovedWhileRead(t *testing.T) {
	dir := newMaildir(t, "cur/1.a:2,", "cur/2.b:2,")
	l := &maildirLister{path: dir, fail: func(string, error) bool { return true }}
	first := true
	l.read = func(sub string) ([]fs.DirEntry, error) {
		entries, err := os.ReadDir(sub)
		if filepath.Base(sub) == "cur" && first {
			first = false
			os.Remove(filepath.Join(dir, "cur/1.a:2,"))
			old := time.Now().Add(-time.Hour)
			os.Chtimes(sub, old, old)
		}
		return entries, err
	}
	if files, ok := l.list(); !ok || len(files) != 1 || files[0].unique != "2.b" {
		t.Errorf("got %v, %v, want 2.b alone", files, ok)
	}
}

// needColons skips a test where the name of a file cannot have a colon.
func needColons(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the names of a Maildir have colons")
	}
}
