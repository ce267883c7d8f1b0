//go:build unix

package mailbox

import (
	"os"
	"syscall"
)

// openFlags are those with which files are read. The system does not wait for
// the writer of a pipe, and Go does not ask it whether it can wait for the octets
// of a regular file.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK
