//go:build unix

package cache

import "syscall"

// nonBlocking makes the opening of a named pipe return at once.
const nonBlocking = syscall.O_NONBLOCK
