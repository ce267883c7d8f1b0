//go:build unix && !solaris

package mailbox

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stranger is the number of a user who runs none of this.
const stranger = 54321

// TestReplaceAmongOthers replaces a mailbox in a folder such as /var/mail, where
// another user has taken a name that Replace uses.
func TestReplaceAmongOthers(t *testing.T) {
	temp := func(path string) string { return filepath.Join(filepath.Dir(path), newPrefix+filepath.Base(path)) }
	backup := func(path string) string { return path + BackupSuffix }
	file := func(path string) error { return os.WriteFile(path, []byte("1\n"+lockMark()), 0o666) }
	fifo := func(path string) error { return syscall.Mkfifo(path, 0o666) }
	folder := func(path string) error { return os.Mkdir(path, 0o777) }
	precious := filepath.Join(t.TempDir(), "precious")
	writeText(t, precious, "precious")
	symbolic := func(path string) error { return os.Symlink(precious, path) }
	hard := func(path string) error { return os.Link(precious, path) }
	for _, tt := range []struct {
		name   string
		where  func(path string) string
		plant  func(path string) error
		others bool // it belongs to another user
		want   error
	}{
		{"NewFile", temp, file, true, fs.ErrExist},
		{"NewPipe", temp, fifo, false, fs.ErrExist},
		{"NewFolder", temp, folder, false, fs.ErrExist},
		{"NewLink", temp, symbolic, false, fs.ErrExist},
		{"NewHardLink", temp, hard, false, fs.ErrExist},
		{"Backup", backup, file, true, fs.ErrExist},
		{"BackupPipe", backup, fifo, false, fs.ErrExist},
		{"Lock", lockName, file, true, ErrLocked},
		{"LockPipe", lockName, fifo, false, ErrLocked},
		{"LockFolder", lockName, folder, false, ErrLocked},
		{"LockInTheMaking", lockInTheMaking, file, true, fs.ErrExist},
		{"LinkInTheMaking", lockInTheMaking, symbolic, false, nil},
		{"HardLinkInTheMaking", lockInTheMaking, hard, false, nil},
		{"OwnNewFile", temp, file, false, nil},
		{"OwnBackup", backup, file, false, ErrBackup},
		{"OwnBackupOfTheMailbox", backup, func(path string) error { return os.Link(strings.TrimSuffix(path, BackupSuffix), path) }, false, nil},
		{"OwnLock", lockName, file, false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "box")
			writeText(t, path, box)
			if err := os.Chmod(dir, 0o777|fs.ModeSticky); err != nil {
				t.Fatal(err)
			}
			planted := tt.where(path)
			if err := tt.plant(planted); err != nil {
				t.Fatal(err)
			}
			if tt.others {
				if err := os.Lchown(planted, stranger, stranger); err != nil {
					t.Skip("a file of another user takes root: ", err)
				}
			}
			before, err := os.Lstat(planted)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Replace(t.Context(), path, time.Millisecond, upper, nil); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			wantText(t, precious, "precious")
			if tt.want == nil {
				wantFiles(t, dir, "box")
				wantText(t, path, upperBox)
				return
			}
			wantText(t, path, box)
			if after, err := os.Lstat(planted); err != nil || !os.SameFile(before, after) || after.Size() != before.Size() {
				t.Errorf("got %v, %v of what was planted, want it as it was", after, err)
			}
		})
	}
}

func lockInTheMaking(path string) string { return lockTemp(lockName(path)) }

// TestReplaceOfRoot finds the file that a run left for a user's mailbox whose owner
// it has been given already.
func TestReplaceOfRoot(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "box")
	for _, name := range []string{"box", newPrefix + "box", "box" + BackupSuffix} {
		if writeText(t, filepath.Join(dir, name), box); name == newPrefix+"box" {
			writeText(t, lockName(path), fmt.Sprintf("1\n%s%d\n", lockMark(), len(box)))
		}
		if err := os.Chown(filepath.Join(dir, name), stranger, stranger); err != nil {
			t.Skip("a file of another user takes root: ", err)
		}
	}
	if changed, err := Replace(t.Context(), path, 0, upper, nil); !changed || err != nil {
		t.Fatalf("got %v, %v; want true", changed, err)
	}
	wantFiles(t, dir, "box")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if s := info.Sys().(*syscall.Stat_t); s.Uid != stranger {
		t.Errorf("the owner is %d, want %d", s.Uid, stranger)
	}
}

// TestMaildirAmongOthers leaves the files of others in tmp alone.
func TestMaildirAmongOthers(t *testing.T) {
	dir := t.TempDir()
	writeText(t, filepath.Join(dir, "cur/1.a:2,"), "a: b\n")
	writeText(t, filepath.Join(dir, "new/2.a"), "A: B\n")
	precious := filepath.Join(dir, "precious")
	writeText(t, precious, "precious")
	link := filepath.Join(dir, "tmp/1.a:2,"+newSuffix)
	pipe := filepath.Join(dir, "tmp/x"+BackupSuffix)
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "tmp"), 0o777), os.Symlink(precious, link), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "tmp/y"+newSuffix)
	writeText(t, other, "z")
	want := []string{"cur/1.a:2,", "new/2.a", "precious", "tmp/1.a:2," + newSuffix, "tmp/x" + BackupSuffix}
	if os.Chown(other, stranger, stranger) == nil {
		want = append(want, "tmp/y"+newSuffix)
	}
	replaceIn(t, dir, nil, nil)
	wantFiles(t, dir, want...)
	wantText(t, precious, "precious")
	wantText(t, filepath.Join(dir, "cur/1.a:2,"), "A: B\n")
}

// TestMaildirTmp holds: the folder tmp that leads elsewhere, or is a pipe, is neither used nor waited for.
func TestMaildirTmp(t *testing.T) {
	outside := t.TempDir()
	left := filepath.Join(outside, "x"+newSuffix)
	writeText(t, left, "left")
	for name, plant := range map[string]func(path string) error{
		"Link": func(path string) error { return os.Symlink(outside, path) },
		"Pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeText(t, filepath.Join(dir, "cur/1.a:2,"), "a: b\n")
			if err := plant(filepath.Join(dir, "tmp")); err != nil {
				t.Skip(err)
			}
			if d, err := OpenMaildir(dir); err == nil {
				d.Close()
				t.Error("got a Maildir, want an error")
			}
			wantText(t, left, "left")
		})
	}
}

// late is the mail of a program that opened the mailbox before it was replaced.
const late = "\n" + envelope + "LATE: L\n\nL\n"

// TestMain is a program that delivers mail, if it is called as one: it opens a mailbox,
// and appends to it after another file has the name.
func TestMain(m *testing.M) {
	path := os.Getenv("MAILBOX_TEST_DELIVER")
	if path == "" {
		os.Exit(m.Run())
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		os.Exit(1)
	}
	opened, _ := f.Stat()
	fmt.Println("opened")
	for begin := time.Now(); time.Since(begin) < 10*time.Second; time.Sleep(time.Millisecond) {
		if now, err := os.Stat(path); err == nil && os.SameFile(opened, now) {
			continue
		}
		time.Sleep(50 * time.Millisecond)
		for lockFile(f) != nil {
			time.Sleep(time.Millisecond)
		}
		f.WriteString(late)
		f.Close()
		os.Exit(0)
	}
	os.Exit(1)
}

// TestReplaceWhileDelivering keeps the message of a program that had the old mailbox
// open.
func TestReplaceWhileDelivering(t *testing.T) {
	path := filepath.Join(t.TempDir(), "box")
	writeText(t, path, box)
	deliver := exec.Command(os.Args[0])
	deliver.Env = append(os.Environ(), "MAILBOX_TEST_DELIVER="+path)
	out, err := deliver.StdoutPipe()
	if err == nil {
		err = deliver.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_, err = Replace(t.Context(), path, time.Second, upper, nil)
	if werr := deliver.Wait(); err != nil || werr != nil {
		t.Fatalf("got %v, %v, want no error", err, werr)
	}
	wantText(t, path, upperBox+late)
	wantFiles(t, filepath.Dir(path), "box")
}

// TestReplaceAfterKill starts after a run that was killed, with the lock file in either
// place, and with a message in the old mailbox. It removes the leftovers even though there
// is nothing to replace.
func TestReplaceAfterKill(t *testing.T) {
	for _, lock := range []func(string) string{lockName, lockInTheMaking} {
		for _, more := range []string{"", late} {
			path := filepath.Join(t.TempDir(), "box")
			writeText(t, path, upperBox)
			writeText(t, path+BackupSuffix, box+more)
			writeText(t, filepath.Join(filepath.Dir(path), newPrefix+"box"), "half")
			writeText(t, lock(path), fmt.Sprintf("1\n%s%d\n", lockMark(), len(box)))
			if changed, err := Replace(t.Context(), path, 0, upper, nil); changed || err != nil {
				t.Errorf("got %t, %v, want false, nil", changed, err)
			}
			wantText(t, path, upperBox+more)
			wantFiles(t, filepath.Dir(path), "box")
		}
	}
}
