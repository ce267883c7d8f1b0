//go:build linux || openbsd || dragonfly || solaris || illumos || aix

package filestate

import (
	"os"
	"syscall"
)

func changeTime(info os.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(s.Ctim.Sec)*1e9 + int64(s.Ctim.Nsec)
	}
	return 0
}
