package newfile

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// openNameless returns a new file without a name on the file system of dir, or nil if
// that system has no such files.
func openNameless(dir *os.Root) *os.File {
	f, err := dir.OpenFile(".", unix.O_TMPFILE|os.O_RDWR, 0o600)
	if err != nil {
		return nil
	}
	if _, err := os.Lstat(self(f)); err != nil {
		f.Close() // without /proc it could not be linked
		return nil
	}
	return f
}

// linkNameless gives a file of openNameless a name that nothing in dir has.
func linkNameless(f *os.File, dir *os.Root, name string) error {
	d, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := unix.Linkat(unix.AT_FDCWD, self(f), int(d.Fd()), name, unix.AT_SYMLINK_FOLLOW); err != nil {
		return &os.LinkError{Op: "link", Old: f.Name(), New: name, Err: err}
	}
	return nil
}

func self(f *os.File) string { return "/proc/self/fd/" + strconv.Itoa(int(f.Fd())) }
