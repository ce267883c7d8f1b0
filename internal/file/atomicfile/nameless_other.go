//go:build !linux

package atomicfile

import (
	"errors"
	"os"
)

// openNameless returns nil: this system has no files without names.
func openNameless(*os.File, string) *os.File { return nil }

func linkNameless(*os.File, *os.File, string) error { return errors.ErrUnsupported }

// startSync does nothing: a sync writes all octets.
func startSync(*os.File, int64, int64) {}
