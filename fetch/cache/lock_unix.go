//go:build unix && !aix && !solaris

package cache

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

// lockWait bounds how long a lock is waited for. A process that holds it for
// longer is stopped, or counts a huge store; no body waits until then.
const lockWait = time.Second

// lock waits until no other process has f locked, and locks it until it is
// unlocked or closed, or the process ends.
func lock(f *os.File) error {
	for pause, end := time.Millisecond, time.Now().Add(lockWait); ; pause = min(2*pause, 50*time.Millisecond) {
		err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil || err != syscall.EWOULDBLOCK || time.Now().After(end) {
			return err
		}
		time.Sleep(pause)
	}
}

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

// nonBlocking makes the opening of a named pipe return at once.
const nonBlocking = syscall.O_NONBLOCK

// sameOwner reports whether two files belong to one user.
func sameOwner(a, b fs.FileInfo) bool {
	s, ok := a.Sys().(*syscall.Stat_t)
	t, ok2 := b.Sys().(*syscall.Stat_t)
	return ok && ok2 && s.Uid == t.Uid
}
