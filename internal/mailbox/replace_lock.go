package mailbox

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// lockPause is how long to wait before a lock is tried again.
const lockPause = 100 * time.Millisecond

// lockName returns the name of the lock file of a mailbox.
func lockName(path string) string { return path + ".lock" }

// lockMailbox locks the mailbox at path, which f is, against programs that
// deliver to it: by fcntl, then by the lock file. It never waits for one lock
// with the other one held, so that the order in which others take them does not
// matter. It gives up with ErrLocked after wait.
func lockMailbox(ctx context.Context, path string, f *os.File, wait time.Duration) (unlock func(), err error) {
	lock := lockName(path)
	deadline := time.NewTimer(wait)
	defer deadline.Stop()
	for {
		if err = lockFile(f); err == nil {
			if err = makeLock(lock); err == nil {
				return func() {
					os.Remove(lock)
					unlockFile(f)
				}, nil
			}
			unlockFile(f)
		}
		if !errors.Is(err, ErrLocked) {
			return nil, err
		}
		pause := time.NewTimer(lockPause)
		select {
		case <-pause.C:
			continue
		case <-ctx.Done():
			err = ctx.Err()
		case <-deadline.C:
		}
		pause.Stop()
		return nil, err
	}
}

// makeLock makes the lock file. The caller has the mailbox locked by fcntl. The
// file appears with all that is in it, so that what a run that was killed leaves
// can be told from the locks of others.
func makeLock(path string) error {
	if err := dropLock(path); err != nil {
		return err
	}
	// Programs that look for dead owners read a process id on the first line.
	text := strconv.Itoa(os.Getpid()) + "\n" + lockMark()
	temp := lockTemp(path)
	// It may be left from a run that was killed.
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

// lockTemp returns the name of a lock file before it is one.
func lockTemp(path string) string {
	return filepath.Join(filepath.Dir(path), ".extbody-lock."+filepath.Base(path))
}

func createLock(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
	}
	return err
}

// dropLock removes the lock file that a run of the same user which was killed on
// this machine has left. One that lives has the mailbox, old or new, locked by
// fcntl as well, and that lock is the caller's.
func dropLock(path string) error {
	if !hasLocks || !isOurs(path, lockMark()) {
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

// isOurs reports whether the lock file belongs to who runs this program and has
// the mark, which anybody can write.
func isOurs(path, mark string) bool {
	f, err := os.OpenFile(path, openFlags|noFollow, 0) // what is no file is not waited for
	if err != nil {
		return false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || !isOwn(info) {
		return false
	}
	text, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil {
		return false
	}
	_, second, _ := bytes.Cut(text, []byte("\n"))
	return string(second) == mark
}
