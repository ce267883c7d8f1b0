package spool

import (
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// A Disk is full from an error of a Spool that means so until a file fits, which is tried once in 5 seconds (OP-51).
func TestDisk(t *testing.T) {
	there := t.TempDir()
	gone := filepath.Join(there, "gone")
	synctest.Test(t, func(t *testing.T) {
		var d Disk
		want := func(step, dir string, full bool) {
			t.Helper()
			if got := d.Full(dir); got != full {
				t.Errorf("%s: got full %t, want %t", step, got, full)
			}
		}
		for _, err := range []error{nil, errors.New("other"), syscall.ENOSPC, &Error{syscall.ENOENT}} {
			if d.Note(err) {
				t.Errorf("%v: got that the disk is full", err)
			}
		}
		want("other errors", gone, false)
		err := fmt.Errorf("of a body: %w", &Error{syscall.ENOSPC})
		if !d.Note(err) || d.Note(err) {
			t.Error("got not once that the disk is full since then")
		}
		want("at once", there, true)
		time.Sleep(diskTime)
		want("no file fits", gone, true)
		want("it was tried", there, true)
		time.Sleep(diskTime)
		want("a file fits", there, false)
		want("later", gone, false)
	})
}
