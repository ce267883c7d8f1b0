package unnamed

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Link gives the file old below dir another name, and syncs that to the disk. If
// something has the name already the error is [fs.ErrExist].
func Link(dir *os.Root, old, name string) error {
	if err := dir.Link(old, name); err != nil {
		return err
	}
	if err := Settle(dir, name); err != nil {
		dir.Remove(name)
		return err
	}
	return nil
}

// Settle syncs an existing file below dir, and its name, to the disk.
func Settle(dir *os.Root, name string) error {
	f, err := dir.Open(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	if runtime.GOOS == "windows" {
		err = nil // a file that is open for reading cannot be synced on some systems
	}
	return errors.Join(err, f.Close(), syncFolder(dir, filepath.Dir(name)))
}

// SyncFolder syncs the names in a folder to the disk, if the system can do that.
func SyncFolder(path string) error { return syncFolder(paths{}, path) }

func syncFolder(n names, dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := n.OpenFile(dir, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) {
		err = nil // the file system has nothing to sync
	}
	return errors.Join(err, d.Close())
}
