//go:build !(linux || openbsd || dragonfly || solaris || illumos || aix || darwin || freebsd || netbsd)

package filestate

import "os"

func changeTime(os.FileInfo) int64 { return 0 }
