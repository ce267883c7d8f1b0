package archive

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/internal/unnamed"
)

// objects are files named by the SHA-256 of their octets.
type objects struct{ dir string }

func (o objects) path(sum string) string {
	if len(sum) != 2*sha256.Size {
		return filepath.Join(o.dir, "none")
	}
	return filepath.Join(o.dir, sum[:2], sum[2:4], sum)
}

func (o objects) open(sum string) (*os.File, int64, error) {
	f, err := os.Open(o.path(sum))
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

func (o objects) has(sum string) bool {
	_, err := os.Lstat(o.path(sum))
	return err == nil
}

// A draft is an object that is being written.
type draft struct {
	o    objects
	file *unnamed.File
	buf  *bufio.Writer
	hash hash.Hash
	size int64
}

func (o objects) create() (*draft, error) {
	f, err := unnamed.Open(o.dir)
	if err != nil {
		return nil, err
	}
	return &draft{o: o, file: f, buf: bufio.NewWriterSize(f, 64<<10), hash: sha256.New()}, nil
}

func (d *draft) Write(p []byte) (int, error) {
	n, err := d.buf.Write(p)
	d.hash.Write(p[:n])
	d.size += int64(n)
	return n, err
}

// Reset implements externalbody.Sink.
func (d *draft) Reset() error {
	d.buf.Reset(d.file)
	d.hash.Reset()
	d.size = 0
	if _, err := d.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return d.file.Truncate(0)
}

func (d *draft) sum() string { return hex.EncodeToString(d.hash.Sum(nil)) }

func (d *draft) discard() {
	if d.file != nil {
		d.file.Discard()
		d.file = nil
	}
}

// publish gives the object its name, and returns what has to be called for it to be
// on the disk, before a line tells of it. If the object is there already nothing is
// changed.
func (d *draft) publish() (sum string, sync func() error, err error) {
	if err := d.buf.Flush(); err != nil {
		return "", nil, err
	}
	sum = d.sum()
	path := d.o.path(sum)
	for _, dir := range []string{filepath.Dir(filepath.Dir(path)), filepath.Dir(path)} {
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", nil, err
		}
	}
	err = d.file.Link(path)
	if errors.Is(err, fs.ErrExist) {
		if err := d.o.check(sum); err == nil {
			d.discard()
			return sum, func() error { return d.o.sync(sum) }, nil
		}
		// A power cut left a name without its octets, or the disk rots: what is
		// here now is right.
		if err = os.Remove(path); err == nil {
			err = d.file.Link(path)
		}
	}
	if err != nil {
		return "", nil, err
	}
	d.file = nil
	return sum, func() error { return d.o.sync(sum) }, nil
}

// sync puts an object on the disk, and the names that lead to it.
func (o objects) sync(sum string) error {
	path := o.path(sum)
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if err := unnamed.SyncFolder(dir); err != nil {
			return err
		}
		if dir == o.dir || len(dir) <= len(o.dir) {
			return nil
		}
	}
}

var errDigest = errors.New("its octets have another digest")

// check reads an object and compares its digest with its name.
func (o objects) check(sum string) error {
	f, _, err := o.open(sum)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != sum {
		return fmt.Errorf("%w: %s", errDigest, got)
	}
	return nil
}

// walk calls f with each file, and its path below the folder of objects. Its name
// is "" if it is none of an object.
func (o objects) walk(f func(sum, path string) error) error {
	return filepath.WalkDir(o.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		sum := e.Name()
		if o.path(sum) != path {
			sum = ""
		}
		return f(sum, path)
	})
}
