package diskfull

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

func TestIs(t *testing.T) {
	for _, c := range []struct {
		err           error
		linux, window bool
	}{
		{nil, false, false},
		{errors.New("x"), false, false},
		{fs.ErrPermission, false, false},
		{syscall.ENOSPC, true, true},
		{syscall.EFBIG, true, true},
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.EIO}, true, true},
		{&fs.PathError{Op: "open", Path: "x", Err: syscall.EROFS}, true, true},
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.Errno(1117)}, false, true},
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.EDQUOT}, true, true},
		{&os.LinkError{Op: "rename", Old: "x", New: "y", Err: syscall.ENOSPC}, true, true},
		{fmt.Errorf("x: %w", os.NewSyscallError("write", syscall.Errno(112))), false, true},
		{&fs.PathError{Err: syscall.Errno(39)}, false, true},
		{errors.Join(errors.New("x"), syscall.Errno(1295)), false, true},
		{syscall.Errno(32), false, false}, // a sharing violation there
	} {
		if got := is(c.err, "linux"); got != c.linux {
			t.Errorf("linux: %v: got %t, want %t", c.err, got, c.linux)
		}
		if got := is(c.err, "windows"); got != c.window {
			t.Errorf("windows: %v: got %t, want %t", c.err, got, c.window)
		}
	}
}
