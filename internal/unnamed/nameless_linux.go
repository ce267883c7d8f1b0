package unnamed

import (
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// openNameless returns a new file without a name on the file system of dir, or nil if
// that has no such files.
func openNameless(n names, dir string) *os.File {
	f, err := n.OpenFile(dir, unix.O_TMPFILE|os.O_RDWR, 0o600)
	if err != nil {
		return nil
	}
	if _, err := os.Lstat(self(f)); err != nil {
		f.Close() // without /proc it could not be linked
		return nil
	}
	return f
}

// linkNameless gives a file of openNameless a name that is not taken.
func linkNameless(n names, f *os.File, name string) error {
	d, err := n.OpenFile(filepath.Dir(name), os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := unix.Linkat(unix.AT_FDCWD, self(f), int(d.Fd()), filepath.Base(name), unix.AT_SYMLINK_FOLLOW); err != nil {
		return &os.LinkError{Op: "link", Old: f.Name(), New: name, Err: err}
	}
	return nil
}

func self(f *os.File) string { return "/proc/self/fd/" + strconv.Itoa(int(f.Fd())) }
