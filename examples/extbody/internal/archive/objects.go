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
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/netx/lastoctet"
)

// objects are messages and bodies by the SHA-256 of their octets.
type objects struct{ store }

// reader opens an object for reading once. Its last octet is given out only if the digest
// of all octets is the name of the object; otherwise the error is errDigest.
func (o objects) reader(sum string) (io.ReadCloser, int64, error) {
	f, size, err := o.open(objectName(sum))
	if err != nil {
		return nil, 0, err
	}
	return checked(f, sum), size, nil
}

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

// hold opens an object. One that is not a file here is copied to a temporary file.
func (o objects) hold(sum string) (*held, error) {
	f, size, err := o.open(objectName(sum))
	if err != nil {
		return nil, err
	}
	if file, ok := f.(*os.File); ok {
		if err := o.check(sum); err != nil {
			file.Close()
			return nil, err
		}
		return &held{io.NewSectionReader(file, 0, size), file}, nil
	}
	defer f.Close()
	s := &spool.Spool{Memory: 16 << 10} // there may be a thousand
	if _, err := io.Copy(s, checked(f, sum)); err != nil {
		s.Close()
		return nil, err
	}
	return &held{s.Section(), s}, nil
}

func (o objects) draft() (*draft, error) {
	f, err := o.create()
	if err != nil {
		return nil, err
	}
	return &draft{o: o, file: f, buf: bufio.NewWriterSize(f, 64<<10), hash: sha256.New()}, nil
}

// put makes the object with a digest of the octets of r. The function sync is the one of
// the store. The error is a *localError if the store failed, and mailbox.ErrChanged if r has
// another digest.
func (o objects) put(r io.Reader, sum string) (sync func() error, err error) {
	d, err := o.draft()
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

// A store has files with the names of objects. They are in a folder or in a bucket. The
// error of a file that is not there matches fs.ErrNotExist. Any other error of a bucket matches
// ErrAway.
type store interface {
	create() (*atomicfile.File, error) // a file for a draft

	// publish gives the octets of a draft a name. If a file with the name is there, check
	// compares its digest: the file is kept if that returns nil, and replaced if it returns
	// errDigest. The function sync puts the file on the disk, and must be called before the
	// line of the object is written. The draft ends with publish or with sync.
	publish(f *atomicfile.File, size int64, name string, check func() error) (sync func() error, err error)

	sync(name string) error
	open(name string) (io.ReadCloser, int64, error)
	stat(name string) (int64, error)
	remove(name string) error // nil if there is none
	walk(f func(name string) error) error

	// near reports whether a file is there, as far as that is known without a request.
	near(name string) bool

	// abort removes the octets of files whose publish was killed. Nothing may be published meanwhile.
	abort() error
}

// objectName returns the path of an object below the folder. If a foreign line names an object
// by text that is not a digest, the path is one that no object has.
func objectName(sum string) string {
	if !isSum(sum) {
		return "none"
	}
	return filepath.Join(sum[:2], sum[2:4], sum)
}

// sumOfName returns the digest in the name of an object; "" if no object has such a name.
func sumOfName(name string) string {
	if sum := filepath.Base(name); isSum(sum) && objectName(sum) == name {
		return sum
	}
	return ""
}

// isSum reports whether s is a SHA-256 in lower-case hexadecimal digits.
func isSum(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}

// A checkedFile is an object whose digest is computed while it is read.
type checkedFile struct {
	io.Closer
	lastoctet.Reader
}

func checked(f io.ReadCloser, sum string) *checkedFile {
	h := sha256.New()
	return &checkedFile{f, lastoctet.Reader{R: readerFunc(func(p []byte) (int, error) {
		n, err := f.Read(p)
		h.Write(p[:n])
		if err == io.EOF {
			if got := hex.EncodeToString(h.Sum(nil)); got != sum {
				err = fmt.Errorf("%w: %s", errDigest, got)
			}
		}
		return n, err
	})}}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

var errDigest = errors.New("its octets have another digest")

// A held object can be read in any order. Its digest is its name.
type held struct {
	*io.SectionReader
	io.Closer
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

// publish gives the object its name. The function sync is the one of the store.
func (d *draft) publish() (sum string, sync func() error, err error) {
	if err := d.buf.Flush(); err != nil {
		return "", nil, err
	}
	sum = d.sum()
	sync, err = d.o.publish(d.file, d.size, objectName(sum), func() error { return d.o.check(sum) })
	if err == nil {
		d.file = nil
	}
	return sum, sync, err
}

// A folder is a store in a folder.
type folder struct{ dir string }

func (s folder) path(name string) string { return filepath.Join(s.dir, name) }

func (s folder) create() (*atomicfile.File, error) { return atomicfile.Open(s.dir) }

func (s folder) open(name string) (io.ReadCloser, int64, error) { return openRegular(s.dir, name) }

func (s folder) abort() error { return nil } // see recover

func (s folder) near(name string) bool {
	_, err := s.stat(name)
	return err == nil
}

func (s folder) stat(name string) (int64, error) {
	info, err := os.Lstat(s.path(name))
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "stat", Path: name, Err: errIrregular}
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (s folder) publish(f *atomicfile.File, _ int64, name string, check func() error) (sync func() error, err error) {
	path := s.path(name)
	for _, dir := range []string{filepath.Dir(filepath.Dir(path)), filepath.Dir(path)} {
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	sync = func() error { return s.sync(name) }
	err = f.Link(path)
	if errors.Is(err, fs.ErrExist) {
		if check() == nil {
			f.Discard()
			return sync, nil
		}
		// The object that is there is damaged: a power cut left its name without its
		// octets, or the disk has failed. The draft replaces it.
		if err = os.Remove(path); err == nil {
			err = f.Link(path)
		}
	}
	return sync, err
}

// sync puts an object, and the names that lead to it, on the disk.
func (s folder) sync(name string) error {
	f, _, err := openRegular(s.dir, name)
	if err != nil {
		return err
	}
	if err := errors.Join(atomicfile.SyncFile(f), f.Close()); err != nil {
		return err
	}
	for dir := filepath.Dir(s.path(name)); ; dir = filepath.Dir(dir) {
		if err := atomicfile.SyncFolder(dir); err != nil {
			return err
		}
		if dir == s.dir || len(dir) <= len(s.dir) {
			return nil
		}
	}
}

func (s folder) remove(name string) error {
	err := os.Remove(s.path(name))
	if err == nil {
		err = atomicfile.SyncFolder(filepath.Dir(s.path(name)))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (s folder) walk(f func(name string) error) error {
	// The owner may have put the objects on another disk, and linked the folder. The
	// separator makes the walk follow that link.
	return filepath.WalkDir(s.dir+string(filepath.Separator), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(s.dir, path)
		if err != nil {
			return err
		}
		return f(name)
	})
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

// A localError is an error of this machine, such as its disk, and not of the content of a
// file.
type localError struct{ error }
