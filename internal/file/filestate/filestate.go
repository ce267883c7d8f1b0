// Package filestate answers whether a file is still the one that was read, and whose it is.
package filestate

import (
	"os"
	"time"
)

// A State is the identity, the size and the times of a file. The zero State is of no
// file.
type State struct {
	info    os.FileInfo
	changed int64 // when the file or its attributes changed; 0 if the system does not record that
}

// Of returns the State of a file. info is from Stat or Lstat.
func Of(info os.FileInfo) State { return State{info, changeTime(info)} }

// Stat returns the State of an open file.
func Stat(f *os.File) (State, error) {
	info, err := f.Stat()
	if err != nil {
		return State{}, err
	}
	return Of(info), nil
}

// Size returns the number of octets.
func (s State) Size() int64 { return s.info.Size() }

// ModTime returns when the octets were changed last, unless a program set another time.
func (s State) ModTime() time.Time { return s.info.ModTime() }

// Info returns the argument of Of.
func (s State) Info() os.FileInfo { return s.info }

// Same reports whether nothing about the file has changed: it is the same file, and has
// the same size and times. A program can set the time of the octets back, but not the
// time of the change (the ctime of POSIX). That time also changes with the name, the mode
// and the number of links.
func (s State) Same(t State) bool {
	if s.info == nil || t.info == nil {
		return s.info == t.info
	}
	if !os.SameFile(s.info, t.info) || s.info.Size() != t.info.Size() {
		return false
	}
	return s.info.ModTime().Equal(t.info.ModTime()) && s.changed == t.changed
}

// Settled reports whether each change of the file after a time shows in its State. A system counts
// the time of a change in ticks, so that two changes in one tick have the same time.
func (s State) Settled(at time.Time) bool {
	return s.changed != 0 && at.Sub(time.Unix(0, s.changed)) > tick
}

// tick is more than the longest tick of Linux, which has 100 of them a second at least.
const tick = 20 * time.Millisecond
