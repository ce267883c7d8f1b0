package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/internal/unnamed"
)

// MakeFolder makes a folder, if it is missing, and those around it, and puts their
// names on the disk.
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
		return os.MkdirAll(path, 0o700) // what somebody else made, if it is a folder
	} else if err != nil {
		return err
	}
	return unnamed.SyncFolder(parent)
}
