package unnamed

import (
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// openNameless returns a new file without a name on the file system of dir, or
// nil if that system has no such files.
func openNameless(dir string) *os.File {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil
	}
	f := os.NewFile(uintptr(fd), filepath.Join(dir, "unnamed"))
	if _, err := os.Lstat(self(f)); err != nil {
		f.Close() // without /proc it could not be linked
		return nil
	}
	return f
}

// linkNameless gives a file of openNameless a name that nothing has.
func linkNameless(f *os.File, path string) error {
	err := unix.Linkat(unix.AT_FDCWD, self(f), unix.AT_FDCWD, path, unix.AT_SYMLINK_FOLLOW)
	if err != nil {
		return &os.LinkError{Op: "link", Old: f.Name(), New: path, Err: err}
	}
	return nil
}

func self(f *os.File) string { return "/proc/self/fd/" + strconv.Itoa(int(f.Fd())) }
