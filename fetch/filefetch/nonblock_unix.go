//go:build unix

package filefetch

import "syscall"

// nonBlocking makes the opening of a named pipe return at once.
const nonBlocking = syscall.O_NONBLOCK
