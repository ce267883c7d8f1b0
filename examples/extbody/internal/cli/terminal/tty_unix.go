//go:build unix

package terminal

import (
	"os"
	"syscall"
)

// Open opens the controlling terminal. Without one it returns an error.
func Open() (*Controlling, error) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return &Controlling{f, f}, nil
}

// interrupt has the effect of the key for an interruption while a terminal is not raw.
func interrupt() { syscall.Kill(syscall.Getpid(), syscall.SIGINT) }
