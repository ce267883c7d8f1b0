//go:build !linux && !darwin

package archive

import (
	"errors"
	"os"
)

// lockFile is not there on this system, on which nothing is written therefore.
func lockFile(string) (*os.File, error) { return nil, errors.ErrUnsupported }

// FreeSpace returns -1: it is not known here.
func FreeSpace(string) int64 { return -1 }
