package mailbox

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/filelock"
	"github.com/go-extbody/extbody/internal/file/filestate"
)

// newSuffix ends the name of a new message in tmp.
const newSuffix = ".extbody-new"

// Folder returns the Maildir of the message in the file path, or "" if the file is not
// a message in the cur or new folder of one.
func Folder(path string) string { return opener{}.maildirOf(path) }

// A Maildir replaces messages of a Maildir in place.
//
// A new message is written in tmp and replaces the old one by a rename. It keeps the
// name, with its flags, and the time. The sizes that Maildir++ has in names (S= and W=)
// become the sizes of the new message, unless another message has that name. At each moment
// one of the two exists. A backup of each old message is kept in tmp until Close. So a
// program that is killed at any point leaves a whole Maildir, and files in tmp. The next
// OpenMaildir removes these if they are regular files of the caller, or of the owner of
// tmp. It removes a backup only if the old message or the new one is in cur or new. It
// touches nothing else in tmp.
//
// One goroutine at a time may use a Maildir.
type Maildir struct {
	path    string
	lock    *os.File
	backups []string
	subs    map[string]bool // those in which names changed
}

func (d *Maildir) tmp(name string) string { return filepath.Join(d.path, "tmp", name) }

// recover removes the files that a killed run left.
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
	var messages map[uint64]string // path by inode
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if !filestate.IsOwn(info) && !filestate.SameOwner(info, tmp) {
			continue
		}
		if strings.HasSuffix(e.Name(), newSuffix) {
			errs = append(errs, os.Remove(d.tmp(e.Name())))
		}
		if !strings.HasSuffix(e.Name(), BackupSuffix) {
			continue
		}
		if messages == nil {
			messages, err = d.inodes()
			if err != nil {
				return err
			}
		}
		old, hasOld := messages[inode(info)]
		// A later message can have the number of a new one, which has the time of the old one.
		next := messages[inodeOfNew(e.Name())]
		now, err := os.Lstat(next)
		hasNew := err == nil && now.ModTime().Equal(info.ModTime())
		if hasOld && hasNew {
			errs = append(errs, os.Rename(next, old))
		}
		if hasOld || hasNew {
			errs = append(errs, os.Remove(d.tmp(e.Name())))
		}
	}
	return errors.Join(errs...)
}

// inodes returns the paths of the messages by the numbers of their files.
func (d *Maildir) inodes() (map[uint64]string, error) {
	paths := make(map[uint64]string)
	_, err := d.find(func(path string, info os.FileInfo) bool {
		paths[inode(info)] = path
		return false
	})
	delete(paths, 0) // a system without such numbers
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return paths, err
}

// Replace replaces the message m by content, and returns the path that the message has
// now. After an error the message is as it was, even if another program moved it
// meanwhile. The error is fs.ErrNotExist if another program removed it, and [ErrChanged]
// if it changed the octets, or anything at all of a message without [Message.Remember].
func (d *Maildir) Replace(m *Message, content *io.SectionReader) (path string, err error) {
	info, err := m.file.Stat()
	if err != nil {
		return "", err
	}
	temp := d.tmp(rand.Text() + newSuffix)
	size, err := d.write(temp, content, info)
	if err != nil {
		return "", err
	}
	defer os.Remove(temp) // it is gone once it has another name
	next, err := os.Lstat(temp)
	if err != nil {
		return "", err
	}
	backup := d.tmp(backupName(next))
	// Another program moves a message from new to cur, or changes its flags, by
	// renaming it.
	for old, try := m.Path, 0; ; try++ {
		path, err = d.exchange(old, backup, temp, size, info, m)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || try == maxMoves {
			return "", err
		}
		old, err = d.find(same(info))
		if err != nil {
			return "", err
		}
	}
	d.backups = append(d.backups, backup)
	if now, err := os.Lstat(backup); err != nil || links(now) <= links(info) {
		return path, err
	}
	return d.settle(path, info, next)
}

// write writes a new message, with the mode, owner and time of the old one.
func (d *Maildir) write(path string, content *io.SectionReader, like os.FileInfo) (size sizes, err error) {
	err = create(path, 0o600, func(f *os.File) error {
		if _, err := io.CopyBuffer(io.MultiWriter(f, &size), struct{ io.Reader }{content}, make([]byte, copySize)); err != nil {
			return err
		}
		return errors.Join(finish(f, like), os.Chtimes(path, time.Time{}, like.ModTime()))
	})
	return size, err
}

// exchange replaces the message at old by temp, and returns the new path. The old
// message stays as backup.
func (d *Maildir) exchange(old, backup, temp string, size sizes, info os.FileInfo, m *Message) (next string, err error) {
	if now, err := os.Lstat(old); err != nil {
		return "", err
	} else if !os.SameFile(now, info) {
		return "", ErrChanged
	}
	if err := m.file.unchanged(m.sum); err != nil {
		return "", err
	}
	if err := keep(old, backup, m.file, info); err != nil {
		return "", err
	}
	sub := filepath.Dir(old)
	d.subs[sub] = true
	next = filepath.Join(sub, size.name(filepath.Base(old)))
	if next != old {
		// The old message takes the new name first, so that the message never exists
		// twice.
		err = renameNew(old, next)
		if errors.Is(err, fs.ErrExist) {
			next = old
			err = nil // another message has that name
		}
	}
	if err == nil {
		err = os.Rename(temp, next)
		if err != nil && next != old {
			err = errors.Join(err, renameNew(next, old))
		}
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(backup))
	}
	return next, nil
}

// settle deals with a message that another program renamed just before it was replaced,
// so that the old one is beside the new one. It makes the new one, at path, replace the
// old one, and returns its path.
func (d *Maildir) settle(path string, old, next os.FileInfo) (string, error) {
	for range maxMoves {
		there, err := d.find(same(old))
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil // a link elsewhere
		}
		if err != nil {
			return "", err
		}
		path, err := d.find(same(next))
		if errors.Is(err, fs.ErrNotExist) {
			return there, nil // removed by another program
		}
		if err != nil {
			return "", err
		}
		err = os.Rename(path, there)
		if err == nil {
			return there, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return path, nil
}

// find returns the path of the message in cur or new for which is returns true.
func (d *Maildir) find(is func(path string, info os.FileInfo) bool) (string, error) {
	for _, sub := range maildirSubs {
		entries, err := os.ReadDir(filepath.Join(d.path, sub))
		if errors.Is(err, fs.ErrNotExist) {
			continue // an empty folder was lost, as by git
		}
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			path := filepath.Join(d.path, sub, e.Name())
			if info, err := e.Info(); err == nil && is(path, info) {
				return path, nil
			}
		}
	}
	return "", &fs.PathError{Op: "find", Path: d.path, Err: fs.ErrNotExist}
}

// Close syncs the changes to the disk, and then removes the backups.
func (d *Maildir) Close() error {
	var errs []error
	for sub := range d.subs {
		errs = append(errs, atomicfile.SyncFolder(sub))
	}
	if errors.Join(errs...) == nil {
		for _, b := range d.backups {
			errs = append(errs, os.Remove(b))
		}
	}
	return errors.Join(append(errs, d.lock.Close())...)
}

// OpenMaildir starts replacing messages in the Maildir at path. It makes the folder tmp if that is missing. A link
// or a pipe with that name is an error. The error is ErrLocked if another program is replacing messages.
func OpenMaildir(path string) (*Maildir, error) {
	d := &Maildir{path: path, subs: make(map[string]bool)}
	tmp := d.tmp("")
	if err := os.Mkdir(tmp, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	lock, err := openFile(tmp, folderFlags, 0)
	if err != nil {
		return nil, err
	}
	d.lock = lock
	if hasLocks {
		err = filelock.Try(lock)
	}
	if errors.Is(err, filelock.ErrLocked) {
		err = ErrLocked
	}
	if err == nil {
		err = d.recover()
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return d, nil
}

// backupName returns the name of the backup of a message that a new one replaces. It
// has the number of the file of the new one.
func backupName(next os.FileInfo) string {
	return fmt.Sprintf("%x.%s%s", inode(next), rand.Text(), BackupSuffix)
}

// inodeOfNew returns the number of the file that replaces the message with a backup of
// that name, or 0.
func inodeOfNew(name string) uint64 {
	number, _, _ := strings.Cut(name, ".")
	n, _ := strconv.ParseUint(number, 16, 64)
	return n
}

// maxMoves bounds how often Replace looks for a message that another program moves.
const maxMoves = 10

// linkAndRemove is renameNew with two calls.
func linkAndRemove(old, name string) error {
	if err := os.Link(old, name); err != nil {
		return err
	}
	return os.Remove(old)
}

// same is for find: it finds the file a.
func same(a os.FileInfo) func(string, os.FileInfo) bool {
	return func(_ string, b os.FileInfo) bool { return os.SameFile(a, b) }
}

// sizes counts the octets of a message in the way of Maildir++: as they are, and with
// each line end as CRLF.
type sizes struct {
	octets, crlf int64
	lastCR       bool
}

// Write takes the next octets. It never fails.
func (s *sizes) Write(p []byte) (int, error) {
	s.octets += int64(len(p))
	s.crlf += int64(len(p))
	for _, c := range p {
		if c == '\n' && !s.lastCR {
			s.crlf++
		}
		s.lastCR = c == '\r'
	}
	return len(p), nil
}

// name returns the name of a message with its sizes corrected.
func (s *sizes) name(name string) string {
	end := strings.IndexByte(name+":", ':')
	fields := strings.Split(name[:end], ",")
	for i, f := range fields[1:] {
		for prefix, n := range map[string]int64{"S=": s.octets, "W=": s.crlf} {
			if digits, ok := strings.CutPrefix(f, prefix); ok && allDigits(digits) {
				fields[i+1] = prefix + strconv.FormatInt(n, 10)
			}
		}
	}
	return strings.Join(fields, ",") + name[end:]
}

// Sized returns the name that the message at path would have in its Maildir with the
// given content: sizes of Maildir++ in the name become the sizes of content.
func Sized(path string, content io.Reader) (string, error) {
	var s sizes
	_, err := io.Copy(&s, content)
	return s.name(filepath.Base(path)), err
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }
