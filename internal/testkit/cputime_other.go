//go:build !linux

package testkit

import "time"

// CPUTime returns 0: the time of the processor is not known here.
func CPUTime() time.Duration { return 0 }
