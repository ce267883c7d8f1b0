// Package diskfull answers whether an error means that a disk takes no more octets.
package diskfull

import (
	"errors"
	"runtime"
	"slices"
	"syscall"
)

// Is reports whether the tree of err has an error of the system after which nothing more can be
// written: a full disk, a full quota, a file that is as large as files can be, a disk that fails, or
// one that can only be read.
func Is(err error) bool { return is(err, runtime.GOOS) }

func is(err error, system string) bool {
	full := []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO, syscall.EROFS}
	if system == "windows" {
		// QUIRK: no error of Windows itself matches the names of POSIX: ERROR_WRITE_PROTECT, ERROR_WRITE_FAULT,
		// ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL, ERROR_FILE_TOO_LARGE, ERROR_IO_DEVICE and ERROR_DISK_QUOTA_EXCEEDED.
		full = append(full, 19, 29, 39, 112, 223, 1117, 1295)
	}
	return slices.ContainsFunc(full, func(e syscall.Errno) bool { return errors.Is(err, e) })
}
