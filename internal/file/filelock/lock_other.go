//go:build !windows && (!unix || aix || (solaris && !illumos))

package filelock

import "os"

// Supported reports that Try locks.
const Supported = false

// Try locks f until Unlock, until f is closed or until the process ends. If f is locked
// already, the error is ErrLocked. Where the system has no locks, Try does nothing.
func Try(*os.File) error { return nil }

// Unlock ends a lock.
func Unlock(*os.File) error { return nil }
