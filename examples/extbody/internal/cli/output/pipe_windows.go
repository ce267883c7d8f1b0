package output

import (
	"errors"

	"golang.org/x/sys/windows"
)

// IsBrokenPipe reports whether an error comes from writing to a pipe whose reader went away.
func IsBrokenPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
