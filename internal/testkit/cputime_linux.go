package testkit

import (
	"syscall"
	"time"
)

// CPUTime returns the time of the processor that this process took, which other work changes less than it changes
// the time of the clock.
func CPUTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
