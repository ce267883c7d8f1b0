// Package output is where messages and other files go: a file has its name when it is
// whole, and standard output gets nothing before that.
package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/internal/exit"
	"github.com/go-extbody/extbody/internal/unnamed"
)

// A File is where a message or mailbox goes: standard output, or a file. It is
// complete, in a file without a name, before anything of it is to be seen.
type File struct {
	path string    // "" for what is only written to
	w    io.Writer // where the octets go in the end if path is ""
	end  io.Closer // of w; nil if it is not ours
	mode fs.FileMode
	dir  string
	file *unnamed.File // nil as long as nothing was written
}

// errClosed is that of a message that would be written to nobody.
var errClosed = errors.New("standard output is closed")

// Open returns the output for a path; "" and "-" are stdout. A link is followed. A
// file that is there keeps its mode; a new one can be read by its owner alone. What is
// not a file, such as a pipe, is written to.
func Open(path string, stdout io.Writer) (*File, error) {
	o := Scratch()
	if path == "" || path == "-" {
		if wasClosed(stdout) {
			return nil, errClosed
		}
		o.w = stdout
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
		return nil, exit.Mistake(fmt.Errorf("-o %s: a folder, and there is one message or file to write", path))
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

// Scratch returns an output that has no place, for what is read again.
func Scratch() *File { return &File{dir: os.TempDir(), mode: 0o600} }

// At returns the output for a file that is not there, in a folder that is.
func At(path string, mode fs.FileMode) *File {
	return &File{path: path, dir: filepath.Dir(path), mode: mode}
}

// Rename makes name, in the same folder, the one of the output, if nothing has it.
func (o *File) Rename(name string) error {
	o.path = filepath.Join(o.dir, name)
	if _, err := os.Lstat(o.path); err == nil {
		return &fs.PathError{Op: "write", Path: o.path, Err: fs.ErrExist}
	}
	return nil
}

// Name returns the path of the file, "" for what is only written to.
func (o *File) Name() string { return o.path }

// Section returns what was written until now.
func (o *File) Section() (*io.SectionReader, error) {
	size, err := o.file.File.Seek(0, io.SeekEnd)
	return io.NewSectionReader(o.file.File, 0, size), err
}

// Create returns the file to write to, which is empty.
func (o *File) Create() (*os.File, error) {
	o.Discard()
	u, err := unnamed.Open(o.dir)
	if err != nil {
		return nil, err
	}
	if u.Temporary() {
		unnamed.Sweep(o.dir)
	}
	o.file = u
	return u.File, nil
}

// Write implements io.Writer.
func (o *File) Write(p []byte) (int, error) {
	if o.file == nil {
		if _, err := o.Create(); err != nil {
			return 0, err
		}
	}
	return o.file.File.Write(p)
}

// ReadAt implements io.ReaderAt.
func (o *File) ReadAt(p []byte, off int64) (int, error) {
	if o.file == nil {
		return 0, io.EOF
	}
	return o.file.File.ReadAt(p, off)
}

// Commit puts what was written in its place.
func (o *File) Commit(ctx context.Context) error {
	if o.path == "" {
		f := o.file.File
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		return o.send(ctx, f)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err := o.file.Replace(o.path, o.mode)
	if err == nil {
		o.file = nil
	}
	return err
}

// Copy makes the octets of s all of the output.
func (o *File) Copy(ctx context.Context, s *io.SectionReader) error {
	if o.path == "" {
		return o.send(ctx, s)
	}
	f, err := o.Create()
	if err != nil {
		return err
	}
	if err := CopyTo(f, s); err != nil {
		return err
	}
	return o.Commit(ctx)
}

// copySize is how much is copied at a time. Larger writes, and copying within the
// system, were measured to take up to four times as long on ext4.
const copySize = 32 << 10

// CopyTo writes all of r to w.
func CopyTo(w io.Writer, r io.Reader) error {
	_, err := io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{r}, make([]byte, copySize))
	return err
}

// send writes the octets of r to w.
func (o *File) send(ctx context.Context, r io.Reader) error {
	return exit.OrInterrupted(ctx, func() error { return CopyTo(o.w, r) })
}

// Discard removes what has no place yet.
func (o *File) Discard() {
	if o.file != nil {
		o.file.Discard()
		o.file = nil
	}
}

// Close ends the output. Nothing is left of one that was not committed.
func (o *File) Close() error {
	o.Discard()
	if o.end != nil {
		return o.end.Close()
	}
	return nil
}
