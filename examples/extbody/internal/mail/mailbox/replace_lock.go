package mailbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/file/filestate"
)

// lockPause is the time between two attempts to take a lock.
const lockPause = 100 * time.Millisecond

// lockName returns the name of the lock file of a mailbox.
func lockName(path string) string { return path + ".lock" }

// lockMailbox locks the mailbox at path, which is open as f, against programs that
// deliver to it: by fcntl, then by the lock file. It never waits for one lock while it
// holds the other, so the order in which others take them does not matter. It gives up
// with ErrLocked after wait. size is the size of the mailbox.
func lockMailbox(ctx context.Context, path string, f *os.File, size int64, wait time.Duration) (unlock func(), err error) {
	lock := lockName(path)
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		err = lockFile(f)
		if err == nil {
			err = makeLock(lock, size)
			if err == nil {
				return func() {
					if _, ours := readLock(lock); ours {
						os.Remove(lock)
					}
					unlockFile(f)
				}, nil
			}
			unlockFile(f)
		}
		if !errors.Is(err, ErrLocked) {
			return nil, err
		}
		select {
		case <-time.After(lockPause):
		case <-waiting.Done():
			return nil, cmp.Or(ctx.Err(), err)
		}
	}
}

// makeLock makes the lock file. The caller has the mailbox locked by fcntl. The file
// appears with its full content, so that one left by a run that was killed can be distinguished
// from the locks of others.
func makeLock(path string, size int64) error {
	if err := dropLock(path); err != nil {
		return err
	}
	// Programs that look for dead owners read a process id on the first line.
	text := fmt.Sprintf("%d\n%s%d\n", os.Getpid(), lockMark(), size)
	temp := lockTemp(path)
	// A run that was killed may have left it.
	if err := removeOwn(temp); err != nil {
		return err
	}
	if err := createLock(temp, text); err != nil {
		return err
	}
	err := os.Link(temp, path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = createLock(path, text) // a file system without links
	}
	if errors.Is(err, fs.ErrExist) {
		err = ErrLocked
	}
	return errors.Join(err, os.Remove(temp))
}

// lockTemp returns the name of a lock file before it gets its own.
func lockTemp(path string) string {
	return filepath.Join(filepath.Dir(path), ".extbody-lock."+filepath.Base(path))
}

func createLock(path, text string) error {
	return create(path, 0o644, func(f *os.File) error {
		_, err := f.WriteString(text)
		return err
	})
}

// dropLock removes a lock file that a run of the same user left on this machine when it
// was killed. A run that is alive also has the mailbox, old or new, locked by fcntl;
// but the caller has that lock.
func dropLock(path string) error {
	if _, ours := readLock(path); !hasLocks || !ours {
		return nil
	}
	return remove(path)
}

// lockMark is the second line of our lock files.
func lockMark() string {
	host, err := os.Hostname()
	if err != nil {
		host = "?"
	}
	return "extbody on " + host + "\n"
}

// readLock returns the text after the mark in a lock file that belongs to the user of this
// program. Anybody can write the mark.
func readLock(path string) (rest string, ours bool) {
	f, err := openFile(path, openFlags, 0) // do not wait for a pipe
	if err != nil {
		return "", false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || !filestate.IsOwn(info) {
		return "", false
	}
	text, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil {
		return "", false
	}
	_, second, _ := strings.Cut(string(text), "\n")
	return strings.CutPrefix(second, lockMark())
}

// lockedSize returns the size of the mailbox that a killed call was replacing.
func lockedSize(path string) (size int64, ok bool) {
	text, ours := readLock(path)
	size, err := strconv.ParseInt(strings.TrimSuffix(text, "\n"), 10, 64)
	return size, ours && err == nil
}
