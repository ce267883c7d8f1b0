// Package filelock locks files against other processes, and against other descriptors of
// the same process. It is the one list of the systems that can do that.
package filelock

import "errors"

// ErrLocked is the error of a file that another descriptor has locked.
var ErrLocked = errors.New("another program has locked the file")
