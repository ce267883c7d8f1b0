//go:build unix

package mailbox

import (
	"os"
	"syscall"
)

const (
	// openFlags are the flags with which files are read. With them the system does not wait
	// for the writer of a pipe, and Go does not ask it whether it can wait for a regular
	// file.
	openFlags = os.O_RDONLY | syscall.O_NONBLOCK

	// folderFlags open nothing but a folder.
	folderFlags = os.O_RDONLY | syscall.O_DIRECTORY
)
