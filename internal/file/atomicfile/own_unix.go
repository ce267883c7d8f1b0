//go:build unix

package atomicfile

import (
	"os"
	"syscall"
)

// isOwn reports whether a file belongs to the user of this program.
func isOwn(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}
