package atomicfile

import (
	"os"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// openNameless returns a new file without a name on the file system of the folder path, or
// nil if that system has no such files. A path starts at the folder dir, or where the
// program is if dir is nil. The file is opened without package os, which would ask several
// times in vain whether it can be polled.
func openNameless(dir *os.File, path string) *os.File {
	for hasProc() {
		fd, err := unix.Openat(at(dir), path, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return nil
		}
		return os.NewFile(uintptr(fd), path)
	}
	return nil // without /proc it could not be linked
}

// hasProc reports whether open files have names in /proc.
var hasProc = sync.OnceValue(func() bool {
	f, err := os.Open("/")
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = os.Lstat(self(f))
	return err == nil
})

// linkNameless gives a file of openNameless a name that nothing has.
func linkNameless(dir, f *os.File, path string) error {
	if err := unix.Linkat(unix.AT_FDCWD, self(f), at(dir), path, unix.AT_SYMLINK_FOLLOW); err != nil {
		return &os.LinkError{Op: "link", Old: f.Name(), New: path, Err: err}
	}
	return nil
}

// startSync has the system start to write octets of a file to the disk. The sync that follows tells its errors.
func startSync(f *os.File, from, n int64) {
	unix.SyncFileRange(int(f.Fd()), from, n, unix.SYNC_FILE_RANGE_WRITE)
}

func at(dir *os.File) int {
	if dir == nil {
		return unix.AT_FDCWD
	}
	return int(dir.Fd())
}

func self(f *os.File) string { return "/proc/self/fd/" + strconv.Itoa(int(f.Fd())) }
