//go:build unix && !aix && !solaris

package inspect

import (
	"os"
	"syscall"
)

// tryLock locks f until it is closed or the process ends. It returns an error if another
// process has locked it.
func tryLock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
