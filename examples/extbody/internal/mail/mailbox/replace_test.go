package mailbox

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/file/filestate"
)

// upper replaces each message that is not in capital letters.
func upper(m *Message) (*io.SectionReader, error) {
	text, err := io.ReadAll(m.Reader())
	if err != nil {
		return nil, err
	}
	s := strings.ToUpper(string(text))
	if s == string(text) {
		return nil, nil
	}
	return io.NewSectionReader(strings.NewReader(s), 0, int64(len(s))), nil
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// files returns the paths of the files below dir.
func files(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			paths = append(paths, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	if got := files(t, dir); !slices.Equal(got, want) {
		t.Errorf("there is %q, want %q", got, want)
	}
}

func wantText(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s: %q, %v; want %q", path, got, err, want)
	}
}

const (
	envelope = "From a@b Thu Jan  1 00:00:00 1970\n"
	box      = envelope + "a: b\n\nc\n"
	upperBox = envelope + "A: B\n\nC\n"
)

func TestReplace(t *testing.T) {
	for _, tt := range []struct {
		name  string
		left  map[string]string // files beside the mailbox
		other func(path string) // the work of another program meanwhile
		want  error
		after []string // the files in the end
	}{
		{"Plain", nil, nil, nil, []string{"box"}},
		{"LeftBehind", map[string]string{"box" + BackupSuffix: "old", newPrefix + "box": "half", ".extbody-lock.box.lock": "1", "box.lock": "999999999\n" + lockMark() + "3\n"}, nil, nil, []string{"box"}},
		{"LockLeftBehind", map[string]string{"box.lock": "999999999\n" + lockMark()}, nil, nil, []string{"box"}},
		{"LockOfAnother", map[string]string{"box.lock": "1\n"}, nil, ErrLocked, []string{"box", "box.lock"}},
		{"LockOfAnotherHost", map[string]string{"box.lock": "1\nextbody on elsewhere.example.\n"}, nil, ErrLocked, []string{"box", "box.lock"}},
		{"Grown", nil, func(path string) { appendText(t, path, "more") }, ErrChanged, []string{"box"}},
		{"GrownAtOnce", nil, func(path string) { sameTime(t, path, func() { appendText(t, path, "more") }) }, ErrChanged, []string{"box"}},
		{"OtherFile", nil, func(path string) { os.Remove(path); writeText(t, path, box) }, ErrChanged, []string{"box"}},
		{"FlagsChangedAndTimeSetBack", nil, func(path string) {
			sameTime(t, path, func() { overwrite(t, path, strings.Replace(box, "a: b", "a: x", 1)) })
		}, ErrChanged, []string{"box"}},
		{"Touched", nil, func(path string) { os.Chtimes(path, time.Time{}, time.Unix(1e9, 0)) }, ErrChanged, []string{"box"}},
		{"Gone", nil, func(path string) { os.Remove(path) }, fs.ErrNotExist, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && tt.name == "FlagsChangedAndTimeSetBack" {
				t.Skip("a file has no time of its last change")
			}
			if strings.HasSuffix(tt.name, "LeftBehind") {
				needLocks(t)
			}
			dir := t.TempDir()
			path := filepath.Join(dir, "box")
			writeText(t, path, box)
			if err := os.Chmod(path, 0o640); err != nil {
				t.Fatal(err)
			}
			for name, text := range tt.left {
				writeText(t, filepath.Join(dir, name), text)
			}
			changed, err := Replace(t.Context(), path, time.Millisecond, func(m *Message) (*io.SectionReader, error) {
				if tt.other != nil {
					tt.other(path)
				}
				return upper(m)
			}, nil)
			if !errors.Is(err, tt.want) || !changed {
				t.Fatalf("got %v, %v; want %v", changed, err, tt.want)
			}
			wantFiles(t, dir, tt.after...)
			if tt.want != nil {
				return
			}
			wantText(t, path, upperBox)
			if info, err := os.Stat(path); err != nil || info.Mode() != 0o640 && runtime.GOOS != "windows" {
				t.Errorf("the mode is %v, %v, want 0o640, nil", info.Mode(), err)
			}
			if changed, err := Replace(t.Context(), path, 0, upper, nil); changed || err != nil {
				t.Errorf("the second time: got %v, %v, want false, nil", changed, err)
			}
		})
	}
}

// sameTime calls change, and sets the time of the file back.
func sameTime(t *testing.T, path string, change func()) {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	change()
	os.Chtimes(path, time.Time{}, info.ModTime())
}

func appendText(t *testing.T, path, text string) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// needLocks skips a test of lock files whose program was killed: only a lock on the mailbox
// itself shows that it is gone.
func needLocks(t *testing.T) {
	if !hasLocks {
		t.Skip("mailboxes are not locked on this system")
	}
}

// TestReplaceTwice lets one of two calls at once through.
func TestReplaceTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "box")
	writeText(t, path, box+"\n"+envelope+"d: e\n\nf\n")
	inner := errors.New("not called")
	if _, err := Replace(t.Context(), path, 0, func(m *Message) (*io.SectionReader, error) {
		if m.Index == 1 { // the new file is being written
			_, inner = Replace(t.Context(), path, 0, upper, nil)
		}
		return upper(m)
	}, nil); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(inner, ErrLocked) {
		t.Errorf("the second one: got %v, want %v", inner, ErrLocked)
	}
	wantFiles(t, filepath.Dir(path), "box")
}

func TestReplaceLink(t *testing.T) {
	dir := t.TempDir()
	writeText(t, filepath.Join(dir, "real"), box)
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	if _, err := Replace(t.Context(), filepath.Join(dir, "link"), 0, upper, nil); err != nil {
		t.Fatal(err)
	}
	wantText(t, filepath.Join(dir, "real"), upperBox)
	if info, err := os.Lstat(filepath.Join(dir, "link")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
}

// TestReplaceCanceled leaves no files.
func TestReplaceCanceled(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "box")
	writeText(t, path, box)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Replace(ctx, path, 0, func(m *Message) (*io.SectionReader, error) {
		cancel()
		return upper(m)
	}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	wantFiles(t, dir, "box")
	wantText(t, path, box)
}

// replaceIn passes the messages of a Maildir through upper, with before, if it is set,
// called for each before it is replaced. want is the error of replacing them.
func replaceIn(t *testing.T, dir string, before func(m *Message), want error) {
	t.Helper()
	d, err := OpenMaildir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for m, err := range Walk(dir) {
		if err != nil {
			t.Fatal(err)
		}
		if Folder(m.Path) == "" {
			m.Close()
			continue
		}
		if err := m.Remember(); err != nil {
			t.Fatal(err)
		}
		content, err := upper(m)
		if err != nil {
			t.Fatal(err)
		}
		if before != nil {
			before(m)
		}
		if content != nil {
			if _, err := d.Replace(m, content); !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
		}
		m.Close()
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

func TestMaildir(t *testing.T) {
	dir := newMaildir(t, "tmp/0.other")
	writeText(t, filepath.Join(dir, "cur/1.a,S=1,W=2:2,FS"), "a: b\n\nc\n")
	writeText(t, filepath.Join(dir, "cur/2.a:2,"), "A: B\n\nC\n")
	writeText(t, filepath.Join(dir, "new/3.a"), "d: e\r\n\r\n")
	when := time.Unix(1e9, 0)
	if err := os.Chtimes(filepath.Join(dir, "new/3.a"), when, when); err != nil {
		t.Fatal(err)
	}
	replaceIn(t, dir, func(m *Message) {
		// Another program marks a message as read.
		if filepath.Base(m.Path) == "3.a" {
			if err := os.Rename(m.Path, filepath.Join(dir, "cur/3.a:2,S")); err != nil {
				t.Fatal(err)
			}
		}
	}, nil)
	wantFiles(t, dir, "cur/1.a,S=8,W=11:2,FS", "cur/2.a:2,", "cur/3.a:2,S", "tmp/0.other")
	wantText(t, filepath.Join(dir, "cur/1.a,S=8,W=11:2,FS"), "A: B\n\nC\n")
	wantText(t, filepath.Join(dir, "cur/3.a:2,S"), "D: E\r\n\r\n")
	if info, err := os.Stat(filepath.Join(dir, "cur/3.a:2,S")); err != nil || !info.ModTime().Equal(when) {
		t.Errorf("got %v, %v, want the time %v", info, err, when)
	}
}

// TestMaildirRemoved does not bring back a message that another program has
// removed.
func TestMaildirRemoved(t *testing.T) {
	dir := newMaildir(t, "tmp/0.other")
	writeText(t, filepath.Join(dir, "cur/1.a:2,"), "a: b\n")
	replaceIn(t, dir, func(m *Message) {
		if filepath.Base(m.Path) == "1.a:2," {
			os.Remove(m.Path)
		}
	}, fs.ErrNotExist)
	wantFiles(t, dir, "tmp/0.other")
}

// A message never takes the name of another one.
func TestMaildirNameTaken(t *testing.T) {
	dir := newMaildir(t)
	writeText(t, filepath.Join(dir, "cur/X,S=9:2,S"), "a: b\n\nc\n")
	writeText(t, filepath.Join(dir, "cur/X,S=8:2,S"), "OTHER: MESSAGE\n\nC\n")
	replaceIn(t, dir, nil, nil)
	wantFiles(t, dir, "cur/X,S=8:2,S", "cur/X,S=9:2,S")
	wantText(t, filepath.Join(dir, "cur/X,S=8:2,S"), "OTHER: MESSAGE\n\nC\n")
	wantText(t, filepath.Join(dir, "cur/X,S=9:2,S"), "A: B\n\nC\n")
}

// backupOf returns the name of a backup that the file at path replaces.
func backupOf(t *testing.T, path string) string {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return backupName(info)
}

// TestMaildirRecover starts after runs that were killed at different points.
func TestMaildirRecover(t *testing.T) {
	link := func(t *testing.T, old, new string) {
		t.Helper()
		if err := os.Link(old, new); err != nil {
			t.Skip(err)
		}
	}
	for _, tt := range []struct {
		name  string
		setup func(t *testing.T, dir string)
		want  []string
		text  string // of the first file
	}{
		{"Written", func(t *testing.T, dir string) {
			writeText(t, dir+"/cur/1.a:2,", "old")
			writeText(t, dir+"/tmp/x"+newSuffix, "ne")
		}, []string{"cur/1.a:2,"}, "old"},
		{"Kept", func(t *testing.T, dir string) {
			writeText(t, dir+"/cur/1.a:2,", "old")
			writeText(t, dir+"/tmp/x"+newSuffix, "new")
			link(t, dir+"/cur/1.a:2,", dir+"/tmp/"+backupOf(t, dir+"/tmp/x"+newSuffix))
		}, []string{"cur/1.a:2,"}, "old"},
		{"Replaced", func(t *testing.T, dir string) {
			writeText(t, dir+"/cur/1.a:2,", "new")
			writeText(t, dir+"/tmp/"+backupOf(t, dir+"/cur/1.a:2,"), "old")
		}, []string{"cur/1.a:2,"}, "new"},
		{"Doubled", func(t *testing.T, dir string) {
			writeText(t, dir+"/cur/1.a,S=3:2,", "new")
			writeText(t, dir+"/cur/1.a,S=9:2,S", "old")
			link(t, dir+"/cur/1.a,S=9:2,S", dir+"/tmp/"+backupOf(t, dir+"/cur/1.a,S=3:2,"))
		}, []string{"cur/1.a,S=9:2,S"}, "new"},
		// The backup is the only file with the message.
		{"SameStem", func(t *testing.T, dir string) {
			writeText(t, dir+"/cur/1.a,S=5:2,", "other")
			writeText(t, dir+"/tmp/1.a,S=3:2,"+BackupSuffix, "old")
		}, []string{"cur/1.a,S=5:2,", "tmp/1.a,S=3:2," + BackupSuffix}, "other"},
		// The new file was removed, and a later message has its number.
		{"NumberOfAnother", func(t *testing.T, dir string) {
			writeText(t, dir+"/cur/1.a:2,", "old")
			writeText(t, dir+"/new/2.b", "other")
			link(t, dir+"/cur/1.a:2,", dir+"/tmp/"+backupOf(t, dir+"/new/2.b"))
		}, []string{"cur/1.a:2,", "new/2.b"}, "old"},
		{"Removed", func(t *testing.T, dir string) {
			writeText(t, dir+"/cur/2.a:2,", "other")
			writeText(t, dir+"/tmp/fffffff0.x"+BackupSuffix, "old")
		}, []string{"cur/2.a:2,", "tmp/fffffff0.x" + BackupSuffix}, "other"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := newMaildir(t)
			tt.setup(t, dir)
			ours, _ := filepath.Glob(dir + "/*/*[^b]") // a new message has the time of the old one
			for _, path := range ours {
				os.Chtimes(path, time.Time{}, time.Unix(1e9, 0))
			}
			d, err := OpenMaildir(dir)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := OpenMaildir(dir); hasLocks && !errors.Is(err, ErrLocked) {
				t.Errorf("opened twice: got %v, want %v", err, ErrLocked)
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
			wantFiles(t, dir, tt.want...)
			wantText(t, filepath.Join(dir, tt.want[0]), tt.text)
		})
	}
}

// TestMaildirSameSize keeps a change of equal size whose time was set back, also when the
// file was renamed as well.
func TestMaildirSameSize(t *testing.T) {
	for _, name := range []string{"cur/1.a:2,", "cur/1.a:2,S"} {
		dir := newMaildir(t)
		path := filepath.Join(dir, "cur/1.a:2,")
		writeText(t, path, "a: b\n\nc\n")
		replaceIn(t, dir, func(m *Message) {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			writeText(t, path, "a: b\n\nd\n")
			if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(path, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}, ErrChanged)
		wantText(t, filepath.Join(dir, name), "a: b\n\nd\n")
		wantFiles(t, dir, name)
	}
}

// A change in the tick of the clock in which the message was found does not show in its times.
func TestMaildirSameTick(t *testing.T) {
	dir := newMaildir(t)
	path := filepath.Join(dir, "cur/1.a:2,")
	writeText(t, path, "a: b\n\nc\n")
	replaceIn(t, dir, func(m *Message) {
		sameTime(t, path, func() { writeText(t, path, "a: b\n\nd\n") })
		state, err := filestate.Stat(m.file.File)
		if err != nil {
			t.Fatal(err)
		}
		m.file.begun, m.file.at = state, time.Now() // as with a clock of long ticks
	}, ErrChanged)
	wantText(t, path, "a: b\n\nd\n")
	wantFiles(t, dir, "cur/1.a:2,")
}
