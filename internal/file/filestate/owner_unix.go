//go:build unix

package filestate

import (
	"os"
	"syscall"
)

// IsOwn reports whether a file belongs to the user of this program.
func IsOwn(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}

// SameOwner reports whether two files belong to the same user.
func SameOwner(a, b os.FileInfo) bool {
	s, ok := a.Sys().(*syscall.Stat_t)
	t, also := b.Sys().(*syscall.Stat_t)
	return ok && also && s.Uid == t.Uid
}

// IsOthers reports whether somebody besides the user of this program and root may write a file, or
// give it another mode.
func IsOthers(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return !ok || s.Uid != 0 && int(s.Uid) != os.Geteuid() || info.Mode().Perm()&0o022 != 0
}
