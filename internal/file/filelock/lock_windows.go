package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Supported reports that Try locks.
const Supported = true

// place is the octet that is locked. No file has it, since other programs cannot read octets that are
// locked.
var place = windows.Overlapped{OffsetHigh: 1<<31 - 1}

// Try locks f until Unlock, until f is closed or until the process ends. If f is locked
// already, the error is ErrLocked. Where the system has no locks, Try does nothing.
func Try(f *os.File) error {
	at := place
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	switch {
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION):
		return ErrLocked
	case err != nil:
		return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return nil
}

// Unlock ends a lock.
func Unlock(f *os.File) error {
	at := place
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &at)
}
