// Package atomicfile makes files that get their name after they are whole. A program that
// is killed leaves nothing of incomplete files. This is the one place that knows how a
// file and its name are synced to the disk.
//
// [Open] takes paths. A [Folder] takes names in a folder that is an [os.Root]: it makes
// nothing outside, and follows no link.
package atomicfile

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/file/filestate"
)

// Prefix starts the names of temporary files.
const Prefix = ".extbody-"

// A File is a new file, with mode 0600. Where the system can do that it has no name,
// and nothing of it remains if the program is killed. Elsewhere it has a temporary name
// that starts with [Prefix]. One goroutine may use it. It ends when Link, Publish or
// Replace succeeds, or with Discard.
type File struct {
	*os.File
	names names
	temp  string // its temporary name; "" if it has none

	written, started int64 // octets of Write, and those of them that the system was asked to put on the disk
}

// names are the place of names of files: the file system, or a part of it.
type names interface {
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
	Link(old, new string) error
	Rename(old, new string) error
	Remove(name string) error

	// nameless returns a new file without a name on the file system of a folder, nil if
	// it has no such files, and linkNameless gives it a name that nothing has.
	nameless(dir string) *os.File
	linkNameless(f *os.File, name string) error

	sync(f *os.File) error

	// settle puts the names in a folder on the disk.
	settle(dir string) error
}

// paths are the names of the whole file system.
type paths struct{}

func (paths) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}
func (paths) Link(old, new string) error   { return os.Link(old, new) }
func (paths) Rename(old, new string) error { return os.Rename(old, new) }
func (paths) Remove(name string) error     { return os.Remove(name) }
func (paths) sync(f *os.File) error        { return f.Sync() }
func (paths) settle(dir string) error      { return SyncFolder(dir) }

func (paths) nameless(dir string) *os.File               { return openNameless(nil, dir) }
func (paths) linkNameless(f *os.File, name string) error { return linkNameless(nil, f, name) }

// Open makes a file on the file system of the folder dir. Names of the File are paths.
func Open(dir string) (*File, error) { return open(paths{}, dir) }

func open(n names, dir string) (*File, error) {
	if f := n.nameless(dir); f != nil {
		return &File{File: f, names: n}, nil
	}
	return openTemp(n, dir)
}

// Temp makes a file for data that needs no name, on the file system of the folder dir.
// It can only be discarded. If the system can remove the name of an open file, nothing is
// left of it when the program is killed.
func Temp(dir string) (*File, error) {
	f, err := Open(dir)
	if err == nil && f.temp != "" && os.Remove(f.temp) == nil {
		f.temp = ""
	}
	return f, err
}

// maxTaken is how many temporary names in a row may be taken.
const maxTaken = 100

// openTemp makes a file with a temporary name, which Sweep knows.
func openTemp(n names, dir string) (*File, error) {
	for taken := 0; ; taken++ {
		temp := filepath.Join(dir, chance())
		f, err := n.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return &File{File: f, names: n, temp: temp}, nil
		}
		if !errors.Is(err, fs.ErrExist) || taken > maxTaken {
			return nil, err
		}
	}
}

// chance returns a temporary name with a random number.
func chance() string { return Prefix + strconv.FormatUint(rand.Uint64(), 10) }

// ahead is how many octets of a file of a [Folder] are put on the disk at a time while more are written.
const ahead = 8 << 20

// Write implements [io.Writer]. A file of a Folder is for the octets of a body: the disk starts to write them while
// more of them arrive, so that Publish waits for the last ones alone.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	f.written += int64(n)
	if _, ok := f.names.(below); ok && f.written-f.started >= ahead {
		startSync(f.File, f.started, f.written-f.started)
		f.started = f.written
	}
	return n, err
}

// Temporary reports whether the file has a temporary name, which [Sweep] removes if
// the program does not.
func (f *File) Temporary() bool { return f.temp != "" }

// Link gives the file a name and closes it. If something has that name already the
// error is [fs.ErrExist], and the File is as before. Link syncs nothing to the disk.
func (f *File) Link(name string) error {
	if err := f.link(name); err != nil {
		return err
	}
	return f.end()
}

// link gives the file a name. On an error it leaves no new file of that name.
func (f *File) link(name string) error {
	if f.temp == "" {
		return f.names.linkNameless(f.File, name)
	}
	err := f.names.Link(f.temp, name)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return f.rename(name)
}

// end closes the file, unless it is closed, and then removes its temporary name: some
// systems cannot remove a name of an open file.
func (f *File) end() error {
	err := f.Close()
	if f.temp != "" {
		f.names.Remove(f.temp) // Sweep removes it if this fails
		f.temp = ""
	}
	if errors.Is(err, fs.ErrClosed) {
		return nil
	}
	return err
}

// rename does the same as link on a file system without links: an empty file reserves
// the name, and is replaced. It closes the file first, since some systems cannot rename
// an open file.
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

// Publish syncs the file to the disk, gives the File the name, closes it, and
// syncs the name. If something has that name already the error is [fs.ErrExist], and
// the File is as before. After any other error no file has that name, and the
// File can only be discarded. For a File of a Folder the name must be a single component.
func (f *File) Publish(name string) error {
	isComponent := filepath.IsLocal(name) && filepath.Base(name) == name && name != "."
	if _, ok := f.names.(below); ok && !isComponent {
		return &fs.PathError{Op: "publish", Path: name, Err: fs.ErrInvalid}
	}
	if err := f.names.sync(f.File); err != nil {
		return err
	}
	if err := f.link(name); err != nil {
		return err
	}
	if err := errors.Join(f.end(), f.names.settle(filepath.Dir(name))); err != nil {
		f.names.Remove(name)
		return err
	}
	return nil
}

// Discard closes the file and removes its temporary name. It does nothing after Link,
// Publish or Replace succeeded.
func (f *File) Discard() { f.end() }

// Replace gives the file the name path and closes it. A file that has that name is
// replaced. The File must be from Open. The file is synced to the disk before, and the
// name after it.
func (f *File) Replace(path string, mode fs.FileMode) error {
	if err := errors.Join(f.Chmod(mode), f.Sync()); err != nil {
		return err
	}
	if f.temp == "" {
		// A link cannot replace a file, so the file gets another name first.
		temp, err := f.linkBeside(path)
		if err != nil {
			return err
		}
		f.temp = temp
	}
	// Some systems cannot rename an open file.
	if err := errors.Join(f.Close(), os.Rename(f.temp, path)); err != nil {
		return err
	}
	f.temp = ""
	return SyncFolder(filepath.Dir(path))
}

// ReplaceFile makes a file with the octets that write writes. It replaces a file of the same
// name, and gives it mode 0600.
func ReplaceFile(path string, write func(io.Writer) error) error {
	return writeThen(path, write, func(f *File) error { return f.Replace(path, 0o600) })
}

// PublishFile makes a file with the octets that write writes, unless something has the name;
// see [File.Publish].
func PublishFile(path string, write func(io.Writer) error) error {
	return writeThen(path, write, func(f *File) error { return f.Publish(path) })
}

func writeThen(path string, write func(io.Writer) error, end func(*File) error) error {
	f, err := Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer f.Discard()
	w := bufio.NewWriterSize(f, 64<<10)
	if err := cmp.Or(write(w), w.Flush()); err != nil {
		return err
	}
	return end(f)
}

// linkBeside gives a file without a name a temporary name beside path. The name is the
// same each time, so that a file that a killed program left is removed, unless it
// belongs to another user.
func (f *File) linkBeside(path string) (string, error) {
	temp := filepath.Join(filepath.Dir(path), Prefix+"new."+filepath.Base(path))
	if err := RemoveOwn(temp); err != nil {
		return "", err
	}
	err := f.names.linkNameless(f.File, temp)
	if errors.Is(err, fs.ErrExist) {
		temp = filepath.Join(filepath.Dir(path), chance())
		err = f.names.linkNameless(f.File, temp)
	}
	return temp, err
}

// RemoveOwn removes a file or folder with everything in it, if it exists and belongs to
// the user of this program. It leaves files of others.
func RemoveOwn(path string) error {
	if info, err := os.Lstat(path); err != nil || !filestate.IsOwn(info) {
		return nil
	}
	return os.RemoveAll(path)
}

// leftover is the age from which no program writes to a temporary file.
const leftover = 24 * time.Hour

// Sweep removes temporary files from a folder that programs which were killed left
// there. Only systems without nameless files have such files.
func Sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), Prefix)
		if _, err := strconv.ParseUint(number, 10, 64); !ok || err != nil {
			continue
		}
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > leftover {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// Create makes a file on the file system of the folder. Its names are in the folder.
func (d *Folder) Create() (*File, error) { return open(below{d.root, d}, ".") }
