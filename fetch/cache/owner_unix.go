//go:build unix

package cache

import (
	"io/fs"
	"syscall"
)

// nonBlocking makes the opening of a named pipe return at once.
const nonBlocking = syscall.O_NONBLOCK

// sameOwner reports whether two files belong to one user.
func sameOwner(a, b fs.FileInfo) bool {
	s, ok := a.Sys().(*syscall.Stat_t)
	t, ok2 := b.Sys().(*syscall.Stat_t)
	return ok && ok2 && s.Uid == t.Uid
}
