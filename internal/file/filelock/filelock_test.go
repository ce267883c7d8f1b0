package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestTry(t *testing.T) {
	if !Supported {
		t.Skip("this system has no locks")
	}
	path := filepath.Join(t.TempDir(), "f")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	first, second := open(), open()
	for _, c := range []struct {
		name string
		do   func() error
		want error
	}{
		{"First", func() error { return Try(first) }, nil},
		{"Second", func() error { return Try(second) }, ErrLocked},
		{"Unlocked", func() error { return errors.Join(Unlock(first), Try(second)) }, nil},
		{"AfterClose", func() error { return errors.Join(second.Close(), Try(first)) }, nil},
	} {
		if err := c.do(); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
}
