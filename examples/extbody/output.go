package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// An output is where a message or mailbox goes: standard output, or a file. It is
// complete, in a file without a name, before anything of it is to be seen.
type output struct {
	path string    // "" for what is only written to
	w    io.Writer // where the octets go in the end if path is ""
	end  io.Closer // of w; nil if it is not ours
	mode fs.FileMode
	dir  string
	file *unnamed // nil as long as nothing was written
}

// newOutput returns the output for a path; "" and "-" are standard output. A link
// is followed. A file that is there keeps its mode; a new one can be read by its
// owner alone. What is no file, a pipe for one, is written to.
func (a *app) newOutput(path string) (*output, error) {
	o := &output{dir: os.TempDir(), mode: 0o600}
	if path == "" || path == "-" {
		o.w = a.out
		return o, nil
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, usageError{fmt.Errorf("-o %s: a folder, and there is one message or file to write", path)}
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		o.w, o.end = f, f
		return o, nil
	default:
		o.mode = info.Mode().Perm()
	}
	o.path, o.dir = path, filepath.Dir(path)
	return o, nil
}

// create returns the file to write to, which is empty.
func (o *output) create() (*os.File, error) {
	o.discard()
	u, err := openUnnamed(o.dir)
	if err != nil {
		return nil, err
	}
	if u.temp != "" {
		sweep(o.dir)
	}
	o.file = u
	return u.file, nil
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	if o.file == nil {
		if _, err := o.create(); err != nil {
			return 0, err
		}
	}
	return o.file.file.Write(p)
}

// ReadAt implements io.ReaderAt.
func (o *output) ReadAt(p []byte, off int64) (int, error) {
	if o.file == nil {
		return 0, io.EOF
	}
	return o.file.file.ReadAt(p, off)
}

// commit puts what was written in its place.
func (o *output) commit(ctx context.Context) error {
	if o.path == "" {
		f := o.file.file
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		return o.send(ctx, f)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err := o.file.over(o.path, o.mode)
	if err == nil {
		o.file = nil
	}
	return err
}

// copy makes the octets of s all of the output.
func (o *output) copy(ctx context.Context, s *io.SectionReader) error {
	if o.path == "" {
		return o.send(ctx, s)
	}
	f, err := o.create()
	if err != nil {
		return err
	}
	if err := copyTo(f, s); err != nil {
		return err
	}
	return o.commit(ctx)
}

// copySize is how much is copied at a time. Larger writes, and copying within the
// system, were measured to take up to four times as long on ext4.
const copySize = 32 << 10

// copyTo writes all of r to w.
func copyTo(w io.Writer, r io.Reader) error {
	_, err := io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{r}, make([]byte, copySize))
	return err
}

// send writes the octets of r to w.
func (o *output) send(ctx context.Context, r io.Reader) error {
	return orInterrupted(ctx, func() error { return copyTo(o.w, r) })
}

// discard removes what has no place yet.
func (o *output) discard() {
	if o.file != nil {
		o.file.discard()
		o.file = nil
	}
}

// close ends the output. Nothing is left of one that was not committed.
func (o *output) close() error {
	o.discard()
	if o.end != nil {
		return o.end.Close()
	}
	return nil
}

// over gives the file the name path, in the place of what has that name, and
// closes it. The file is on the disk before, and the name behind it.
func (u *unnamed) over(path string, mode fs.FileMode) error {
	if err := errors.Join(u.file.Chmod(mode), u.file.Sync()); err != nil {
		return err
	}
	if u.temp == "" {
		// A link replaces nothing, so it takes another name first. What has that
		// name is left from a program that was killed here.
		temp := filepath.Join(filepath.Dir(path), ".extbody-new."+filepath.Base(path))
		if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := linkNameless(u.file, temp); err != nil {
			return err
		}
		u.temp = temp
	}
	if err := os.Rename(u.temp, path); err != nil {
		return err
	}
	u.temp = ""
	return errors.Join(u.file.Close(), syncFolder(filepath.Dir(path)))
}

// syncFolder puts the names in a folder on the disk, where the system can.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, d.Close())
}

// tempPrefix begins the names of temporary files.
const tempPrefix = ".extbody-"

// leftover is how old a temporary file is that nobody writes any more.
const leftover = 24 * time.Hour

// sweep removes from a folder what programs that were killed have left in it:
// temporary files, where the system cannot do without their names.
func sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), tempPrefix)
		if _, err := strconv.ParseUint(number, 10, 64); !ok || err != nil {
			continue
		}
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > leftover {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
