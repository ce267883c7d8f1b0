package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// MakeFolder makes a folder and those above it, where they are missing, and syncs their
// names to the disk.
func MakeFolder(path string) error {
	path = filepath.Clean(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(path)
	if parent != path {
		if err := MakeFolder(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, 0o700); errors.Is(err, fs.ErrExist) {
		return os.MkdirAll(path, 0o700) // it may have been made meanwhile
	} else if err != nil {
		return err
	}
	return atomicfile.SyncFolder(parent)
}
