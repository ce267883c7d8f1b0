package cache

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"time"

	"github.com/go-extbody/extbody/internal/file/filelock"
	"github.com/go-extbody/extbody/internal/file/filestate"
)

const (
	dirMode  = 0o700
	fileMode = 0o600
)

var (
	errWritable = errors.New("others may write to the directory")
	errKey      = errors.New("the file key is not a file of this user's")
)

// Dir opens the [Store] in the directory path, which is created if it does not
// exist, with its parents. Several processes may use it at once. All files in it together have at most
// maxBytes
// octets, the ones that are being written included; the ones that were used longest
// ago make room. A body larger than that is not stored. maxBytes has to be
// positive.
//
// It is an error if the mode of the directory lets others write to it, or if its file "key"
// is another user's. A group that has the user alone, as many systems make one for each user,
// is not others.
//
// A body is a file below "objects", named by the SHA-256 of its octets, so that
// one body that several URLs give is there once, and sha256sum can check it. An
// entry is a file below "entries", named by an HMAC of its key. Both are written
// to a file below "tmp", synced, and renamed. Files have the mode 0600 and
// directories 0700. The names disclose nothing; the entries hold URLs and headers as they
// are.
//
// An entry has the SHA-256 of its body, and an HMAC under the secret in the file "key".
// A user who can write to the directory, but cannot read that file, can make entries
// disappear, bring back an earlier one with its age, make bodies fail at their end, or
// make the directory unusable, but cannot change an entry or have another body taken for
// whole.
//
// The files of a killed process are removed when the directory is opened, or when room is
// needed. The directory may be deleted at any time, with its content; nothing is stored
// after that until it is opened again.
func Dir(path string, maxBytes int64) (Store, error) {
	if maxBytes <= 0 {
		return nil, fmt.Errorf("cache: %d octets for the store", maxBytes)
	}
	if err := os.MkdirAll(path, dirMode); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	d := &dirStore{root: root, max: maxBytes}
	if err := d.open(); err != nil {
		d.Close()
		return nil, fmt.Errorf("cache: %w", err)
	}
	return d, nil
}

func (d *dirStore) open() error {
	info, err := d.root.Stat(".")
	if err != nil {
		return err
	}
	if filestate.IsOpen(info) {
		return errWritable
	}
	for _, name := range [...]string{"objects", "entries", "tmp"} {
		if err := d.mkdir(name); err != nil {
			return err
		}
	}
	d.usage, err = d.root.OpenFile("usage", os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return err
	}
	return d.locked(func() error {
		if err := d.enter(); err != nil {
			return err
		}
		d.secret, err = d.readSecret()
		if err != nil {
			return err
		}
		if d.sweep() || d.used() < 0 {
			return d.evict(0) // counts anew, after processes that were killed
		}
		return nil
	})
}

// enter makes the temporary directory of this process. The caller has the lock,
// so that no process takes it for one of a process that has ended.
func (d *dirStore) enter() (err error) {
	tmp := "tmp/" + rand.Text()
	if err := d.mkdir(tmp); err != nil {
		return err
	}
	d.tmp = tmp
	d.tmpLock, err = d.root.OpenFile(tmp+"/lock", os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return err
	}
	return filelock.Try(d.tmpLock)
}

func (d *dirStore) mkdir(name string) error {
	if err := d.root.Mkdir(name, dirMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

const secretSize = 32

// readSecret returns the content of the file "key", which the first process
// creates. The caller has the lock.
func (d *dirStore) readSecret() ([]byte, error) {
	secret, err := d.oldSecret()
	if err != nil || secret != nil {
		return secret, err
	}
	secret = make([]byte, secretSize)
	rand.Read(secret)
	name, err := d.writeTemp(secret)
	if err != nil {
		return nil, err
	}
	return secret, d.root.Rename(name, "key")
}

// oldSecret returns the content of the file "key", nil if it is missing or of another size.
// A key that another user made is an error: with it that user could forge entries.
func (d *dirStore) oldSecret() ([]byte, error) {
	f, info, err := d.openFile("key")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// The file of this process shows who it is to the file system, which is not always
	// who it is to the system.
	mine, err := d.tmpLock.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || !filestate.SameOwner(info, mine) {
		return nil, errKey
	}
	secret := make([]byte, secretSize)
	if _, err := io.ReadFull(f, secret); err != nil || info.Size() != secretSize {
		return nil, nil
	}
	return secret, nil
}

// temp creates a file in the temporary directory of this process.
func (d *dirStore) temp() (*os.File, string, error) {
	name := d.tmp + "/" + strconv.FormatUint(d.files.Add(1), 10)
	f, err := d.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
	return f, name, err
}

// writeTemp writes data to a temporary file and syncs it.
func (d *dirStore) writeTemp(data []byte) (string, error) {
	f, name, err := d.temp()
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	err = cmp.Or(err, f.Sync(), f.Close())
	if err != nil {
		d.root.Remove(name)
		return "", err
	}
	return name, nil
}

// Close releases the store. Items and Drafts have to be closed before.
func (d *dirStore) Close() error {
	if d.tmp != "" {
		d.root.RemoveAll(d.tmp)
	}
	for _, f := range []*os.File{d.tmpLock, d.usage} {
		if f != nil {
			f.Close()
		}
	}
	return d.root.Close()
}

// entryName returns the path of the file of an entry.
func (d *dirStore) entryName(key string) string {
	return spread("entries", derive(d.secret, "key", key))
}

// maxRecord bounds the file of an entry.
const maxRecord = 4 << 20

// Get implements [Store].
func (d *dirStore) Get(key string) (Item, error) {
	name := d.entryName(key)
	f, info, err := d.openFile(name)
	if err != nil {
		return nil, err
	}
	var data []byte
	if info.Mode().IsRegular() {
		data, err = io.ReadAll(io.LimitReader(f, maxRecord))
	}
	f.Close()
	if err != nil {
		return nil, err
	}
	r, err := decodeRecord(d.secret, name, data)
	if err != nil {
		return nil, err
	}
	it := &dirItem{store: d, record: r, object: spread("objects", r.sum[:])}
	it.file, info, err = d.openFile(it.object)
	if err != nil {
		return nil, err
	}
	if info.Size() != r.size || !info.Mode().IsRegular() {
		it.spoil()
		it.Close()
		return nil, fs.ErrNotExist
	}
	// When they were used last: only eviction depends on it.
	now := time.Now()
	d.root.Chtimes(name, now, now)
	d.root.Chtimes(it.object, now, now)
	return it, nil
}

// Update implements [Store].
func (d *dirStore) Update(key string, it Item, meta []byte) error {
	r := *it.(*dirItem).record
	r.meta = meta
	return d.writeEntry(key, &r)
}

// Delete implements [Store].
func (d *dirStore) Delete(key string) error {
	name := d.entryName(key)
	return d.locked(func() error {
		old := d.sizeOf(name)
		err := d.root.Remove(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			d.add(-old)
		}
		return err
	})
}

// place renames the file temp to name, in a directory that may not exist yet.
func (d *dirStore) place(temp, name string) error {
	err := d.root.Rename(temp, name)
	if errors.Is(err, fs.ErrNotExist) {
		err = d.mkdir(name[:len(name)-len("/")-2*32])
		if err == nil {
			err = d.root.Rename(temp, name)
		}
	}
	return err
}

// spread returns the path of a file below dir.
func spread(dir string, name []byte) string {
	h := hex.EncodeToString(name)
	return dir + "/" + h[:2] + "/" + h
}

// writeEntry writes and syncs the entry for key, then puts it in its place.
func (d *dirStore) writeEntry(key string, r *record) error {
	name := d.entryName(key)
	data := r.encode(d.secret, name)
	temp, err := d.writeTemp(data)
	if err != nil {
		return err
	}
	return d.locked(func() error {
		old := d.sizeOf(name)
		err := d.reserve(int64(len(data)) - old)
		if err == nil {
			err = d.place(temp, name)
		}
		if err != nil {
			d.root.Remove(temp)
		}
		return err
	})
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

// Create implements [Store].
func (d *dirStore) Create(size int64) (Draft, error) {
	if size > d.max {
		return nil, ErrFull
	}
	f, name, err := d.temp()
	if err != nil {
		return nil, err
	}
	return &dirDraft{store: d, file: f, name: name, sum: sha256.New()}, nil
}
