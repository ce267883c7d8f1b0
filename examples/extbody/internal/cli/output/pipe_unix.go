//go:build unix

package output

import (
	"errors"
	"syscall"
)

// IsBrokenPipe reports whether an error comes from writing to a pipe whose reader went away.
func IsBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
