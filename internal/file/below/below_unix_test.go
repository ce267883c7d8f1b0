//go:build unix

package below_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/go-extbody/extbody/internal/file/below"
)

// TestPipe holds: a pipe is not waited for, whatever it is opened for.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	for _, flag := range []int{os.O_RDONLY, os.O_WRONLY, os.O_RDWR | os.O_CREATE} {
		if _, err := below.OpenFile(dir, "pipe", flag, 0o600); !errors.Is(err, below.ErrIrregular) {
			t.Errorf("flag %#x: got %v, want %v", flag, err, below.ErrIrregular)
		}
	}
}

// TestForeignLink holds: a folder that is a link of neither the user nor root is not followed.
func TestForeignLink(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "link")
	if err := os.Symlink(t.TempDir(), path); err != nil {
		t.Skip(err)
	}
	if err := os.Lchown(path, 4711, -1); err != nil {
		t.Skip("only root can give a link away: ", err)
	}
	if err := below.Folder(path); !errors.Is(err, below.ErrForeignLink) {
		t.Errorf("got %v, want %v", err, below.ErrForeignLink)
	}
}
