//go:build unix

package archive_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// pipe puts a pipe into the place of a file. The function that it returns reports whether somebody
// waited for a writer since. Such a reader gets the end of the pipe.
func pipe(t *testing.T, path string) (waited func() bool) {
	t.Helper()
	os.Remove(path)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	var found, ended atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !ended.Load() {
			fd, err := syscall.Open(path, syscall.O_WRONLY|syscall.O_NONBLOCK, 0)
			if err != nil {
				continue // nobody reads it
			}
			var now syscall.Stat_t
			if syscall.Fstat(fd, &now) == nil && now.Mode&syscall.S_IFMT == syscall.S_IFIFO {
				found.Store(true)
			}
			syscall.Close(fd)
		}
	}()
	return func() bool {
		ended.Store(true)
		<-done
		return found.Load()
	}
}

// TestPlantedFiles holds: where a file of an archive is a link or a pipe, nothing outside of the folder is
// made or changed, and nothing is waited for.
func TestPlantedFiles(t *testing.T) {
	made, box, _ := filled(t, 2)
	month := filepath.Base(mustGlob(t, made, "ledger/*")[0])
	exchanges := "exchanges/" + filepath.Base(mustGlob(t, made, "exchanges/*")[0])
	for _, name := range []string{"lock", "head", "index", "README.txt", "ledger/" + month, exchanges} {
		t.Run(strings.ReplaceAll(name, "/", "_"), func(t *testing.T) {
			dir := copied(t, made)
			outside := filepath.Join(t.TempDir(), "outside")
			path := filepath.Join(dir, name)
			text, _ := os.ReadFile(path)
			put(t, outside, string(text))
			os.Remove(path)
			must(t, os.Symlink(outside, path))
			use(t, dir, box, made)
			if now, _ := os.ReadFile(outside); string(now) != string(text) {
				t.Errorf("link: got a file outside with %d octets, want it as it was, with %d", len(now), len(text))
			}
			must(t, os.Remove(outside))
			os.Remove(path)
			must(t, os.Symlink(outside, path))
			use(t, dir, box, made)
			if _, err := os.Lstat(outside); err == nil {
				t.Error("link to nothing: got a file outside")
			}
			waited := pipe(t, path)
			use(t, dir, box, made)
			if waited() {
				t.Error("pipe: got somebody who waits for it")
			}
		})
	}
}

// use reads an archive, writes to it, and repairs it from a whole copy, whatever the errors are.
func use(t *testing.T, dir, box, whole string) {
	archive.Verify(t.Context(), dir, ledger.Head{})
	if a, err := archive.Read(dir, nil); err == nil {
		a.Export(t.Context(), filepath.Join(t.TempDir(), "out.warc"), &archive.ExportOptions{As: "warc"})
		a.Close()
	}
	if a, err := archive.Open(dir, false, nil); err == nil {
		a.Sync(t.Context(), options(box))
		a.Close()
	}
	archive.Repair(t.Context(), dir, whole)
}

// TestForeignFolders holds: a folder of an archive that is a link of another user is not followed.
func TestForeignFolders(t *testing.T) {
	made, box, _ := filled(t, 2)
	for _, name := range []string{"ledger", "exchanges", "stamps", "objects"} {
		t.Run(name, func(t *testing.T) {
			dir := copied(t, made)
			outside := filepath.Join(t.TempDir(), "outside")
			path := filepath.Join(dir, name)
			must(t, os.Rename(path, outside))
			must(t, os.Symlink(outside, path))
			if a, err := archive.Open(dir, false, nil); err != nil {
				t.Errorf("own: got %v, want it followed", err)
			} else {
				a.Close()
			}
			if err := os.Lchown(path, 4711, -1); err != nil {
				t.Skip("only root can give a link away: ", err)
			}
			before := slurp(t, outside, ".")
			if a, err := archive.Open(dir, false, nil); err == nil {
				a.Sync(t.Context(), options(box))
				a.Close()
				t.Error("of another user: got an archive, want an error")
			}
			if a, err := archive.Read(dir, nil); err == nil {
				a.Close()
				t.Error("of another user: got an archive to read, want an error")
			}
			if _, err := archive.Verify(t.Context(), dir, ledger.Head{}); err == nil {
				t.Error("of another user: got a verdict, want an error")
			}
			if slurp(t, outside, ".") != before {
				t.Error("got another content outside")
			}
		})
	}
}
