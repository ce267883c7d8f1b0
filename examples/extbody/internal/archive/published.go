package archive

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

const (
	indexName = "index"
	workName  = "index.run"
)

// Read opens an archive for reading. Another process may write at the same time, and neither
// waits for the other. The Archive shows the state at the time of Read, except for objects
// that are forgotten later. The error is ErrNone if the folder is not an archive.
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

// published opens the index of the last run. It returns false if there is no index, or if it
// is damaged or lacks lines of the ledger.
func (a *Archive) published() bool {
	x, err := openSealed(a.dir)
	if err != nil {
		return false
	}
	head, next, last, err := x.position()
	if err == nil {
		var end ledger.Head
		end, _, err = ledger.Read(a.ledgerDir(), next, head, nil, func(*ledger.Line) error { return errStop })
		if err == nil && end == head {
			a.index, a.head, a.next, a.last = x, head, next, last
			return true
		}
	}
	x.close()
	return false
}

// openSealed opens the index in a folder for reading, after it has compared its digest with
// the seal. Several processes may have it open. The error is errDamaged or errStale if the
// index has to be made anew.
func openSealed(dir string) (_ *index, err error) {
	f, size, err := openRegular(dir, indexName)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	x := new(index)
	err = safely(func() error {
		o := &bolt.Options{Timeout: 200 * time.Millisecond, ReadOnly: true, OpenFile: func(string, int, os.FileMode) (*os.File, error) { return f, nil }}
		if x.db, err = bolt.Open(f.Name(), 0, o); err != nil {
			return fmt.Errorf("%w: %v", errDamaged, err)
		}
		return x.db.View(func(tx *bolt.Tx) error {
			b := tx.Bucket(bucketMeta)
			if b == nil {
				return errDamaged
			}
			if v, err := strconv.Atoi(string(b.Get(metaVersion))); err == nil && v < indexVersion {
				return errStale // an index of an earlier version may have no seal
			}
			return unseal(io.Discard, io.NewSectionReader(f, 0, size), size)
		})
	})
	if err != nil && x.db != nil && !errors.Is(err, errDamaged) {
		x.close()
	}
	return x, err
}

// The seal of an index is the SHA-256 of the file before it. It is at the end of the file.

// seal appends the seal to a file, and syncs the file.
func seal(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	h := sha256.New()
	size, err := io.Copy(h, f)
	if err == nil {
		_, err = f.WriteAt(h.Sum(nil), size)
	}
	return errors.Join(err, f.Sync(), f.Close())
}

// unseal copies a sealed file of a size to w without its seal. The error is errDamaged if
// the seal does not fit.
func unseal(w io.Writer, f io.Reader, size int64) error {
	h := sha256.New()
	var sum [sha256.Size]byte
	if _, err := io.CopyN(io.MultiWriter(w, h), f, max(0, size-sha256.Size)); err != nil {
		return err
	}
	if _, err := io.ReadFull(f, sum[:]); err != nil || [sha256.Size]byte(h.Sum(nil)) != sum {
		return errDamaged
	}
	return nil
}

// work makes an index at path and opens it: a copy of the index of the last run, brought up
// to the ledger, or one made anew. So the file that others read is never written, and
// closeIndex replaces it as a whole. work returns the number of octets of unfinished lines.
func (a *Archive) work(path string) (torn int64, err error) {
	for _, copied := range []bool{true, false} {
		if err := os.RemoveAll(path); err != nil {
			return 0, err
		}
		if copied && a.copyIndex(path) != nil {
			continue
		}
		var x *index
		err = safely(func() (err error) {
			if x, err = openIndex(path); err != nil {
				return err
			}
			a.index = x
			if a.head, torn, err = x.catchUp(a.ledgerDir()); err == nil {
				_, a.next, a.last, err = x.position()
			}
			return err
		})
		if err == nil {
			return torn, nil
		}
		if a.index = nil; x != nil && !errors.Is(err, errDamaged) {
			x.close() // after a panic a lock may be held for ever
		}
	}
	return 0, fmt.Errorf("index: %w", err)
}

// copyIndex copies the index to path without its seal. If that fails, as on a full disk, it
// moves the index instead, unless the archive is only read. So a Forget works on a full
// disk.
func (a *Archive) copyIndex(path string) error {
	from, size, err := openRegular(a.dir, indexName)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = unseal(to, from, size)
	if err = errors.Join(err, to.Close()); err == nil || errors.Is(err, errDamaged) {
		return err
	}
	if a.temp != "" || os.Remove(path) != nil {
		return err
	}
	if _, serr := from.Seek(0, io.SeekStart); serr != nil || unseal(io.Discard, from, size) != nil {
		return err
	}
	if err := os.Rename(filepath.Join(a.dir, indexName), path); err != nil {
		return err
	}
	return os.Truncate(path, size-sha256.Size)
}

// closeIndex closes the index. After a run it replaces the index that others read. An index
// that lacks lines is removed instead.
func (a *Archive) closeIndex() error {
	if a.index == nil {
		return nil
	}
	path := a.index.db.Path()
	if a.lock == nil { // the archive was only read
		return a.index.close()
	}
	if errors.Is(a.behind, errDamaged) { // a lock of it may be held for ever
		return os.Remove(path)
	}
	err := a.index.close()
	if err == nil && a.behind == nil {
		err = seal(path)
	}
	if a.behind != nil || err != nil {
		return errors.Join(err, os.Remove(path))
	}
	if err := os.Rename(path, filepath.Join(a.dir, indexName)); err != nil {
		return err
	}
	return atomicfile.SyncFolder(a.dir)
}
