package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/below"
)

// files are objects in a folder. Names are paths below it.
type files struct{ dir string }

func (s files) path(name string) string { return filepath.Join(s.dir, name) }

func (s files) create() (*atomicfile.File, error) { return atomicfile.Open(s.dir) }

func (s files) stat(name string) (int64, error) {
	info, err := below.Stat(s.dir, name)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (s files) near(name string) bool {
	_, err := s.stat(name)
	return err == nil
}

// makeFolders makes the folders that lead to an object, of which there are at most two.
func (s files) makeFolders(name string) error {
	path := s.path(name)
	for _, dir := range []string{filepath.Dir(filepath.Dir(path)), filepath.Dir(path)} {
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// sync puts an object, and the names that lead to it, on the disk.
func (s files) sync(name string) error {
	f, _, err := below.Open(s.dir, name)
	if err != nil {
		return err
	}
	if err := errors.Join(atomicfile.SyncFile(f), f.Close()); err != nil {
		return err
	}
	for dir := filepath.Dir(s.path(name)); ; dir = filepath.Dir(dir) {
		if err := atomicfile.SyncFolder(dir); err != nil {
			return err
		}
		if dir == s.dir || len(dir) <= len(s.dir) {
			return nil
		}
	}
}

// remove removes an object, if it is there. It syncs nothing.
func (s files) remove(name string) error {
	if err := os.Remove(s.path(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// walk calls f with the name of each file.
func (s files) walk(f func(name string) error) error {
	// The owner may have put the objects on another disk, and linked the folder. The
	// separator makes the walk follow that link.
	return filepath.WalkDir(s.dir+string(filepath.Separator), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(s.dir, path)
		if err != nil {
			return err
		}
		return f(name)
	})
}
