package archive_test

import (
	"os"
	"syscall"
)

// maxRSS returns the most memory that a program had, in octets.
func maxRSS(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int64(u.Maxrss) << 10
}
