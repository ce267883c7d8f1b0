package mailbox

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/unnamed"
)

// newSuffix ends the name of a new message in tmp.
const newSuffix = ".extbody-new"

// Folder returns the Maildir that the file path is a message of, "" if it is in
// the cur or new of none.
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
// A new message is written in tmp and takes the place of the old one by a rename:
// under the same name, with its flags and time, but for the sizes that Maildir++
// has in names (S= and W=). At each moment there is one of the two. A backup of
// each old message is kept in tmp until Close. So a program that is killed, at any
// point, leaves a whole Maildir, and in tmp files that the next OpenMaildir
// removes if they are regular files of who calls, or of the owner of tmp; of others
// it touches nothing in tmp.
//
// A Maildir is for one goroutine.
type Maildir struct {
	path    string
	lock    *os.File
	backups []string
	subs    map[string]bool // where names changed
}

// OpenMaildir begins replacing in the Maildir at path. It is an error, ErrLocked,
// if that is being done already.
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

// recover removes what a run that was killed has left.
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

// Replace puts content in the place of the message m, and returns the path that
// the message has now. An error leaves the message as it was, wherever another
// program has moved it to meanwhile; it is fs.ErrNotExist if that has removed it.
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
	defer os.Remove(temp) // once it has another name there is nothing to remove
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

// maxMoves bounds how often a message is looked for that another program moves.
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

// exchange puts temp in the place of the message at old, which stays as backup,
// and returns its path.
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
		// The old message takes the new name first: it is never there twice.
		if err := os.Rename(old, next); err != nil {
			return "", errors.Join(err, os.Remove(backup))
		}
	}
	if err := os.Rename(temp, next); err != nil {
		return "", errors.Join(err, os.Rename(next, old), os.Remove(backup))
	}
	return next, nil
}

// settle looks whether the message, of which there is a backup under the name
// base, is in cur or new beside the one that replaced it, because another program
// renamed it in the moment before. If so the new one takes its place again. It
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

// find returns the path of the message in cur or new that is returns true for.
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

// Close puts the changes on the disk and removes the backups.
func (d *Maildir) Close() error {
	var errs []error
	for sub := range d.subs {
		errs = append(errs, unnamed.SyncFolder(sub))
	}
	for _, b := range d.backups {
		errs = append(errs, os.Remove(b))
	}
	return errors.Join(append(errs, d.lock.Close())...)
}
