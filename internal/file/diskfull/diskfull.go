// Package diskfull answers whether an error means that a disk, or the user's share of
// it, is full.
package diskfull

import (
	"errors"
	"runtime"
	"slices"
	"syscall"
)

// Is reports whether the tree of err has an error of the system for a full disk or a
// full quota.
func Is(err error) bool { return is(err, runtime.GOOS) }

func is(err error, system string) bool {
	full := []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT}
	if system == "windows" {
		// QUIRK: no error of Windows itself matches the names of POSIX: ERROR_HANDLE_DISK_FULL,
		// ERROR_DISK_FULL and ERROR_DISK_QUOTA_EXCEEDED.
		full = append(full, 39, 112, 1295)
	}
	return slices.ContainsFunc(full, func(e syscall.Errno) bool { return errors.Is(err, e) })
}
