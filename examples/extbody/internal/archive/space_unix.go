//go:build linux || darwin

package archive

import "syscall"

// FreeSpace returns the number of octets that this user can still write on the file system
// of a folder. It returns -1 if that is not known.
func FreeSpace(dir string) int64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize)
}
