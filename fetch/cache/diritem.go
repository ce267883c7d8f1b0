package cache

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"io/fs"
	"os"
)

// A dirItem is an entry and the file of its body.
type dirItem struct {
	store  *dirStore
	record *record
	object string
	file   *os.File
}

func (it *dirItem) Meta() []byte { return it.record.meta }

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

// A dirDraft is a body in a temporary file.
type dirDraft struct {
	store *dirStore
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

// Write implements [io.Writer]. After an error the octets before it can still be read.
func (w *dirDraft) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	w.err = w.reserve(int64(len(p)))
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.file.WriteAt(p, w.n)
	w.err = err
	if err == nil {
		w.n += int64(n)
		w.sum.Write(p)
	}
	return n, err
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
	w.file = nil
	w.err = os.ErrClosed
	return err
}

// A record is the content of the file of an entry: which body it has, and the meta of the
// cache.
type record struct {
	sum  [sha256.Size]byte // of the body, and the name of its file
	size int64
	meta []byte
}

// The file starts with a line that names the format, and the HMAC of the rest
// and of the name of the file. A file that was cut, changed or renamed is not an entry.
const (
	recordMagic  = "extbody cache 2\n"
	recordFixed  = sha256.Size + 8
	recordPrefix = len(recordMagic) + sha256.Size
)

// encode returns the content of the file name.
func (r *record) encode(secret []byte, name string) []byte {
	b := make([]byte, recordPrefix, recordPrefix+recordFixed+len(r.meta))
	b = append(b, r.sum[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(r.size))
	b = append(b, r.meta...)
	copy(b, recordMagic)
	copy(b[len(recordMagic):], derive(secret, "entry", name, string(b[recordPrefix:])))
	return b
}

// decodeRecord parses the content of the file name. For a file that encode did not write the
// error matches [fs.ErrNotExist].
func decodeRecord(secret []byte, name string, b []byte) (*record, error) {
	if len(b) < recordPrefix+recordFixed || string(b[:len(recordMagic)]) != recordMagic {
		return nil, fs.ErrNotExist
	}
	body := b[recordPrefix:]
	if !hmac.Equal(b[len(recordMagic):recordPrefix], derive(secret, "entry", name, string(body))) {
		return nil, fs.ErrNotExist
	}
	r := new(record)
	copy(r.sum[:], body)
	body = body[sha256.Size:]
	r.size = int64(binary.BigEndian.Uint64(body))
	r.meta = body[8:]
	if r.size < 0 {
		return nil, fs.ErrNotExist
	}
	return r, nil
}

// derive returns the HMAC-SHA-256 of parts, for a purpose of its own.
func derive(secret []byte, purpose string, parts ...string) []byte {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(purpose))
	h.Write([]byte{0})
	for _, p := range parts {
		h.Write([]byte(p))
	}
	return h.Sum(nil)
}
