//go:build !linux && !darwin

package archive

import (
	"errors"
	"os"
)

// lockFile returns an error, because this program has no locks for this system. So archives
// are only read here.
func lockFile(string) (*os.File, error) { return nil, errors.ErrUnsupported }

// FreeSpace returns -1, since the free space is not known on this system.
func FreeSpace(string) int64 { return -1 }
