package mailbox

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// newSuffix ends the name of a new message in tmp.
const newSuffix = ".extbody-new"

// Folder returns the Maildir of the message in the file path, or "" if the file is not
// in the cur or new folder of one.
func Folder(path string) string {
	sub := filepath.Dir(path)
	if base := filepath.Base(sub); base != "cur" && base != "new" {
		return ""
	}
	if dir := filepath.Dir(sub); isMaildir(dir) {
		return dir
	}
	return ""
}

// A Maildir replaces messages of a Maildir in place.
//
// A new message is written in tmp and replaces the old one by a rename. It keeps the
// name, with its flags, and the time. Only the sizes that Maildir++ has in names (S=
// and W=) change. At each moment one of the two exists. A backup of each old message is
// kept in tmp until Close. So a program that is killed at any point leaves a whole
// Maildir, and files in tmp. The next OpenMaildir removes these if they are regular
// files of the caller, or of the owner of tmp. It touches nothing else in tmp.
//
// One goroutine at a time may use a Maildir.
type Maildir struct {
	path    string
	lock    *os.File
	backups []string
	subs    map[string]bool // those in which names changed
}

// OpenMaildir begins replacing messages in the Maildir at path. The error is ErrLocked
// if somebody else is doing that.
func OpenMaildir(path string) (*Maildir, error) {
	d := &Maildir{path: path, subs: make(map[string]bool)}
	tmp := d.tmp("")
	lock, err := os.Open(tmp)
	if err != nil {
		return nil, err
	}
	d.lock = lock
	if err := errors.Join(claim(lock), d.recover()); err != nil {
		lock.Close()
		return nil, err
	}
	return d, nil
}

func (d *Maildir) tmp(name string) string { return filepath.Join(d.path, "tmp", name) }

// recover removes what a killed run left.
func (d *Maildir) recover() error {
	entries, err := os.ReadDir(d.tmp(""))
	if err != nil {
		return err
	}
	tmp, err := d.lock.Stat()
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !isOwn(info) && !sameOwner(info, tmp) {
			continue
		}
		switch name, isBackup := strings.CutSuffix(e.Name(), BackupSuffix); {
		case isBackup:
			_, err := d.settle(name)
			errs = append(errs, err, os.Remove(d.tmp(e.Name())))
		case strings.HasSuffix(e.Name(), newSuffix):
			errs = append(errs, os.Remove(d.tmp(e.Name())))
		}
	}
	return errors.Join(errs...)
}

// Replace replaces the message m by content, and returns the path that the message has
// now. After an error the message is as it was, even if another program moved it
// meanwhile. The error is fs.ErrNotExist if another program removed it.
func (d *Maildir) Replace(m *Message, content *io.SectionReader) (path string, err error) {
	info, err := m.file.Stat()
	if err != nil {
		return "", err
	}
	base := filepath.Base(m.Path)
	temp := d.tmp(base + newSuffix)
	size, err := d.write(temp, content, info)
	if err != nil {
		return "", err
	}
	defer os.Remove(temp) // it is gone once it has another name
	backup := d.tmp(base + BackupSuffix)
	// Another program moves a message from new to cur, or changes its flags, by
	// renaming it.
	for old, try := m.Path, 0; ; try++ {
		if path, err = d.exchange(old, backup, temp, size, info, m.file); err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || try == maxMoves {
			return "", err
		}
		if old, err = d.find(func(name string, i os.FileInfo) bool { return os.SameFile(i, info) }); err != nil {
			return "", err
		}
	}
	d.backups = append(d.backups, backup)
	if now, err := os.Lstat(backup); err != nil || links(now) <= links(info) {
		return path, err
	}
	return d.settle(base)
}

// maxMoves bounds how often Replace looks for a message that another program moves.
const maxMoves = 10

// write writes a new message, with the mode, owner and time of the old one.
func (d *Maildir) write(path string, content *io.SectionReader, like os.FileInfo) (size sizes, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
	if err != nil {
		return size, err
	}
	_, err = io.CopyBuffer(io.MultiWriter(f, &size), struct{ io.Reader }{content}, make([]byte, copySize))
	if err == nil {
		err = finish(f, like)
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Chtimes(path, time.Time{}, like.ModTime())
	}
	if err != nil {
		os.Remove(path)
	}
	return size, err
}

// exchange replaces the message at old by temp, and returns the new path. The old
// message stays as backup.
func (d *Maildir) exchange(old, backup, temp string, size sizes, info os.FileInfo, f io.ReaderAt) (next string, err error) {
	if now, err := os.Lstat(old); err != nil {
		return "", err
	} else if !os.SameFile(now, info) {
		return "", ErrChanged
	}
	if err := keep(old, backup, f, info); err != nil {
		return "", err
	}
	sub := filepath.Dir(old)
	d.subs[sub] = true
	next = filepath.Join(sub, size.name(filepath.Base(old)))
	if next != old {
		// The old message takes the new name first, so that the message never exists
		// twice.
		if err := os.Rename(old, next); err != nil {
			return "", errors.Join(err, os.Remove(backup))
		}
	}
	if err := os.Rename(temp, next); err != nil {
		return "", errors.Join(err, os.Rename(next, old), os.Remove(backup))
	}
	return next, nil
}

// settle deals with a message that another program renamed just before it was replaced.
// Its backup has the name base. If it is in cur or new beside the new message, settle
// makes the new message replace it again. It returns the path of the message.
// returns the path of the message.
func (d *Maildir) settle(base string) (string, error) {
	backup, err := os.Lstat(d.tmp(base + BackupSuffix))
	if err != nil {
		return "", err
	}
	isNew := func(name string, i os.FileInfo) bool {
		return stem(name) == stem(base) && !os.SameFile(i, backup)
	}
	for range maxMoves {
		if links(backup) == 1 {
			break
		}
		old, err := d.find(func(name string, i os.FileInfo) bool { return os.SameFile(i, backup) })
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return "", err
		}
		next, err := d.find(isNew)
		if errors.Is(err, fs.ErrNotExist) {
			return old, nil // it was not replaced yet
		}
		if err != nil {
			return "", err
		}
		if err := os.Rename(next, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if backup, err = os.Lstat(d.tmp(base + BackupSuffix)); err != nil {
			return "", err
		}
	}
	path, err := d.find(isNew)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil // removed by another program
	}
	return path, err
}

// find returns the path of the message in cur or new for which is returns true.
func (d *Maildir) find(is func(name string, info os.FileInfo) bool) (string, error) {
	for _, sub := range maildirSubs {
		entries, err := os.ReadDir(filepath.Join(d.path, sub))
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			if info, err := e.Info(); err == nil && is(e.Name(), info) {
				return filepath.Join(d.path, sub, e.Name()), nil
			}
		}
	}
	return "", &fs.PathError{Op: "find", Path: d.path, Err: fs.ErrNotExist}
}

// Close syncs the changes to the disk and removes the backups.
func (d *Maildir) Close() error {
	var errs []error
	for sub := range d.subs {
		errs = append(errs, atomicfile.SyncFolder(sub))
	}
	for _, b := range d.backups {
		errs = append(errs, os.Remove(b))
	}
	return errors.Join(append(errs, d.lock.Close())...)
}
