// Package newfile makes files that get their name when they are whole.
//
// A File has mode 0600 and no name, where the system has files without names, so
// that nothing is left of it if the program is killed. Elsewhere it has a temporary
// name that begins with [TempPrefix].
//
// All names are single components below an [os.Root]: nothing is created outside of
// it, and no link is followed.
package newfile

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// TempPrefix begins the temporary names.
const TempPrefix = ".extbody-"

// A File is a file without a name. It is for one goroutine, and ends with a Publish
// that succeeds or with Discard.
type File struct {
	file *os.File
	dir  *os.Root
	temp string // its temporary name; "" if it has none
}

// Create returns a new, empty File on the file system of dir. The File uses dir, which
// must stay open until the File has ended.
func Create(dir *os.Root) (*File, error) {
	if f := openNameless(dir); f != nil {
		return &File{file: f, dir: dir}, nil
	}
	return createTemp(dir)
}

func createTemp(dir *os.Root) (*File, error) {
	temp := TempPrefix + rand.Text()
	f, err := dir.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &File{file: f, dir: dir, temp: temp}, nil
}

// Write implements [io.Writer].
func (f *File) Write(p []byte) (int, error) { return f.file.Write(p) }

// Sync puts what was written on the disk.
func (f *File) Sync() error { return f.file.Sync() }

// Publish puts what was written on the disk, then gives the File the name and closes
// it, and then puts the name on the disk. If something has that name already the error
// is [fs.ErrExist], and the File is as it was. With any other error there is no file of
// that name, and the File can be discarded only.
func (f *File) Publish(name string) error {
	if !filepath.IsLocal(name) || filepath.Base(name) != name || name == "." {
		return &fs.PathError{Op: "publish", Path: name, Err: fs.ErrInvalid}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.link(name); err != nil {
		return err
	}
	if err := errors.Join(f.file.Close(), syncFolder(f.dir)); err != nil {
		f.dir.Remove(name)
		return err
	}
	return nil
}

func (f *File) link(name string) error {
	if f.temp == "" {
		return linkNameless(f.file, f.dir, name)
	}
	err := f.dir.Link(f.temp, name)
	switch {
	case err == nil:
		err = f.dir.Remove(f.temp)
		f.temp = ""
		return err
	case errors.Is(err, fs.ErrExist):
		return err
	}
	return f.rename(name)
}

// rename does what link does on a file system without links: an empty file reserves
// the name, and is replaced.
func (f *File) rename(name string) error {
	reserved, err := f.dir.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(reserved.Close(), f.dir.Rename(f.temp, name)); err != nil {
		f.dir.Remove(name)
		return err
	}
	f.temp = ""
	return nil
}

// Link gives the file old another name, and puts that on the disk. If something has the
// name already the error is [fs.ErrExist].
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

// Settle puts a file that is there, and its name, on the disk.
func Settle(dir *os.Root, name string) error {
	f, err := dir.Open(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	if runtime.GOOS == "windows" {
		err = nil // a file that is only read cannot be synced
	}
	return errors.Join(err, f.Close(), syncFolder(dir))
}

// Discard closes the File and removes what is left of it. After Publish has succeeded
// it does nothing.
func (f *File) Discard() {
	f.file.Close()
	if f.temp != "" {
		f.dir.Remove(f.temp)
		f.temp = ""
	}
}

// syncFolder puts the names in a folder on the disk, where the system can.
func syncFolder(dir *os.Root) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := dir.Open(".")
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) {
		err = nil // a file system that has nothing to sync
	}
	return errors.Join(err, d.Close())
}
