package archive

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// The names of the index, and of that of a run.
const (
	indexName = "index"
	workName  = "index.run"
)

// Read opens an archive for reading. Another process may write meanwhile. Neither waits for
// the other, and the Archive shows what there was when Read was called, except for what is
// forgotten later. The error is ErrNone if the folder is not an archive.
func Read(dir string, opts *Options) (*Archive, error) {
	a := newArchive(dir, opts)
	if _, err := os.Stat(a.ledgerDir()); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, ErrNone)
	}
	if a.published() {
		return a, nil
	}
	var err error
	if a.temp, err = os.MkdirTemp("", "extbody-index-"); err != nil {
		return nil, err
	}
	if _, err = a.work(filepath.Join(a.temp, workName)); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// published opens the index that the last run left. It returns false if there is none, or
// if it lacks lines of the ledger.
func (a *Archive) published() bool {
	x, err := openIndex(filepath.Join(a.dir, indexName), true)
	if err != nil {
		return false
	}
	head, next, err := x.position()
	if err == nil {
		var end ledger.Head
		end, _, err = ledger.Read(a.ledgerDir(), next, head, nil, func(*ledger.Line) error { return errStop })
		if err == nil && end == head {
			a.index, a.head, a.next = x, head, next
			return true
		}
	}
	x.close()
	return false
}

// work makes an index at path and opens it. It is a copy of the index that the last run
// left, brought up to the ledger, or else it is made anew. So the file that others read
// is never written: closeIndex replaces it as a whole. work returns the number of octets
// of unfinished lines.
func (a *Archive) work(path string) (torn int64, err error) {
	for _, copied := range []bool{true, false} {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return 0, err
		}
		if copied && a.copyIndex(path) != nil {
			continue
		}
		x, oerr := openIndex(path, false)
		if oerr != nil {
			err = oerr
			continue
		}
		var head ledger.Head
		var end ledger.Place
		if head, torn, err = x.catchUp(a.ledgerDir()); err == nil {
			_, end, err = x.position()
		}
		if err == nil {
			a.index, a.head, a.next = x, head, end
			return torn, nil
		}
		x.close()
	}
	return 0, fmt.Errorf("index: %w", err)
}

// copyIndex copies the index to path. If that fails, as on a full disk, it moves the index
// to path, unless the archive is only read. So a Forget works on a full disk.
func (a *Archive) copyIndex(path string) error {
	from, _, err := openRegular(a.dir, indexName)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Close()); err == nil {
		return nil
	}
	if a.temp != "" || os.Remove(path) != nil {
		return err
	}
	return os.Rename(filepath.Join(a.dir, indexName), path)
}

// closeIndex closes the index. After a run it also puts the index in the place of the one
// that others read. An index that lacks lines is removed instead.
func (a *Archive) closeIndex() error {
	if a.index == nil {
		return nil
	}
	path := a.index.db.Path()
	if a.lock == nil { // the archive was only read
		return a.index.close()
	}
	if a.behind {
		return errors.Join(a.index.close(), os.Remove(path))
	}
	err := a.index.sync()
	if err = errors.Join(err, a.index.close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	if err := os.Rename(path, filepath.Join(a.dir, indexName)); err != nil {
		return err
	}
	return atomicfile.SyncFolder(a.dir)
}
