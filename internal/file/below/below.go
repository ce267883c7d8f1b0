// Package below opens the files of a folder that may be a stranger's.
//
// Such a folder may have links that lead out of it, pipes that never send an octet, and devices.
// Each name below it is opened here, for reading and for writing.
package below

import (
	"errors"
	"io/fs"
	"os"

	"github.com/go-extbody/extbody/internal/file/filestate"
)

// ErrIrregular is the error of a name that is a link, a pipe, a folder or a device.
var ErrIrregular = errors.New("is no regular file")

// ErrForeignLink is the error of a folder that is a link of another user.
var ErrForeignLink = errors.New("is a link that belongs to another user")

// Folder returns ErrForeignLink if the folder at path is a symbolic link that belongs neither to the
// user of this program nor to root: an owner may keep a part of a folder on another disk. A path
// that is missing is no error.
func Folder(path string) error {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 || !filestate.IsOthers(info) {
		return nil
	}
	return &fs.PathError{Op: "open", Path: path, Err: ErrForeignLink}
}

// Open opens a file for reading, as OpenFile does, and returns its size.
func Open(dir, name string) (*os.File, int64, error) {
	f, err := OpenFile(dir, name, os.O_RDONLY, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// OpenFile opens a regular file below the folder dir. It takes the flags of [os.OpenFile], except for
// O_TRUNC, and makes files with the mode perm.
//
// The folder itself is followed if it is a link, because the caller has chosen it. No link in name leads
// out of it. The last component is no link at all. Nothing is waited for: a pipe or a device is an
// error that matches ErrIrregular.
func OpenFile(dir, name string, flag int, perm fs.FileMode) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	create := flag & os.O_CREATE
	exclusive := flag & os.O_EXCL
	before, err := root.Lstat(name)
	if create != 0 && (exclusive != 0 || errors.Is(err, fs.ErrNotExist)) {
		// O_EXCL follows no link, also not one that leads nowhere.
		return root.OpenFile(name, flag|os.O_EXCL, perm)
	}
	if err != nil {
		return nil, err
	}
	irregular := &fs.PathError{Op: "open", Path: name, Err: ErrIrregular}
	if !before.Mode().IsRegular() {
		return nil, irregular
	}
	f, err := root.OpenFile(name, flag&^os.O_CREATE|noWait, perm)
	if err != nil {
		return nil, err
	}
	after, err := f.Stat()
	if err == nil && !os.SameFile(before, after) {
		err = irregular // it was replaced meanwhile
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Stat describes a regular file below the folder dir. Anything else that has the name is an error.
func Stat(dir, name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrIrregular}
	}
	if err != nil {
		return nil, err
	}
	return info, nil
}
