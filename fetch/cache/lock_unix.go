//go:build unix && !aix && !solaris

package cache

import (
	"os"
	"syscall"
)

// lock waits until no other process has f locked, and locks it until it is
// closed or the process ends.
func lock(f *os.File) error { return flock(f, syscall.LOCK_EX) }

// tryLock reports whether no other process has f locked, and locks it if so.
func tryLock(f *os.File) bool { return flock(f, syscall.LOCK_EX|syscall.LOCK_NB) == nil }

func unlock(f *os.File) { flock(f, syscall.LOCK_UN) }

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if err != syscall.EINTR {
			return err
		}
	}
}
