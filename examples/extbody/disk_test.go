package main

import (
	"errors"
	"io/fs"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"
)

// Nothing is begun on a disk with too little room, and the status says that it was not
// done.
func TestGetMinFree(t *testing.T) {
	var requests atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		text(w, "x")
	})
	for _, c := range []struct {
		free     string
		status   int
		requests int64
	}{
		{"1", 0, 2},
		{"1000000TB", 1, 0},
		{"much", 2, 0},
	} {
		requests.Store(0)
		status, out, errs := invoke(t.Context(), box(base+"/a", base+"/b"), append([]string{"get", "-o", t.TempDir(), "--min-free", c.free}, flags...)...)
		if status != c.status || requests.Load() != c.requests {
			t.Errorf("%s: got status %d and %d requests, want %d and %d: %s%s", c.free, status, requests.Load(), c.status, c.requests, out, errs)
		}
	}
}

func TestDisk(t *testing.T) {
	free := int64(100)
	d := newDisk("x", 50)
	d.free = func(string) int64 { return free }
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
		d := newDisk("x", 0)
		d.failed(c.err)
		if d.room() != c.room || (d.status() == nil) != c.room {
			t.Errorf("%v: got room %t, %v, want %t", c.err, d.room(), d.status(), c.room)
		}
	}
}
