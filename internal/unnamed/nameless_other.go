//go:build !linux

package unnamed

import (
	"errors"
	"os"
)

// openNameless returns nil: this system has no files without names.
func openNameless(names, string) *os.File { return nil }

func linkNameless(names, *os.File, string) error { return errors.ErrUnsupported }
