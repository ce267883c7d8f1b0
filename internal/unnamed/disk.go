package unnamed

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Link gives the file old below dir another name, and puts that on the disk. If
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

// Settle puts a file that is there below dir, and its name, on the disk.
func Settle(dir *os.Root, name string) error {
	f, err := dir.Open(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	if runtime.GOOS == "windows" {
		err = nil // a file that is only read cannot be synced
	}
	return errors.Join(err, f.Close(), syncFolder(dir, filepath.Dir(name)))
}

// SyncFolder puts the names in a folder on the disk, where the system can.
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
		err = nil // a file system that has nothing to sync
	}
	return errors.Join(err, d.Close())
}
