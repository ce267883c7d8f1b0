package archive

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/netx/lastoctet"
)

// objects are files named by the SHA-256 of their octets.
type objects struct{ dir string }

func (o objects) path(sum string) string { return filepath.Join(o.dir, o.name(sum)) }

// name returns the path of an object below the folder. If a foreign line names an object by
// text that is not a digest, the path is one that no object has.
func (o objects) name(sum string) string {
	if !isSum(sum) {
		return "none"
	}
	return filepath.Join(sum[:2], sum[2:4], sum)
}

// isSum reports whether s is a SHA-256 in lower-case hexadecimal digits.
func isSum(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}

func (o objects) open(sum string) (*os.File, int64, error) { return openRegular(o.dir, o.name(sum)) }

// reader opens an object for reading once. Its last octet is given out only if the digest
// of all octets is the name of the object; otherwise the error is errDigest.
func (o objects) reader(sum string) (io.ReadCloser, int64, error) {
	f, size, err := o.open(sum)
	if err != nil {
		return nil, 0, err
	}
	c := &checkedFile{File: f, hash: sha256.New(), sum: sum}
	c.gate.R = readerFunc(c.next)
	return c, size, nil
}

// A checkedFile is an object whose digest is computed while it is read.
type checkedFile struct {
	*os.File
	gate lastoctet.Reader
	hash hash.Hash
	sum  string
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func (c *checkedFile) next(p []byte) (int, error) {
	n, err := c.File.Read(p)
	c.hash.Write(p[:n])
	if err == io.EOF {
		if got := hex.EncodeToString(c.hash.Sum(nil)); got != c.sum {
			err = fmt.Errorf("%w: %s", errDigest, got)
		}
	}
	return n, err
}

func (c *checkedFile) Read(p []byte) (int, error)         { return c.gate.Read(p) }
func (c *checkedFile) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, &c.gate) }

func (o objects) has(sum string) bool {
	info, err := os.Lstat(o.path(sum))
	return err == nil && info.Mode().IsRegular()
}

var errIrregular = errors.New("is no regular file")

// openRegular opens a file below a folder, and returns its size. An archive may come from a
// stranger. So links do not lead out of the folder, and only regular files are opened.
func openRegular(dir, name string) (*os.File, int64, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	info, err := root.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errIrregular}
	}
	if err != nil {
		return nil, 0, err
	}
	f, err := root.Open(name)
	return f, info.Size(), err
}

// maxSmall bounds the files that are read whole, heads and stamps, in octets.
const maxSmall = 1 << 20

var errLarge = errors.New("is larger than 1 MiB")

// readSmall returns the content of a file of at most maxSmall octets.
func readSmall(path string) ([]byte, error) {
	f, size, err := openRegular(filepath.Dir(path), filepath.Base(path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > maxSmall {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errLarge}
	}
	return io.ReadAll(io.LimitReader(f, maxSmall))
}

// A draft is an object that is being written.
type draft struct {
	o    objects
	file *atomicfile.File
	buf  *bufio.Writer
	hash hash.Hash
	size int64
	err  error // of writing
}

func (o objects) create() (*draft, error) {
	f, err := atomicfile.Open(o.dir)
	if err != nil {
		return nil, err
	}
	return &draft{o: o, file: f, buf: bufio.NewWriterSize(f, 64<<10), hash: sha256.New()}, nil
}

func (d *draft) Write(p []byte) (int, error) {
	n, err := d.buf.Write(p)
	d.hash.Write(p[:n])
	d.size += int64(n)
	d.err = cmp.Or(d.err, err)
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

// publish gives the object its name. The function sync puts the object on the disk, and must
// be called before the line of the object is written. An undamaged object with the name is
// kept.
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
		// The object that is there is damaged: a power cut left its name without its
		// octets, or the disk has failed. The draft replaces it.
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

// sync puts an object, and the names that lead to it, on the disk.
func (o objects) sync(sum string) error {
	path := o.path(sum)
	f, _, err := o.open(sum)
	if err != nil {
		return err
	}
	if err := errors.Join(atomicfile.SyncFile(f), f.Close()); err != nil {
		return err
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if err := atomicfile.SyncFolder(dir); err != nil {
			return err
		}
		if dir == o.dir || len(dir) <= len(o.dir) {
			return nil
		}
	}
}

// put makes the object with a digest of the octets of r. The function sync is the one of
// publish. The error is a *localError if the disk failed, and mailbox.ErrChanged if r has
// another digest.
func (o objects) put(r io.Reader, sum string) (sync func() error, err error) {
	d, err := o.create()
	if err != nil {
		return nil, &localError{err}
	}
	defer d.discard()
	if _, err := io.Copy(d, r); d.err != nil {
		return nil, &localError{d.err}
	} else if err != nil {
		return nil, err
	}
	if d.sum() != sum {
		return nil, mailbox.ErrChanged
	}
	if _, sync, err = d.publish(); err != nil {
		return nil, &localError{err}
	}
	return sync, nil
}

var errDigest = errors.New("its octets have another digest")

// check reads an object and compares its digest with its name.
func (o objects) check(sum string) error {
	r, _, err := o.reader(sum)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.Copy(io.Discard, r)
	return err
}

// walk calls f with the path of each file. sum is the digest in its name; "" if the file
// is not named as an object is.
func (o objects) walk(f func(sum, path string) error) error {
	// The owner may have put the objects on another disk, and linked the folder. The
	// separator makes the walk follow that link.
	return filepath.WalkDir(o.dir+string(filepath.Separator), func(path string, e fs.DirEntry, err error) error {
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
