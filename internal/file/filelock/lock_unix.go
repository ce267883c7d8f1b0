//go:build unix && !aix && (!solaris || illumos)

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Supported reports that Try locks.
const Supported = true

// Try locks f until Unlock, until f is closed or until the process ends. If f is locked
// already, the error is ErrLocked. Where the system has no locks, Try does nothing.
func Try(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == syscall.EINTR:
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrLocked
		case err != nil:
			return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
		return nil
	}
}

// Unlock ends a lock.
func Unlock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
