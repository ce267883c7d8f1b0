//go:build unix

package output

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// wasClosed reports whether w is a standard file that was closed when the program
// started. The runtime opens the null device for reading and writing in its place, so
// that all output is lost without an error. The "> /dev/null" of a shell is
// open for writing only.
func wasClosed(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return false
	}
	if info, err := f.Stat(); err != nil || !os.SameFile(info, null) {
		return false
	}
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
