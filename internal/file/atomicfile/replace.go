package atomicfile

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/file/filestate"
)

// Replace gives the file the name path and closes it. A file that has that name is
// replaced. The File must be from Open. The file is synced to the disk before, and the
// name after it.
func (f *File) Replace(path string, mode fs.FileMode) error {
	if err := errors.Join(f.Chmod(mode), f.Sync()); err != nil {
		return err
	}
	if f.temp == "" {
		// A link cannot replace a file, so the file gets another name first.
		temp, err := f.linkBeside(path)
		if err != nil {
			return err
		}
		f.temp = temp
	}
	// Some systems cannot rename an open file.
	if err := errors.Join(f.Close(), os.Rename(f.temp, path)); err != nil {
		return err
	}
	f.temp = ""
	return SyncFolder(filepath.Dir(path))
}

// ReplaceFile makes a file with the octets that write writes. It replaces a file of the same
// name, and gives it mode 0600.
func ReplaceFile(path string, write func(io.Writer) error) error {
	return writeThen(path, write, func(f *File) error { return f.Replace(path, 0o600) })
}

// PublishFile makes a file with the octets that write writes, unless something has the name;
// see [File.Publish].
func PublishFile(path string, write func(io.Writer) error) error {
	return writeThen(path, write, func(f *File) error { return f.Publish(path) })
}

func writeThen(path string, write func(io.Writer) error, end func(*File) error) error {
	f, err := Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer f.Discard()
	w := bufio.NewWriterSize(f, 64<<10)
	if err := cmp.Or(write(w), w.Flush()); err != nil {
		return err
	}
	return end(f)
}

// linkBeside gives a file without a name a temporary name beside path. The name is the
// same each time, so that a file that a killed program left is removed, unless it
// belongs to another user.
func (f *File) linkBeside(path string) (string, error) {
	temp := filepath.Join(filepath.Dir(path), Prefix+"new."+filepath.Base(path))
	if err := RemoveOwn(temp); err != nil {
		return "", err
	}
	err := f.names.linkNameless(f.File, temp)
	if errors.Is(err, fs.ErrExist) {
		temp = filepath.Join(filepath.Dir(path), Prefix+chance())
		err = f.names.linkNameless(f.File, temp)
	}
	return temp, err
}

// RemoveOwn removes a file or folder with everything in it, if it exists and belongs to
// the user of this program. It leaves files of others.
func RemoveOwn(path string) error {
	if info, err := os.Lstat(path); err != nil || !filestate.IsOwn(info) {
		return nil
	}
	return os.RemoveAll(path)
}

// leftover is the age from which no program writes to a temporary file.
const leftover = 24 * time.Hour

// Sweep removes temporary files from a folder that programs which were killed left
// there. Only systems without nameless files have such files.
func Sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), Prefix)
		if _, err := strconv.ParseUint(number, 10, 64); !ok || err != nil {
			continue
		}
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > leftover {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
