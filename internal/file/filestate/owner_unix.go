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
// give it another mode. In a folder with the sticky bit, such as /tmp, others may add files, and
// not replace the user's; IsOthers reports false for it. For a symbolic link, the owner
// alone counts.
func IsOthers(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || s.Uid != 0 && int(s.Uid) != os.Geteuid() {
		return true
	}
	mode := info.Mode()
	if mode&os.ModeSymlink != 0 || mode.IsDir() && mode&os.ModeSticky != 0 {
		return false
	}
	return mode.Perm()&0o022 != 0
}
