package cache

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/file/filelock"
)

// The file "usage" has the number of octets that all files of the store have
// together, and the ones that are promised to bodies that are being written. It is
// changed under its lock. It is counted anew when the store is opened by one
// process alone, and when room is needed; the reservations of a killed process are
// forgotten then.

// locked calls f while no other goroutine and no other process does the same.
func (d *dirStore) locked(f func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := lock(d.usage); err != nil {
		return err
	}
	defer filelock.Unlock(d.usage)
	return f()
}

// lockWait bounds how long a lock is waited for. A process that holds it for
// longer is stopped, or counts a huge store; no body waits until then.
const lockWait = time.Second

// lock waits until no other process has f locked, and locks it. Where the system has no
// locks, a store is for one process at a time.
func lock(f *os.File) error {
	for pause, end := time.Millisecond, time.Now().Add(lockWait); ; pause = min(2*pause, 50*time.Millisecond) {
		err := filelock.Try(f)
		if !errors.Is(err, filelock.ErrLocked) || time.Now().After(end) {
			return err
		}
		time.Sleep(pause)
	}
}

// used returns the content of the file "usage", or -1 if it has none.
func (d *dirStore) used() int64 {
	var buf [20]byte
	n, _ := d.usage.ReadAt(buf[:], 0)
	used, err := strconv.ParseInt(strings.TrimSpace(string(buf[:n])), 10, 64)
	if err != nil || used < 0 {
		return -1
	}
	return used
}

// setUsed writes the content of the file "usage", always of the same length.
func (d *dirStore) setUsed(n int64) error {
	text := strconv.FormatInt(max(n, 0), 10)
	_, err := d.usage.WriteAt([]byte(strings.Repeat(" ", 19-len(text))+text+"\n"), 0)
	return err
}

// add changes the number of octets that are used. The caller has the lock.
func (d *dirStore) add(n int64) error {
	used := d.used()
	if used < 0 {
		return d.evict(n)
	}
	return d.setUsed(used + n)
}

// reserve makes room for n octets more, by evicting the least recently used files.
// The caller has the lock.
func (d *dirStore) reserve(n int64) error {
	if n > d.max {
		return ErrFull
	}
	used := d.used()
	if used < 0 || used > d.max-n {
		return d.evict(n)
	}
	return d.setUsed(used + n)
}

// A stored is a file that can be evicted.
type stored struct {
	name string
	size int64
	used time.Time
}

// evict counts the files and removes the least recently used ones until there
// is room for n octets, and an eighth of the whole besides, so that it is not
// needed soon again. The caller has the lock.
func (d *dirStore) evict(n int64) error {
	files, used := d.count()
	if used <= d.max-n {
		return d.setUsed(used + n)
	}
	now := time.Now()
	for i := range files {
		if files[i].used.After(now) {
			// The clock was set back: the time is unknown.
			files[i].used = time.Time{}
		}
	}
	slices.SortFunc(files, func(a, b stored) int { return a.used.Compare(b.used) })
	for _, f := range files {
		if used <= d.max-max(n, d.max/8) {
			break
		}
		if err := d.root.Remove(f.name); err == nil {
			used -= f.size
		}
	}
	if used > d.max-n {
		d.setUsed(used)
		return ErrFull
	}
	return d.setUsed(used + n)
}

// count returns the files that can be evicted and the octets of all, and removes
// the files of killed processes. The file of a body that is being written has
// the size that is reserved for it.
func (d *dirStore) count() (files []stored, used int64) {
	d.sweep()
	fs.WalkDir(d.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return nil
		}
		switch dir, _, _ := strings.Cut(name, "/"); dir {
		case "objects", "entries":
			files = append(files, stored{name, info.Size(), info.ModTime()})
			used += info.Size()
		case "tmp":
			used += info.Size()
		}
		return nil
	})
	return files, used
}

// sweep removes the temporary directories of processes that have ended. It
// reports whether this process is the only one. The caller has the lock.
func (d *dirStore) sweep() (alone bool) {
	dirs, err := fs.ReadDir(d.root.FS(), "tmp")
	if err != nil {
		return false
	}
	alone = true
	for _, e := range dirs {
		switch name := path.Join("tmp", e.Name()); {
		case name == d.tmp:
		case d.dead(name):
			d.root.RemoveAll(name)
		default:
			alone = false
		}
	}
	return alone
}

// dead reports whether the process that made a temporary directory has ended.
// One without its lock was killed before it made that. Where the system has no locks, the
// answer is false, and the files of a killed process stay.
func (d *dirStore) dead(name string) bool {
	f, _, err := d.openFile(name + "/lock")
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	return filelock.Supported && filelock.Try(f) == nil
}

// sizeOf returns the size of a file, 0 if it does not exist.
func (d *dirStore) sizeOf(name string) int64 {
	info, err := d.root.Lstat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}
