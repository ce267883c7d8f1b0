package atomicfile

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

// SyncFolder syncs the names in a folder to the disk, if the system can do that.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(syncNames(d), d.Close())
}

// SyncFile syncs a file that is open for reading, if the system can do that.
func SyncFile(f *os.File) error {
	if runtime.GOOS == "windows" {
		return nil // a file that is only read cannot be synced
	}
	return f.Sync()
}

// syncNames is SyncFolder for a folder that is open.
func syncNames(d *os.File) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	err := d.Sync()
	if errors.Is(err, syscall.EINVAL) {
		return nil // the file system has nothing to sync
	}
	return err
}
