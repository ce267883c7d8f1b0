//go:build unix && !aix && (!solaris || illumos)

package mailbox

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// openFile opens a file. A symbolic link is an error.
func openFile(path string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag|syscall.O_NOFOLLOW, mode)
}

// hasLocks reports that lockFile locks.
const hasLocks = true

// lockFile locks all of f by fcntl, or returns ErrLocked. The process owns the lock. It
// ends when the process closes any descriptor of that file.
func lockFile(f *os.File) error {
	err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart})
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return ErrLocked
	}
	return err
}

func unlockFile(f *os.File) {
	// On an error the lock stays to the end of the process.
	_ = syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &syscall.Flock_t{Type: syscall.F_UNLCK, Whence: io.SeekStart})
}

// giveOwner gives f the owner and group of another file. A group to which the user does
// not belong cannot be given, as in a folder with mail that a setgid program delivers.
// Then f keeps the group of the folder, if the mode of the other file has nothing for a
// group.
func giveOwner(f *os.File, like os.FileInfo) error {
	want, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	have, ok := info.Sys().(*syscall.Stat_t)
	isOurs := ok && have.Uid == want.Uid
	if isOurs && have.Gid == want.Gid {
		return nil
	}
	err = f.Chown(int(want.Uid), int(want.Gid))
	if isOurs && errors.Is(err, fs.ErrPermission) && like.Mode().Perm()&0o070 == 0 {
		return nil
	}
	return err
}

// inode returns the number of a file in its file system, or 0 if it has none.
func inode(info os.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ino)
	}
	return 0
}

// links returns how many names a file has.
func links(info os.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Nlink)
	}
	return 1
}
