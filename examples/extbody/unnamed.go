package main

import (
	"errors"
	"io/fs"
	"os"
)

// An unnamed is a file, with mode 0600, that gets its name when it is whole.
// Where the system can, it has no name until then, and nothing of it is left if
// the program is killed. Elsewhere it has a temporary one that begins with
// ".extbody-".
type unnamed struct {
	file *os.File
	temp string // its temporary name; "" if it has none
}

func openUnnamed(dir string) (*unnamed, error) {
	if f := openNameless(dir); f != nil {
		return &unnamed{file: f}, nil
	}
	return openTemp(dir)
}

func openTemp(dir string) (*unnamed, error) {
	f, err := os.CreateTemp(dir, ".extbody-*")
	if err != nil {
		return nil, err
	}
	return &unnamed{file: f, temp: f.Name()}, nil
}

// link gives the file the name path and closes it. If something has that name
// already the error is fs.ErrExist and the file is still without a name.
func (u *unnamed) link(path string) error {
	if u.temp == "" {
		if err := linkNameless(u.file, path); err != nil {
			return err
		}
		return u.file.Close()
	}
	err := os.Link(u.temp, path)
	switch {
	case err == nil:
		err = u.file.Close()
		return errors.Join(err, os.Remove(u.temp))
	case errors.Is(err, fs.ErrExist):
		return err
	}
	return u.rename(path)
}

// rename does what link does on a file system without links: an empty file
// reserves the name, and is replaced.
func (u *unnamed) rename(path string) error {
	reserved, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(reserved.Close(), u.file.Close(), os.Rename(u.temp, path)); err != nil {
		os.Remove(path)
		return err
	}
	return nil
}

// discard closes the file and removes what is left of it.
func (u *unnamed) discard() {
	u.file.Close()
	if u.temp != "" {
		os.Remove(u.temp)
	}
}
