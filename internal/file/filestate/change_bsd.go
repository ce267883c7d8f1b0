//go:build darwin || freebsd || netbsd

package filestate

import (
	"os"
	"syscall"
)

func changeTime(info os.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(s.Ctimespec.Sec)*1e9 + int64(s.Ctimespec.Nsec)
	}
	return 0
}
