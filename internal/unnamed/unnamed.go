// Package unnamed makes files that get their name when they are whole, so that a
// program that is killed leaves nothing of those that are not.
package unnamed

import (
	"errors"
	"io/fs"
	"os"
)

// Prefix begins the names of temporary files.
const Prefix = ".extbody-"

// A File is a new file, with mode 0600. Where the system can, it has no name, and
// nothing of it is left if the program is killed. Elsewhere it has a temporary one that
// begins with [Prefix].
type File struct {
	*os.File
	temp string // its temporary name; "" if it has none
}

// Open makes a file on the file system of the folder dir.
func Open(dir string) (*File, error) {
	if f := openNameless(dir); f != nil {
		return &File{File: f}, nil
	}
	return openTemp(dir)
}

func openTemp(dir string) (*File, error) {
	f, err := os.CreateTemp(dir, Prefix+"*")
	if err != nil {
		return nil, err
	}
	return &File{File: f, temp: f.Name()}, nil
}

// Temporary reports whether the file has a temporary name, which [Sweep] removes if
// the program does not.
func (f *File) Temporary() bool { return f.temp != "" }

// Link gives the file the name path and closes it. If something has that name
// already the error is fs.ErrExist and the file is still without a name.
func (f *File) Link(path string) error {
	if f.temp == "" {
		if err := linkNameless(f.File, path); err != nil {
			return err
		}
		return f.Close()
	}
	err := os.Link(f.temp, path)
	switch {
	case err == nil:
		err = f.Close()
		return errors.Join(err, os.Remove(f.temp))
	case errors.Is(err, fs.ErrExist):
		return err
	}
	return f.rename(path)
}

// rename does what Link does on a file system without links: an empty file
// reserves the name, and is replaced.
func (f *File) rename(path string) error {
	reserved, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(reserved.Close(), f.Close(), os.Rename(f.temp, path)); err != nil {
		os.Remove(path)
		return err
	}
	return nil
}

// Discard closes the file and removes what is left of it.
func (f *File) Discard() {
	f.Close()
	if f.temp != "" {
		os.Remove(f.temp)
	}
}
