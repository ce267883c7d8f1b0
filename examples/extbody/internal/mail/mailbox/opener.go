package mailbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// maildirSubs are the folders of a Maildir that contain messages. Programs move
// messages from the first to the second, so none is missed when they are read in this
// order.
var maildirSubs = []string{"new", "cur"}

// An opener finds and opens files. With a root, every path is the name of the root or
// below it, and no component of it leads out.
type opener struct{ root *os.Root }

var (
	// ErrIrregular is the error of a path that names neither a file nor a folder, such as a
	// pipe or a device.
	ErrIrregular = errors.New("neither a file nor a folder")

	// ErrOutside is the error of a [Walker] with a Root for a path that is not below the root, or leads out
	// of it by a link.
	ErrOutside = errors.New("the path, or a link in it, leads out of the folder that may be read")
)

// below returns a path as a name within the root.
func (o opener) below(op, path string) (string, error) {
	name, err := filepath.Rel(o.root.Name(), path)
	if err != nil || !filepath.IsLocal(name) {
		return "", &fs.PathError{Op: op, Path: path, Err: ErrOutside}
	}
	return name, nil
}

// in calls f with a path, or with its name within the root. The path in the error is the
// one that the caller has.
func in[T any](o opener, op, path string, system, rooted func(string) (T, error)) (T, error) {
	if o.root == nil {
		return system(path)
	}
	var v T
	name, err := o.below(op, path)
	if err == nil {
		v, err = rooted(name)
	}
	if e, ok := err.(*fs.PathError); ok {
		cause := e.Err
		if _, ok := cause.(syscall.Errno); !ok && !errors.Is(cause, fs.ErrClosed) {
			cause = ErrOutside // a link leads out of the root
		}
		err = &fs.PathError{Op: op, Path: path, Err: cause}
	}
	return v, err
}

func (o opener) stat(path string) (fs.FileInfo, error) {
	return in(o, "stat", path, os.Stat, o.root.Stat)
}

func (o opener) lstat(path string) (fs.FileInfo, error) {
	return in(o, "lstat", path, os.Lstat, o.root.Lstat)
}

func (o opener) open(path string) (*os.File, error) {
	return in(o, "open", path,
		func(path string) (*os.File, error) { return os.OpenFile(path, openFlags, 0) },
		func(name string) (*os.File, error) { return o.root.OpenFile(name, openFlags, 0) })
}

// readDir returns the entries of a folder, ordered by their names.
func (o opener) readDir(path string) ([]fs.DirEntry, error) {
	return in(o, "open", path, os.ReadDir, func(name string) ([]fs.DirEntry, error) {
		f, err := o.root.OpenFile(name, folderFlags, 0)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		entries, err := f.ReadDir(-1)
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
		return entries, err
	})
}

// isMaildir reports whether a folder has two of the folders of a Maildir, so that the files in cur and new are messages
// whatever their names are.
func (o opener) isMaildir(path string) bool {
	n := 0
	for _, sub := range []string{"cur", "new", "tmp"} {
		if info, err := o.lstat(filepath.Join(path, sub)); err == nil && info.IsDir() {
			n++
		}
	}
	return n >= 2
}

// isMessageName reports whether a file in the folder cur or new is a message. named reports that isMaildir is true of
// the folder above.
func isMessageName(name string, named bool) bool {
	if strings.HasPrefix(name, ".") {
		return false
	}
	if isUnique(name) {
		return true
	}
	return named && !slices.Contains(mailboxSuffixes, strings.ToLower(filepath.Ext(name)))
}

// mailboxSuffixes end the names of files that are read by their contents wherever they are.
var mailboxSuffixes = []string{".mbox", ".mbx", ".emlx", ".zip"}

// isUnique reports whether no other file than a message of a Maildir has such a name: it has flags, or starts
// with the seconds of a time.
func isUnique(name string) bool {
	digits := len(name) - len(strings.TrimLeft(name, "0123456789"))
	return strings.Contains(name, flagMark) || digits >= minSeconds && strings.HasPrefix(name[digits:], ".")
}

// minSeconds is how many digits the seconds since 1970 have, from 1973 on.
const minSeconds = 9

// maildirOf is [Folder].
func (o opener) maildirOf(path string) string {
	sub := filepath.Dir(path)
	if !slices.Contains(maildirSubs, filepath.Base(sub)) {
		return ""
	}
	if info, err := o.stat(sub); err != nil || !info.IsDir() {
		return ""
	}
	dir := filepath.Dir(sub)
	if !isMessageName(filepath.Base(path), o.isMaildir(dir)) {
		return ""
	}
	return dir
}

// openRegular opens a file. It does not open pipes and devices, which may wait or act,
// unless something replaced a file that was seen to be regular.
func (o opener) openRegular(path string, regular bool) (f *os.File, info os.FileInfo, err error) {
	if !regular {
		info, err := o.stat(path)
		if err != nil {
			return nil, nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, nil, &fs.PathError{Op: "open", Path: path, Err: ErrIrregular}
		}
	}
	f, err = o.open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err = f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrIrregular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// isFile reports whether e is a file or a link to one. A link to nothing counts, so
// that it is reported.
func (o opener) isFile(path string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type().IsRegular()
	}
	info, err := o.stat(path)
	return err != nil || info.Mode().IsRegular()
}
