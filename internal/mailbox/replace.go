package mailbox

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Errors of mailboxes that other programs use. Nothing was changed.
var (
	// ErrChanged is the error of a mailbox that another program changed while it
	// was read: what was found in it is where it was found no more.
	ErrChanged = errors.New("another program changed the mailbox meanwhile")

	// ErrLocked is the error of a mailbox that another program holds locked, or
	// that is being replaced already.
	ErrLocked = errors.New("another program has locked the mailbox")
)

// BackupSuffix is what the name of a mailbox has behind it while a backup of it
// is kept.
const BackupSuffix = ".extbody-backup"

// newPrefix begins the name of a new mailbox before it takes the place of the old
// one.
const newPrefix = ".extbody-new."

// Replace writes the mailbox in the file path as [Write] does, and puts it in the
// place of that file. It does nothing if no message is replaced.
//
// The new mailbox is a file of its own beside the old one, with its mode and
// owner, and takes its name when it is on the disk. Until then the old one is not
// touched, and a backup of it is kept to the end under its name with
// [BackupSuffix]. So a program that is killed, at any point, leaves a whole
// mailbox, and at most files that the next call for that path removes.
//
// The mailbox is locked at the end alone, when everything is fetched and written,
// for as long as the names change: by fcntl where the system has it, and by a
// file with its name and ".lock". Replace waits up to wait for the locks of
// others. A mailbox whose size, time or file is not what it was when reading
// began is left as it is, with ErrChanged.
//
// A link is followed. Replace may be called from several goroutines and programs
// at once: one at a time replaces a mailbox, the others get ErrLocked.
func Replace(ctx context.Context, path string, wait time.Duration, replace ReplaceFunc) (changed bool, err error) {
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return false, err
	}
	p := &replacement{path: path, temp: filepath.Join(filepath.Dir(path), newPrefix+filepath.Base(path))}
	defer p.close()
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	if !info.Mode().IsRegular() {
		return false, &fs.PathError{Op: "open", Path: path, Err: errIrregular}
	}
	// It is opened for writing since that is what a lock of fcntl wants.
	if p.old, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
		return false, err
	}
	if err := p.recover(); err != nil {
		return false, err
	}
	if p.before, err = p.old.Stat(); err != nil {
		return false, err
	}
	changed, err = Write(p, path, p.old, p.before.Size(), replace)
	if !changed || err != nil {
		return false, err
	}
	if err := finish(p.new, p.before); err != nil {
		return false, err
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	return true, p.publish(ctx, wait)
}

// A replacement is a call of Replace. It is the File that is written, which is
// made with the first octet.
type replacement struct {
	path, temp string
	old        *os.File
	before     os.FileInfo
	new        *os.File // nil if nothing was written
	published  bool
}

// recover removes what a call that was killed has left.
func (p *replacement) recover() error {
	backup, lock := p.path+BackupSuffix, lockName(p.path)
	if exists(p.temp) || exists(backup) {
		// Whoever has the new file holds it claimed, so that work in progress is
		// not taken for what was left.
		if err := p.create(); err != nil {
			return err
		}
		defer p.drop()
		// The backup is the old mailbox, whether the new one took its place or
		// not.
		if err := os.Remove(backup); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if !exists(lock) && !exists(lockTemp(lock)) || lockFile(p.old) != nil {
		return nil
	}
	defer unlockFile(p.old)
	if err := os.Remove(lockTemp(lock)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	now, err := os.Lstat(p.path)
	if err != nil {
		return err
	}
	if info, err := p.old.Stat(); err != nil || !os.SameFile(info, now) {
		return err // its lock tells nothing any more
	}
	return dropLock(lock)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// create makes the new file, and locks it.
func (p *replacement) create() error {
	for {
		// The folder may be one that others write to, such as /var/mail: what they
		// put there under this name is not written to.
		if info, err := os.Lstat(p.temp); err == nil && (!info.Mode().IsRegular() || links(info) > 1) {
			return &fs.PathError{Op: "create", Path: p.temp, Err: fs.ErrExist}
		}
		f, err := os.OpenFile(p.temp, os.O_RDWR|os.O_CREATE|noFollow, 0o600)
		if err != nil {
			return err
		}
		if err := claim(f); err != nil {
			f.Close()
			return err
		}
		// Another call may have removed or published it before the lock.
		if info, err := f.Stat(); err == nil {
			if now, err := os.Lstat(p.temp); err == nil && os.SameFile(info, now) {
				p.new = f
				return f.Truncate(0)
			}
		}
		f.Close()
	}
}

// drop removes the new file.
func (p *replacement) drop() {
	if p.new == nil {
		return
	}
	if !p.published {
		os.Remove(p.temp)
	}
	p.new.Close()
	p.new = nil
}

func (p *replacement) close() {
	p.drop()
	if p.old != nil {
		p.old.Close()
	}
}

// Write implements io.Writer.
func (p *replacement) Write(b []byte) (int, error) {
	if p.new == nil {
		if err := p.create(); err != nil {
			return 0, err
		}
	}
	return p.new.Write(b)
}

// ReadAt implements io.ReaderAt.
func (p *replacement) ReadAt(b []byte, off int64) (int, error) {
	if p.new == nil {
		return 0, io.EOF
	}
	return p.new.ReadAt(b, off)
}

// publish puts the new file in the place of the old one.
func (p *replacement) publish(ctx context.Context, wait time.Duration) error {
	unlock, err := lockMailbox(ctx, p.path, p.old, wait)
	if err != nil {
		return err
	}
	defer unlock()
	now, err := os.Lstat(p.path)
	if err != nil {
		return err
	}
	if !os.SameFile(p.before, now) || now.Size() != p.before.Size() || !now.ModTime().Equal(p.before.ModTime()) {
		return ErrChanged
	}
	backup := p.path + BackupSuffix
	if err := keep(p.path, backup, p.old, p.before); err != nil {
		return err
	}
	// A program that waits for the lock of the old file finds the new one locked
	// as well, as long as the lock file is there.
	if err := lockFile(p.new); err != nil {
		return errors.Join(err, os.Remove(backup))
	}
	if err := os.Rename(p.temp, p.path); err != nil {
		return errors.Join(err, os.Remove(backup))
	}
	p.published = true
	err = syncFolder(filepath.Dir(p.path))
	return errors.Join(err, os.Remove(backup))
}

// finish gives a new file the mode and owner of the one it is for, and puts it on
// the disk.
func finish(f *os.File, like os.FileInfo) error {
	if err := sameOwner(f, like); err != nil {
		return err
	}
	// The mode comes last, since changing the owner may change it.
	if err := f.Chmod(like.Mode().Perm()); err != nil {
		return err
	}
	return f.Sync()
}

// keep makes backup another name of path. Where the file system has no links it
// makes a copy of f, which is path.
func keep(path, backup string, f io.ReaderAt, info os.FileInfo) error {
	err := os.Link(path, backup)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		return err
	}
	c, err := os.OpenFile(backup, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(c, io.NewSectionReader(f, 0, info.Size()))
	if err == nil {
		err = finish(c, info)
	}
	if err = errors.Join(err, c.Close()); err != nil {
		os.Remove(backup)
	}
	return err
}
