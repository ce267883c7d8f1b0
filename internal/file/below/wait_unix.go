//go:build unix

package below

import "syscall"

// noWait makes the system open a pipe at once, where it has replaced the file that was seen.
const noWait = syscall.O_NONBLOCK
