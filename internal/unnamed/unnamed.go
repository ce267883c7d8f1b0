// Package unnamed makes files that get their name when they are whole, so that a
// program that is killed leaves nothing of those that are not. It is the one place that
// knows how a file and its name are put on the disk.
//
// [Open] takes paths. [Create] takes names below an [os.Root]: nothing is made outside
// of it, and no link is followed.
package unnamed

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
)

// Prefix begins the names of temporary files.
const Prefix = ".extbody-"

// A File is a new file, with mode 0600. Where the system can, it has no name, and
// nothing of it is left if the program is killed. Elsewhere it has a temporary one that
// begins with [Prefix]. It is for one goroutine, and ends with Link, Publish or Replace
// where these succeed, or with Discard.
type File struct {
	*os.File
	names names
	temp  string // its temporary name; "" if it has none
}

// names are where names of files are given and taken: the file system, or a part of it.
type names interface {
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
	Link(old, new string) error
	Rename(old, new string) error
	Remove(name string) error
}

// paths are the names of the whole file system.
type paths struct{}

func (paths) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}
func (paths) Link(old, new string) error   { return os.Link(old, new) }
func (paths) Rename(old, new string) error { return os.Rename(old, new) }
func (paths) Remove(name string) error     { return os.Remove(name) }

// Open makes a file on the file system of the folder dir. Its names are paths.
func Open(dir string) (*File, error) { return open(paths{}, dir) }

// Create makes a file on the file system of dir, which must stay open until the File has
// ended. Its names are below dir.
func Create(dir *os.Root) (*File, error) { return open(dir, ".") }

func open(n names, dir string) (*File, error) {
	if f := openNameless(n, dir); f != nil {
		return &File{File: f, names: n}, nil
	}
	return openTemp(n, dir)
}

// maxTaken is how many temporary names in a row may be taken.
const maxTaken = 100

// openTemp makes a file with a temporary name, which Sweep knows.
func openTemp(n names, dir string) (*File, error) {
	for taken := 0; ; taken++ {
		temp := filepath.Join(dir, Prefix+chance())
		f, err := n.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return &File{File: f, names: n, temp: temp}, nil
		}
		if !errors.Is(err, fs.ErrExist) || taken > maxTaken {
			return nil, err
		}
	}
}

// chance returns a number of 63 bits that nobody can foresee.
func chance() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		panic(err) // which package rand rules out
	}
	return n.String()
}

// Temporary reports whether the file has a temporary name, which [Sweep] removes if
// the program does not.
func (f *File) Temporary() bool { return f.temp != "" }

// Link gives the file a name and closes it. If something has that name already the
// error is [fs.ErrExist], and the File is as it was. Nothing is put on the disk.
func (f *File) Link(name string) error {
	if err := f.link(name); err != nil {
		return err
	}
	return f.end()
}

// link gives the file a name. With an error there is no file of that name that was not
// there before.
func (f *File) link(name string) error {
	if f.temp == "" {
		return linkNameless(f.names, f.File, name)
	}
	err := f.names.Link(f.temp, name)
	switch {
	case err == nil:
		f.names.Remove(f.temp) // what stays of it, Sweep removes
		f.temp = ""
		return nil
	case errors.Is(err, fs.ErrExist):
		return err
	}
	return f.rename(name)
}

// end closes the file, unless that was done.
func (f *File) end() error {
	err := f.Close()
	if errors.Is(err, fs.ErrClosed) {
		return nil
	}
	return err
}

// rename does what link does on a file system without links: an empty file reserves
// the name, and is replaced. It closes the file, as some systems rename none that is
// open.
func (f *File) rename(name string) error {
	reserved, err := f.names.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(reserved.Close(), f.Close(), f.names.Rename(f.temp, name)); err != nil {
		f.names.Remove(name)
		return err
	}
	f.temp = ""
	return nil
}

// Publish puts what was written on the disk, then gives the File the name and closes
// it, and then puts the name on the disk. If something has that name already the error
// is [fs.ErrExist], and the File is as it was. With any other error there is no file of
// that name, and the File can be discarded only. Of a File of Create the name is a
// single component.
func (f *File) Publish(name string) error {
	if _, ok := f.names.(*os.Root); ok && (!filepath.IsLocal(name) || filepath.Base(name) != name || name == ".") {
		return &fs.PathError{Op: "publish", Path: name, Err: fs.ErrInvalid}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.link(name); err != nil {
		return err
	}
	if err := errors.Join(f.end(), syncFolder(f.names, filepath.Dir(name))); err != nil {
		f.names.Remove(name)
		return err
	}
	return nil
}

// Discard closes the file and removes what is left of it. After Link, Publish or
// Replace has succeeded it does nothing.
func (f *File) Discard() {
	f.Close()
	if f.temp != "" {
		f.names.Remove(f.temp)
		f.temp = ""
	}
}
