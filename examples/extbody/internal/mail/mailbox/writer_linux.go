package mailbox

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// hasWriter reports whether a program has f, which is open for reading, open for
// writing. known is false if the system does not report it.
func hasWriter(f *os.File) (writer, known bool) {
	// A lease for reading is given only if no program can write.
	_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	if err == nil {
		_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_UNLCK)
		return false, err == nil
	}
	return true, errors.Is(err, unix.EAGAIN)
}

// renameNew gives a file another name that nothing has. If something has it, the error
// is fs.ErrExist.
func renameNew(old, name string) error {
	err := unix.Renameat2(unix.AT_FDCWD, old, unix.AT_FDCWD, name, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return linkAndRemove(old, name) // the file system cannot do it
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: old, New: name, Err: err}
	}
	return nil
}
