package get

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"
)

func TestDisk(t *testing.T) {
	free := int64(100)
	d := &disk{dir: "x", minFree: 50, free: func(string) int64 { return free }}
	if !d.room() || d.status() != nil {
		t.Errorf("got no room (%v), want some", d.status())
	}
	free = 49
	if d.room() || d.status() == nil {
		t.Error("got room for less than is to be free, want none")
	}
	free = 100
	if d.room() {
		t.Error("got room after the end, want none")
	}
	for _, c := range []struct {
		err  error
		room bool
	}{
		{nil, true},
		{errors.New("x"), true},
		{&fs.PathError{Err: syscall.EACCES}, true},
		{&fs.PathError{Err: syscall.ENOSPC}, false},
		{&fs.PathError{Err: syscall.EDQUOT}, false},
	} {
		d := &disk{dir: "x"}
		d.note(c.err)
		if d.room() != c.room || (d.status() == nil) != c.room {
			t.Errorf("%v: got room %t, %v, want %t", c.err, d.room(), d.status(), c.room)
		}
	}
}
