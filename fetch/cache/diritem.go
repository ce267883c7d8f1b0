package cache

import (
	"crypto/sha256"
	"hash"
	"io"
	"os"
)

// A dirItem is an entry and the file of its body.
type dirItem struct {
	store  *DirStore
	record *record
	object string
	file   *os.File
}

func (it *dirItem) Meta() []byte { return it.record.meta }

func (it *dirItem) Size() int64 { return it.record.size }

func (it *dirItem) Close() error { return it.file.Close() }

func (it *dirItem) Open() io.ReadCloser { return &verified{item: it, sum: sha256.New()} }

// A verified reads the body of an item and compares it with its SHA-256.
type verified struct {
	item *dirItem
	off  int64
	sum  hash.Hash
	err  error
}

// Read implements [io.Reader].
func (r *verified) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.item.file.ReadAt(p[:min(int64(len(p)), r.item.record.size-r.off)], r.off)
	r.off += int64(n)
	r.sum.Write(p[:n])
	switch {
	case r.off == r.item.record.size:
		r.err = io.EOF
		if [sha256.Size]byte(r.sum.Sum(nil)) != r.item.record.sum {
			r.item.spoil()
			r.err = ErrCorrupt
		}
	case err == io.EOF:
		r.item.spoil()
		r.err = ErrCorrupt // it has become shorter
	default:
		r.err = err
	}
	return n, r.err
}

// Close implements [io.Closer].
func (r *verified) Close() error {
	r.err = os.ErrClosed
	return nil
}

// spoil removes a damaged body.
func (it *dirItem) spoil() {
	it.store.locked(func() error {
		now, err := it.store.root.Lstat(it.object)
		if err != nil {
			return err
		}
		// Another process may have replaced it by a good one.
		if mine, err := it.file.Stat(); err != nil || !os.SameFile(mine, now) {
			return err
		}
		if err := it.store.root.Remove(it.object); err != nil {
			return err
		}
		return it.store.add(-now.Size())
	})
}
