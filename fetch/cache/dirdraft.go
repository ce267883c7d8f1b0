package cache

import (
	"crypto/sha256"
	"hash"
	"os"
)

// A dirDraft is a body in a temporary file.
type dirDraft struct {
	store *DirStore
	file  *os.File
	name  string // of the file; "" once it has another one

	n        int64
	reserved int64
	sum      hash.Hash
	err      error // sticky
}

// The octets that are reserved at once are as many as there are already, within
// these limits.
const (
	minReserve = 64 << 10
	maxReserve = 16 << 20
)

// Create implements [Store].
func (d *DirStore) Create(size int64) (Draft, error) {
	if size > d.max {
		return nil, ErrFull
	}
	f, name, err := d.temp()
	if err != nil {
		return nil, err
	}
	return &dirDraft{store: d, file: f, name: name, sum: sha256.New()}, nil
}

// Write implements [io.Writer]. After an error the octets before it can still be read.
func (w *dirDraft) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	if w.err = w.reserve(int64(len(p))); w.err != nil {
		return 0, w.err
	}
	n, err := w.file.WriteAt(p, w.n)
	w.err = err
	if err != nil {
		return n, err
	}
	w.n += int64(n)
	w.sum.Write(p)
	return n, nil
}

// reserve makes sure that n octets more may be written.
func (w *dirDraft) reserve(n int64) error {
	if w.n+n <= w.reserved {
		return nil
	}
	more := w.n + n - w.reserved
	step := min(max(w.reserved, minReserve), maxReserve)
	return w.store.locked(func() error {
		// With little room left the body may still fit.
		for _, more := range [...]int64{max(more, step), more} {
			if err := w.store.reserve(more); err != nil {
				continue
			}
			if err := w.file.Truncate(w.reserved + more); err != nil {
				w.store.add(-more)
				return err
			}
			w.reserved += more
			return nil
		}
		return ErrFull
	})
}

// ReadAt implements [io.ReaderAt].
func (w *dirDraft) ReadAt(p []byte, off int64) (int, error) { return w.file.ReadAt(p, off) }

// Commit implements [Draft].
func (w *dirDraft) Commit(key string, meta []byte) error {
	if w.err != nil {
		return w.err
	}
	w.err = os.ErrClosed
	if err := w.place(); err != nil {
		return err
	}
	r := &record{size: w.n, meta: meta}
	w.sum.Sum(r.sum[:0])
	return w.store.writeEntry(key, r)
}

// place syncs the file and gives it the name of its digest. A file that has it
// already is replaced, since it may be damaged.
func (w *dirDraft) place() error {
	if err := w.file.Truncate(w.n); err != nil {
		return err
	}
	if err := w.file.Sync(); err != nil {
		return err
	}
	name := spread("objects", w.sum.Sum(nil))
	return w.store.locked(func() error {
		old := w.store.sizeOf(name)
		if err := w.store.place(w.name, name); err != nil {
			return err
		}
		w.name = ""
		err := w.store.add(w.n - w.reserved - old)
		w.reserved = 0
		return err
	})
}

// Close implements [io.Closer].
func (w *dirDraft) Close() error {
	if w.file == nil {
		return nil
	}
	if w.name != "" {
		w.store.root.Remove(w.name)
		if w.reserved > 0 {
			w.store.locked(func() error { return w.store.add(-w.reserved) })
		}
	}
	err := w.file.Close()
	w.file, w.err = nil, os.ErrClosed
	return err
}
