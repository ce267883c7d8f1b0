// Package output writes messages and other files. A file gets its name after it is
// whole, and standard output gets nothing before that.
package output

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// A File is the destination of a message or mailbox: standard output, or a file. It is
// complete, in a file without a name, before anybody can see a part of it.
type File struct {
	path string    // "" for a destination that can only be written to
	w    io.Writer // the destination if path is ""
	end  io.Closer // of w; nil if it is not ours
	mode fs.FileMode
	file *atomicfile.File // nil until something is written
}

// Open returns the output for a path; "" and "-" mean stdout. It follows links. An
// existing file keeps its mode; only its owner can read a new one. A destination that
// is not a file, such as a pipe, is written to.
func Open(path string, stdout io.Writer) (*File, error) {
	o := Scratch()
	if path == "" || path == "-" {
		if Closed(stdout) {
			return nil, ErrClosed // the message would be lost
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
		return nil, exit.Mistake(fmt.Errorf("-o %s: it is a folder: name the one file to write", path))
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		o.w = f
		o.end = f
		return o, nil
	default:
		o.mode = info.Mode().Perm()
	}
	o.path = path
	return o, nil
}

// Scratch returns an output without a destination, for octets that are read again.
func Scratch() *File { return &File{mode: 0o600} }

// At returns the output for a file that does not exist, in a folder that does.
func At(path string, mode fs.FileMode) *File { return &File{path: path, mode: mode} }

// Rename gives the file of the output another name, in the same folder, if nothing has
// that name.
func (o *File) Rename(name string) error {
	o.path = filepath.Join(filepath.Dir(o.path), name)
	if _, err := os.Lstat(o.path); err == nil {
		return &fs.PathError{Op: "write", Path: o.path, Err: fs.ErrExist}
	}
	return nil
}

// Name returns the path of the file, or "" if the destination can only be written to.
func (o *File) Name() string { return o.path }

// Section returns the octets that were written so far.
func (o *File) Section() (*io.SectionReader, error) {
	size, err := o.file.File.Seek(0, io.SeekEnd)
	return io.NewSectionReader(o.file.File, 0, size), err
}

// Create returns the file to write to, empty.
func (o *File) Create() (*os.File, error) {
	o.Discard()
	open := atomicfile.Open
	dir := filepath.Dir(o.path)
	if o.path == "" {
		open = atomicfile.Temp
		dir = os.TempDir()
	}
	u, err := open(dir)
	if err != nil {
		return nil, err
	}
	if u.Temporary() {
		atomicfile.Sweep(dir)
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

// Commit syncs the output and puts it in its place.
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

// Copy makes the octets of s the whole output.
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

// copySize is how much is copied at a time. Larger writes, and copies within the
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

// Discard removes output that was not committed.
func (o *File) Discard() {
	if o.file != nil {
		o.file.Discard()
		o.file = nil
	}
}

// Close ends the output. Nothing remains of an output that was not committed.
func (o *File) Close() error {
	o.Discard()
	if o.end != nil {
		return o.end.Close()
	}
	return nil
}

// ErrClosed is the error of a command whose product goes to a standard output that was closed when the
// program started: a message or a body would be lost. A null device that is open for reading as well
// counts as closed, because the two look the same: "> /dev/null" of a shell is open for writing only, but
// DEVNULL or "ignore" of some languages is not.
//
// Lines about files elsewhere, and answers that a program throws away on purpose, are no product: other
// commands write to it and go on.
var ErrClosed = errors.New("standard output is closed, or is a null device that is open for reading too: use a file, a pipe or >/dev/null")

// A Standard is standard output. It keeps the first error, so that a command whose output
// was lost does not end with status 0. It may be used by several goroutines at once.
type Standard struct {
	w      io.Writer
	closed bool

	mu  sync.Mutex
	err error
}

// NewStandard returns w as standard output.
func NewStandard(w io.Writer) *Standard { return &Standard{w: w, closed: wasClosed(w)} }

// Write implements [io.Writer].
func (s *Standard) Write(p []byte) (n int, err error) {
	n, err = s.w.Write(p)
	// A reader that goes away ends the program, unless a command takes care of that.
	if err != nil && !IsBrokenPipe(err) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.err = cmp.Or(s.err, err)
	}
	return n, err
}

// Err returns the first error of a Write.
func (s *Standard) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Fd returns the file descriptor, or ^uintptr(0) if the output is not a file.
func (s *Standard) Fd() uintptr {
	if f, ok := s.w.(*os.File); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// Closed reports whether w is a Standard that was closed when the program started, so that a command
// with a product ends with ErrClosed.
func Closed(w io.Writer) bool {
	s, ok := w.(*Standard)
	return ok && s.closed
}

// MakeFolder makes a folder and those above it, where they are missing, and syncs their
// names to the disk.
func MakeFolder(path string) error {
	path = filepath.Clean(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(path)
	if parent != path {
		if err := MakeFolder(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, 0o700); errors.Is(err, fs.ErrExist) {
		return os.MkdirAll(path, 0o700) // it may have been made meanwhile
	} else if err != nil {
		return err
	}
	return atomicfile.SyncFolder(parent)
}
