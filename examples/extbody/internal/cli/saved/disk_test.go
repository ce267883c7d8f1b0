package saved

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"
)

func TestDisk(t *testing.T) {
	free := int64(100)
	d := NewDisk("x", 50)
	d.free = func(string) int64 { return free }
	if !d.Room() || d.Status() != nil {
		t.Errorf("got no room (%v), want some", d.Status())
	}
	free = 49
	if d.Room() || d.Status() == nil {
		t.Error("got room for less than is to be free, want none")
	}
	free = 100
	if d.Room() {
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
		d := NewDisk("x", 0)
		d.Failed(c.err)
		if d.Room() != c.room || (d.Status() == nil) != c.room {
			t.Errorf("%v: got room %t, %v, want %t", c.err, d.Room(), d.Status(), c.room)
		}
	}
}
