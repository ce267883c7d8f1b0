package mailbox

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Walk yields the messages of a file, a Maildir, or a folder of them.
//
// The entries of a folder come in the order of their names, and the entries of a folder in it
// at its place. The messages of a Maildir come in the order of their unique names,
// whether they are in cur or in new, so that reading a message does not move it.
// Messages in tmp have not arrived. The Maildirs within a Maildir follow. Links to
// files are followed, links to folders are not. Walk passes over anything that is
// neither a file nor a folder, over files and folders whose names begin with a dot,
// except for Maildirs, and over the backups of [Replace].
//
// If another program changes a file meanwhile, the file ends with [ErrChanged]. If it
// has only grown, the messages that were there are yielded. If another program renames
// a message of a Maildir, for example when its flags change, it is found under its new
// name.
//
// A file in gzip, zlib, bzip2 or zstd, as cron and the zlib plugin of Dovecot write
// them, is read as its contents. It is first inflated to a temporary file: up to 64
// MiB, and beyond that up to 250 times its size ([ErrInflated]). A file that holds no
// mail is [ErrNotMail], or [ErrUnread] in a Maildir.
//
// An error concerns one file or folder, and the sequence goes on with the next. It
// comes with a Message that has only Path and Index. A path that names neither a file
// nor a folder is an error.
//
// The receiver must close each Message. A Message may be read and closed in any
// goroutine, also after the end of the sequence.
func Walk(path string) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		w := walker{yield: yield}
		w.walk(path)
	}
}

var errIrregular = errors.New("neither a file nor a folder")

// A walker yields the messages of the files it is given. Its methods report
// whether the caller wants more.
type walker struct {
	yield func(*Message, error) bool
	space space // used for one file after the other
}

func (w *walker) walk(path string) bool {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return w.fail(path, 0, err)
	case info.IsDir():
		return w.folder(path)
	}
	return w.file(path, info.Mode().IsRegular())
}

func (w *walker) fail(path string, index int, err error) bool {
	return w.yield(&Message{Path: path, Index: index}, err)
}

// file yields the messages of a file. regular means that it was seen to be a regular one.
func (w *walker) file(path string, regular bool) bool {
	f, info, err := openRegular(path, regular)
	if err != nil {
		return w.fail(path, 0, err)
	}
	return w.opened(path, f, info, 0, func(s *splitter) bool { return s.split(false) })
}

// opened calls split with a splitter over an open file. Its messages count from index.
func (w *walker) opened(path string, f *os.File, info os.FileInfo, index int, split func(*splitter) bool) bool {
	begin := w.space.ahead[:min(info.Size(), lookSize)]
	n, _ := f.ReadAt(begin, 0) // an error will come again
	shared, err := newSharedFile(f, info).inflated(context.Background(), begin[:n])
	if err != nil {
		return w.fail(path, index, err)
	}
	defer shared.release()
	ahead := Span{End: int64(n)}
	if n < len(begin) || shared.spool != nil {
		ahead = Span{}
	}
	return split(&splitter{
		compressed: shared.spool != nil,
		window:     window{r: shared, size: shared.size, file: shared, ahead: ahead, space: &w.space},
		path:       path,
		index:      index,
		yield:      w.yield,
	})
}

// openRegular opens a file. It does not open pipes and devices, which may wait or act,
// unless something replaced a file that was seen to be regular.
func openRegular(path string, regular bool) (f *os.File, info os.FileInfo, err error) {
	if !regular {
		info, err := os.Stat(path)
		if err != nil {
			return nil, nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, nil, &fs.PathError{Op: "open", Path: path, Err: errIrregular}
		}
	}
	f, err = os.OpenFile(path, openFlags, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err = f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errIrregular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func (w *walker) folder(path string) bool {
	entries, err := os.ReadDir(path)
	if err != nil {
		return w.fail(path, 0, err)
	}
	if isMaildir(path) {
		return w.maildir(path, entries)
	}
	for _, e := range entries {
		if !w.entry(path, e) {
			return false
		}
	}
	return true
}

// entry yields the messages of an entry of a folder that is not a Maildir.
func (w *walker) entry(path string, e fs.DirEntry) bool {
	name := filepath.Join(path, e.Name())
	hidden := strings.HasPrefix(e.Name(), ".") || strings.HasSuffix(e.Name(), BackupSuffix)
	switch {
	case e.IsDir() && (!hidden || isMaildir(name)):
		return w.folder(name)
	case !hidden && isFile(name, e):
		return w.file(name, e.Type().IsRegular())
	}
	return true
}

// isFile reports whether e is a file or a link to one. A link to nothing counts, so
// that it is reported.
func isFile(path string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}

func isMaildir(path string) bool {
	return isFolder(filepath.Join(path, "cur")) && isFolder(filepath.Join(path, "new"))
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
