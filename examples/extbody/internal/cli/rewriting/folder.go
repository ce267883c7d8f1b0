package rewriting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// newFolder writes the contents of a folder, a Maildir or a zip archive to a new folder. The new one gets
// its name after it is complete.
func (w *Run) newFolder(ctx context.Context, path string) (err error) {
	defer func() { err = w.committed(err) }()
	out := filepath.Clean(w.output)
	if _, err := os.Lstat(out); err == nil {
		return exit.Mistake(fmt.Errorf("-o %s: it exists already: name a new folder", w.output))
	}
	if rel, err := filepath.Rel(realPath(path), realPath(filepath.Dir(out))); err == nil && filepath.IsLocal(rel) {
		return exit.Mistake(fmt.Errorf("-o %s: it is inside the PATH: name a folder elsewhere", w.output))
	}
	// A folder of this name is left from a run that was killed.
	temp := filepath.Join(filepath.Dir(out), atomicfile.Prefix+"new."+filepath.Base(out))
	if err := atomicfile.RemoveOwn(temp); err != nil {
		return err
	}
	err = os.Mkdir(temp, 0o700)
	if errors.Is(err, fs.ErrExist) {
		temp, err = os.MkdirTemp(filepath.Dir(out), atomicfile.Prefix+"new.") // a file of another user has that name
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(temp)
		}
	}()
	if err := w.newFiles(ctx, path, temp); err != nil {
		return err
	}
	mode := fs.FileMode(0o700)
	if info, err := os.Stat(path); err != nil {
		return err
	} else if info.IsDir() {
		mode = info.Mode().Perm()
	}
	if err := os.Chmod(temp, mode); err != nil {
		return err
	}
	if err := os.Rename(temp, out); err != nil {
		return err
	}
	return atomicfile.SyncFolder(filepath.Dir(out))
}

// newFiles writes the files below path to their places below temp.
func (w *Run) newFiles(ctx context.Context, path, temp string) error {
	last := ""
	zips := &unzipping{path: path, to: temp}
	walker := &mailbox.Walker{Zips: true}
	for m, err := range walker.Walk(path) {
		_, _, isZipped := mailbox.CutZip(m.Path)
		switch {
		case err != nil && isZipped, errors.Is(err, mailbox.ErrLink), errors.Is(err, mailbox.ErrIrregular):
			w.failed = w.failed || !errors.Is(err, mailbox.ErrNotMail)
			err = w.fail(m, err) // the others are written
		case isForeign(err) && m.Path != path:
			w.failed = w.failed || !errors.Is(err, mailbox.ErrNotMail)
			err = errors.Join(w.fail(m, err), asItIs(ctx, m.Path, path, temp))
		case err == nil && isZipped:
			err = w.unzipped(ctx, m, zips)
		case err == nil && m.Compressed && m.Path != last:
			last = m.Path
			w.failed = true
			err = errors.Join(w.fail(m, mailbox.ErrCompressed), asItIs(ctx, m.Path, path, temp))
		case err == nil && (m.Path != last || mailbox.Folder(m.Path) != ""):
			last = m.Path
			err = w.newFile(ctx, m, path, temp)
		}
		m.Close()
		if ctx.Err() != nil {
			return exit.ErrInterrupted
		}
		if err != nil {
			return err // a mailbox that lacks a message is not a copy
		}
	}
	return nil
}

// isForeign reports whether a file is copied as it is, since no message of it can be read.
func isForeign(err error) bool {
	return errors.Is(err, mailbox.ErrNotMail) || errors.Is(err, mailbox.ErrUnread) || errors.Is(err, mailbox.ErrCR)
}

// realPath returns the absolute path of a folder, without symbolic links if it exists.
func realPath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return path
}

// placeBelow returns the place below to for the file old, which is below root. It makes
// the folders.
func placeBelow(old, root, to string) (string, error) {
	rel, err := filepath.Rel(root, old)
	if err != nil {
		return "", err
	}
	path := filepath.Join(to, rel)
	if mailbox.Folder(old) == "" {
		return path, os.MkdirAll(filepath.Dir(path), 0o700)
	}
	for _, sub := range []string{"cur", "new", "tmp"} {
		if err := os.MkdirAll(filepath.Join(filepath.Dir(path), "..", sub), 0o700); err != nil {
			return "", err
		}
	}
	return path, nil
}

// asItIs copies a file that need not be rewritten.
func asItIs(ctx context.Context, old, root, to string) error {
	src, err := os.Open(old)
	if err != nil {
		return err
	}
	defer src.Close()
	info, err := src.Stat()
	if err != nil {
		return err
	}
	return place(ctx, old, root, to, src, info, func(*output.File) (bool, error) { return false, nil })
}

// newFile writes the file of a message, which is below root, to its place below to.
func (w *Run) newFile(ctx context.Context, m *mailbox.Message, root, to string) error {
	src, info, err := m.File()
	if err != nil {
		return err
	}
	return place(ctx, m.Path, root, to, src, info, func(o *output.File) (changed bool, err error) {
		if mailbox.Folder(m.Path) == "" {
			return mailbox.Write(o, m.Path, src, info.Size(), w.inMailbox(ctx), w.refused)
		}
		content, err := w.inMailbox(ctx)(m)
		if content == nil || err != nil {
			return false, err
		}
		return true, putMessage(o, m.Path, content)
	})
}

// place writes the file old, which is below root, to its place below to. rewrite writes
// the new octets, or reports that the ones in src stay.
func place(
	ctx context.Context, old, root, to string, src io.ReaderAt, info os.FileInfo, rewrite func(*output.File) (changed bool, err error),
) error {
	path, err := placeBelow(old, root, to)
	if err != nil {
		return err
	}
	o := output.At(path, info.Mode().Perm())
	defer o.Close()
	changed, err := rewrite(o)
	if err == nil {
		err = put(ctx, o, changed, io.NewSectionReader(src, 0, info.Size()))
	}
	if err != nil {
		return err
	}
	return os.Chtimes(o.Name(), time.Time{}, info.ModTime())
}

// putMessage makes content the whole output, under the name that a Maildir requires for
// it.
func putMessage(o *output.File, old string, content *io.SectionReader) error {
	name, err := mailbox.Sized(old, content)
	if err != nil {
		return err
	}
	if err := o.Rename(name); err != nil {
		return err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	f, err := o.Create()
	if err != nil {
		return err
	}
	return output.CopyTo(f, content)
}
