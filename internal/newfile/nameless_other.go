//go:build !linux

package newfile

import (
	"errors"
	"os"
)

// openNameless returns nil: this system has no files without names.
func openNameless(*os.Root) *os.File { return nil }

func linkNameless(*os.File, *os.Root, string) error { return errors.ErrUnsupported }
