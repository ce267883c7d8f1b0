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

// maxReserve bounds the octets that are kept for the ledger and the index.
const maxReserve = 64 << 20

// reserve returns how many octets of the file system of a folder are kept for the ledger and the index.
func reserve(dir string) int64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0
	}
	return min(maxReserve, int64(s.Blocks)*int64(s.Bsize)/16)
}
