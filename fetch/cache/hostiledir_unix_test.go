//go:build unix && !aix && !solaris

package cache_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/internal/testkit"
)

// A key that another user made would let that user forge entries.
func TestForeignKey(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a file away")
	}
	path := testkit.PrivateDir(t)
	d := openDir(t, path, 1<<20)
	d.Close()
	noError(t, os.Chown(filepath.Join(path, "key"), 65534, 65534))
	if d, err := cache.Dir(path, 1<<20); err == nil {
		d.Close()
		t.Error("got the directory opened, want an error")
	}
}

// Nothing in the directory is waited for, whatever it was replaced by.
func TestNamedPipes(t *testing.T) {
	path := testkit.PrivateDir(t)
	d := openDir(t, path, 1<<20)
	for _, dir := range []string{"entries", "objects"} {
		put(t, d, "k", body(1000), "m")
		for _, name := range files(t, filepath.Join(path, dir)) {
			pipe(t, name)
		}
		if _, err := d.Get("k"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, want %v", dir, err, fs.ErrNotExist)
		}
	}
	d.Close()
	dead := filepath.Join(path, "tmp", "dead")
	noError(t, os.Mkdir(dead, 0o700))
	noError(t, syscall.Mkfifo(filepath.Join(dead, "lock"), 0o600))
	openDir(t, path, 1<<20).Close() // with a lock that is a pipe
	pipe(t, filepath.Join(path, "key"))
	if d, err := cache.Dir(path, 1<<20); err == nil || !strings.Contains(err.Error(), "key") {
		d.Close()
		t.Errorf("got %v, want an error about the key", err)
	}
}

// pipe puts a named pipe instead of a file.
func pipe(t *testing.T, name string) {
	t.Helper()
	noError(t, errors.Join(os.Remove(name), syscall.Mkfifo(name, 0o600)))
}
