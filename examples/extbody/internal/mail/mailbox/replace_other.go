//go:build !unix || aix || (solaris && !illumos)

package mailbox

import (
	"io/fs"
	"os"
	"path/filepath"
)

// openFile opens a file in a way that other programs, and this one, can remove or rename it
// while it is open.
func openFile(path string, flag int, mode fs.FileMode) (*os.File, error) {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.OpenFile(filepath.Base(path), flag, mode)
}

// hasLocks reports that lockFile locks.
const hasLocks = false

// lockFile does nothing: the lock file must do.
func lockFile(*os.File) error { return nil }

func unlockFile(*os.File) {}

// giveOwner does nothing: a new file has the owner that the folder gives it.
func giveOwner(*os.File, os.FileInfo) error { return nil }

// links returns 1.
func links(os.FileInfo) int { return 1 }

func inode(os.FileInfo) uint64 { return 0 }
