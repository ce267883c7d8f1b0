//go:build !linux && !darwin

package archive

import (
	"errors"
	"os"
)

// lockFile returns an error, since there are no locks for this system here. So archives
// cannot be opened for writing on it.
func lockFile(string) (*os.File, error) { return nil, errors.ErrUnsupported }

// FreeSpace returns -1, since the free space is not known on this system.
func FreeSpace(string) int64 { return -1 }
