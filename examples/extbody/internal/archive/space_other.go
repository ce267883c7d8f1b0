//go:build !linux && !darwin

package archive

// FreeSpace returns -1, since the free space is not known on this system.
func FreeSpace(string) int64 { return -1 }

// reserve returns 0, since the free space is not known on this system.
func reserve(string) int64 { return 0 }
