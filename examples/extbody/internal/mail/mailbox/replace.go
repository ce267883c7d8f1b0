package mailbox

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/filelock"
	"github.com/go-extbody/extbody/internal/file/filestate"
)

// ErrBackup is the error of a mailbox whose backup may hold messages that the mailbox
// lacks: another program still writes to the old mailbox, or did so after a call of
// Replace was killed. The backup stays.
var ErrBackup = errors.New("the backup of the mailbox may hold messages that it lacks: compare them, and remove the backup")

// newPrefix starts the name of a new mailbox until it replaces the old one.
const newPrefix = ".extbody-new."

// Replace writes the mailbox in the file path as [Write] does, and replaces that file
// by the result. It does nothing if no message is replaced.
//
// The new mailbox is a separate file beside the old one, with its mode and owner. It
// gets the name of the old one after it is on the disk. Until then the old one is not
// touched, and a backup of it is kept to the end under its name with [BackupSuffix]. So
// a program that is killed at any point leaves a whole mailbox, and at most files that
// the next call for that path removes. A backup is removed when the mailbox is known to
// hold its messages or their replacements; otherwise it stays, with the error ErrBackup.
//
// The mailbox is locked only at the end, when everything has been fetched and written,
// for as long as the names change: by fcntl where the system has it, and by a file with
// its name and ".lock". Replace waits up to wait for the locks of others. If anything
// about the file changed after reading started, the mailbox stays as it is, and the error
// is ErrChanged. A program that opened the old mailbox before the exchange and waited
// for its lock appends to the old file: Replace moves that to the new one.
//
// The folder may be one that others write to, such as /var/mail. The new mailbox is
// always a file that this call made. A file with one of the names that Replace uses is
// removed only if it is a regular file of the mailbox's owner, or of the caller.
// Anything else is an error that is fs.ErrExist, or ErrLocked for a lock file.
//
// Replace follows links. Several goroutines and programs may call it at once: one at a
// time replaces a mailbox, and the others get ErrLocked.
func Replace(ctx context.Context, path string, wait time.Duration, replace ReplaceFunc, refuse RefuseFunc) (changed bool, err error) {
	path, err = filepath.EvalSymlinks(path)
	if err != nil {
		return false, err
	}
	p := &replacement{path: path, temp: filepath.Join(filepath.Dir(path), newPrefix+filepath.Base(path))}
	defer p.close()
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	if !info.Mode().IsRegular() {
		return false, &fs.PathError{Op: "open", Path: path, Err: ErrIrregular}
	}
	// It is opened for writing because a lock of fcntl requires that.
	p.old, err = openFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return false, err
	}
	p.before, err = p.old.Stat()
	if err != nil {
		return false, err
	}
	if !os.SameFile(info, p.before) {
		return false, ErrChanged
	}
	if err := p.recover(); err != nil {
		return false, err
	}
	p.state, err = filestate.Stat(p.old)
	if err != nil { // recover may have changed it
		return false, err
	}
	p.before = p.state.Info()
	changed, err = Write(p, path, p.old, p.before.Size(), replace, refuse)
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

// A replacement is a call of Replace. It is the File that is written, and makes the
// file with the first octet.
type replacement struct {
	path, temp string
	old        *os.File
	before     os.FileInfo
	state      filestate.State // when reading started
	new        *os.File        // nil if nothing was written
	published  bool
}

// recover removes the files that a killed call has left.
func (p *replacement) recover() error {
	backup := p.path + BackupSuffix
	lock := lockName(p.path)
	if exists(backup) {
		// A call holds its new file claimed, so that work in progress is not taken for
		// a leftover.
		if err := p.create(); err != nil {
			return err
		}
		defer p.drop()
		if err := p.restore(backup, lock); err != nil {
			return err
		}
	} else if err := p.clear(); err != nil {
		return err
	}
	if !exists(lock) && !exists(lockTemp(lock)) || lockFile(p.old) != nil {
		return nil
	}
	defer unlockFile(p.old)
	if err := removeOwn(lockTemp(lock)); err != nil {
		return err
	}
	now, err := os.Lstat(p.path)
	if err != nil {
		return err
	}
	if !os.SameFile(p.before, now) {
		return nil // its lock is out of date
	}
	return dropLock(lock)
}

// restore removes the backup that a killed call has left, after its mailbox is known to
// hold its messages. The lock file of that call has the size of the old mailbox.
func (p *replacement) restore(backup, lock string) error {
	info, err := os.Lstat(backup)
	switch {
	case err != nil:
		return err
	case !p.isLeft(info):
		return taken(backup)
	case os.SameFile(info, p.before), info.Size() == 0: // it was not replaced yet
		return remove(backup)
	}
	size, ok := lockedSize(lock)
	if !ok {
		size, ok = lockedSize(lockTemp(lock))
	}
	if !ok {
		return &fs.PathError{Op: "remove", Path: backup, Err: ErrBackup}
	}
	if info.Size() > size {
		old, err := openFile(backup, openFlags, 0)
		if err != nil {
			return err
		}
		defer old.Close()
		if err := lockFile(p.old); err != nil {
			return err
		}
		defer unlockFile(p.old)
		if err := appendFrom(p.old, old, size); err != nil {
			return err
		}
	}
	return remove(backup)
}

// appendFrom appends the octets of old from size on to f, which is open for appending,
// and syncs it.
func appendFrom(f, old *os.File, size int64) error {
	info, err := old.Stat()
	if err != nil || info.Size() <= size {
		return err
	}
	if _, err := io.Copy(f, io.NewSectionReader(old, size, info.Size()-size)); err != nil {
		return err
	}
	return f.Sync()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// remove removes a file if it is there.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// removeOwn removes a file with a name of ours, if it belongs to the user of this
// program. If it does not, that is an error.
func removeOwn(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !filestate.IsOwn(info):
		return taken(path)
	}
	return remove(path)
}

// taken is the error of a name of ours that something else has.
func taken(path string) error {
	return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
}

// isLeft reports whether a call for this mailbox may have left a file with a name of
// ours. Such a call makes a new file, and gives it the mailbox's owner.
func (p *replacement) isLeft(info os.FileInfo) bool {
	return info.Mode().IsRegular() && (filestate.IsOwn(info) || filestate.SameOwner(info, p.before))
}

// clear removes a new file that a call which was killed has left.
func (p *replacement) clear() error {
	info, err := os.Lstat(p.temp)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !p.isLeft(info) || links(info) > 1:
		return taken(p.temp)
	}
	f, err := openFile(p.temp, openFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrLocked // another call has just removed or published it
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := p.claim(f); err != nil {
		return err
	}
	return remove(p.temp)
}

// claim marks f, the new file, as in use. It returns ErrLocked if another call uses it,
// or has removed or published it.
func (p *replacement) claim(f *os.File) error {
	if err := filelock.Try(f); errors.Is(err, filelock.ErrLocked) {
		return ErrLocked
	} else if err != nil {
		return err
	}
	return p.isNew(f)
}

// isNew returns ErrLocked if f no longer has the name of the new file.
func (p *replacement) isNew(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if now, err := os.Lstat(p.temp); err != nil || !os.SameFile(info, now) {
		return ErrLocked
	}
	return nil
}

// create makes the new file, and claims it. It never takes an existing file: files that
// others put there is neither written to nor published.
func (p *replacement) create() error {
	if err := p.clear(); err != nil {
		return err
	}
	f, err := openFile(p.temp, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return ErrLocked // another call was faster
	}
	if err != nil {
		return err
	}
	if err := p.claim(f); err != nil {
		f.Close()
		return err
	}
	p.new = f
	return nil
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

// publish puts the new file instead of the old one.
func (p *replacement) publish(ctx context.Context, wait time.Duration) error {
	unlock, err := lockMailbox(ctx, p.path, p.old, p.before.Size(), wait)
	if err != nil {
		return err
	}
	defer unlock()
	now, err := os.Lstat(p.path)
	if err != nil {
		return err
	}
	if !p.state.Same(filestate.Of(now)) {
		return ErrChanged
	}
	backup := p.path + BackupSuffix
	if err := keep(p.path, backup, p.old, p.before); err != nil {
		return err
	}
	// A program that waits for the lock of the old file finds the new one locked as
	// well, as long as the lock file exists.
	if err := lockFile(p.new); err != nil {
		return errors.Join(err, os.Remove(backup))
	}
	err = p.isNew(p.new)
	if err == nil {
		if !hasLocks { // and open files cannot be renamed
			p.new.Close()
			p.old.Close()
		}
		err = os.Rename(p.temp, p.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(backup))
	}
	p.published = true
	if err := atomicfile.SyncFolder(filepath.Dir(p.path)); err != nil {
		return err
	}
	if !hasLocks {
		return remove(backup)
	}
	return p.bringOver(backup)
}

const (
	// lateWait bounds how long a program that has the old mailbox open for writing is
	// waited for. Those that deliver mail look for a lock again after a second.
	lateWait = 5 * time.Second

	// lateTurn is the time for such a program where the system does not report whether
	// there is one.
	lateTurn = 500 * time.Millisecond

	latePause = 10 * time.Millisecond
)

// bringOver waits for the programs that opened the old mailbox before it was replaced.
// It moves the octets that they append there to the new mailbox, which is locked, and removes the
// backup.
func (p *replacement) bringOver(backup string) error {
	old, err := openFile(backup, openFlags, 0)
	if err != nil {
		return err
	}
	defer old.Close()
	if info, err := old.Stat(); err != nil {
		return err
	} else if !os.SameFile(info, p.before) {
		return remove(backup) // a copy, on a file system without links
	}
	// They may wait for the lock file, too. It keeps the size for restore.
	lock := lockName(p.path)
	if err := os.Rename(lock, lockTemp(lock)); err != nil {
		return err
	}
	defer os.Remove(lockTemp(lock))
	p.old.Close() // which ends the lock
	begin := time.Now()
	for {
		written, known := hasWriter(old)
		if waited := time.Since(begin); known && !written || !known && waited > lateTurn {
			if err := appendFrom(p.new, old, p.before.Size()); err != nil {
				return err
			}
			return remove(backup)
		} else if waited > lateWait {
			err := appendFrom(p.new, old, p.before.Size())
			return errors.Join(err, &fs.PathError{Op: "remove", Path: backup, Err: ErrBackup})
		}
		time.Sleep(latePause)
	}
}

// finish gives a new file the mode and owner of like, and syncs it to the disk.
func finish(f *os.File, like os.FileInfo) error {
	if err := giveOwner(f, like); err != nil {
		return err
	}
	// The mode comes last, since changing the owner may change it.
	if err := f.Chmod(like.Mode().Perm()); err != nil {
		return err
	}
	return f.Sync()
}

// keep makes backup another name of path. If the file system has no links, it makes a
// copy of f, which is the file at path.
func keep(path, backup string, f io.ReaderAt, info os.FileInfo) error {
	err := os.Link(path, backup)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		return err
	}
	return create(backup, 0o600, func(c *os.File) error {
		if _, err := io.Copy(c, io.NewSectionReader(f, 0, info.Size())); err != nil {
			return err
		}
		return errors.Join(finish(c, info), os.Chtimes(backup, time.Time{}, info.ModTime()))
	})
}

// create makes a file and writes it. If that fails, no file is left.
func create(path string, mode fs.FileMode, write func(*os.File) error) error {
	f, err := openFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Close())
	if err != nil {
		os.Remove(path)
	}
	return err
}
