package store

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/below"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// Objects are files by the SHA-256 of their octets, in a folder or in a [Store]. The error of an
// object that is not there matches [fs.ErrNotExist]. Any other error of a Store matches [ErrAway].
type Objects struct{ in backing }

// In returns the objects in a folder, in folders by the first two, and the next two digits of
// their names. A folder that is missing is not made.
func In(dir string) Objects { return Objects{local{files{dir}}} }

// Remote returns the objects in a Store. What is to be stored waits in the folder temp. The name of
// an object in the Store is its digest.
func Remote(s Store, temp string) Objects { return Objects{remote{s, temp}} }

// A backing is where objects are.
type backing interface {
	create() (*atomicfile.File, error) // a file for a Draft

	// publish gives the octets of a Draft a name. If a file with the name is there, check
	// compares its digest: the file is kept if that returns nil, and replaced if it returns
	// ErrDigest. The function sync is the one of Draft.Publish. The file ends with publish or
	// with sync.
	publish(f *atomicfile.File, size int64, name string, check func() error) (sync func() error, err error)

	sync(name string) error
	open(name string) (io.ReadCloser, int64, error)
	stat(name string) (int64, error)
	remove(name string) error
	walk(f func(name string) error) error
	mark() ([]byte, error)
	setMark(text []byte) error
	near(name string) bool
	abort() error
}

// Dir returns the folder of the objects, or "" if they are in a Store.
func (o Objects) Dir() string {
	l, _ := o.in.(local)
	return l.dir
}

// Reader opens an object for reading once. Its last octet is given out only if the digest
// of all octets is the name of the object; otherwise the error is ErrDigest.
func (o Objects) Reader(sum string) (io.ReadCloser, int64, error) {
	f, size, err := o.in.open(Name(sum))
	if err != nil {
		return nil, 0, err
	}
	return checked(f, sum), size, nil
}

// Check reads an object and compares its digest with its name.
func (o Objects) Check(sum string) error {
	r, _, err := o.Reader(sum)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.Copy(io.Discard, r)
	return err
}

// Hold opens an object for reading in any order. One that is not a file here is copied to a
// temporary file.
func (o Objects) Hold(sum string) (*Held, error) {
	f, size, err := o.in.open(Name(sum))
	if err != nil {
		return nil, err
	}
	if file, ok := f.(*os.File); ok {
		if err := o.Check(sum); err != nil {
			file.Close()
			return nil, err
		}
		return &Held{io.NewSectionReader(file, 0, size), file}, nil
	}
	defer f.Close()
	s := &spool.Spool{Memory: 16 << 10} // there may be a thousand
	if _, err := io.Copy(s, checked(f, sum)); err != nil {
		s.Close()
		return nil, err
	}
	return &Held{s.Section(), s}, nil
}

// Sync puts an object on the disk.
func (o Objects) Sync(sum string) error { return o.in.sync(Name(sum)) }

// Stat returns the size of the file with a name that [Name] or Walk gave.
func (o Objects) Stat(name string) (int64, error) { return o.in.stat(name) }

// Near reports whether an object is there, as far as that is known without a request.
func (o Objects) Near(sum string) bool { return o.in.near(Name(sum)) }

// Remove removes the file with a name that [Name] or Walk gave, if it is there.
func (o Objects) Remove(name string) error { return o.in.remove(name) }

// Walk calls f with the name of each file, which [Sum] takes. A file need not be an object. The mark is left out.
func (o Objects) Walk(f func(name string) error) error { return o.in.walk(f) }

// Mark returns the first 64 KiB of the text that SetMark has stored. The error matches [fs.ErrNotExist] if there is none.
func (o Objects) Mark() ([]byte, error) { return o.in.mark() }

// SetMark stores a text beside the objects in a Store, and replaces the one before. It does nothing if the objects are
// in a folder.
func (o Objects) SetMark(text []byte) error { return o.in.setMark(text) }

// Abort removes the octets of objects in a Store that were not stored whole because the program was
// killed. Nothing may be published meanwhile. In a folder, Walk finds such a file.
func (o Objects) Abort() error { return o.in.abort() }

// A Held object can be read in any order. Its digest is its name.
type Held struct {
	*io.SectionReader
	io.Closer
}

// Draft makes an object that is to be written.
func (o Objects) Draft() (*Draft, error) {
	f, err := o.in.create()
	if err != nil {
		return nil, err
	}
	return &Draft{o: o, file: f, buf: bufio.NewWriterSize(f, 64<<10), hash: sha256.New()}, nil
}

// A Draft is an object that is being written. It ends with Publish or with Discard.
type Draft struct {
	o    Objects
	file *atomicfile.File
	buf  *bufio.Writer
	hash hash.Hash
	size int64
	err  error
}

func (d *Draft) Write(p []byte) (int, error) {
	n, err := d.buf.Write(p)
	d.hash.Write(p[:n])
	d.size += int64(n)
	d.err = cmp.Or(d.err, err)
	return n, err
}

// Reset implements externalbody.Sink.
func (d *Draft) Reset() error {
	d.buf.Reset(d.file)
	d.hash.Reset()
	d.size = 0
	if _, err := d.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return d.file.Truncate(0)
}

// Err returns the first error of writing.
func (d *Draft) Err() error { return d.err }

// Size returns the number of octets.
func (d *Draft) Size() int64 { return d.size }

// Sum returns the digest of the octets.
func (d *Draft) Sum() string { return hex.EncodeToString(d.hash.Sum(nil)) }

// Discard removes a Draft. It does nothing after Publish succeeded.
func (d *Draft) Discard() {
	if d.file != nil {
		d.file.Discard()
		d.file = nil
	}
}

// Publish gives the object its name. An object that has the name is kept if its digest is right.
// The object is on the disk when the function sync has returned nil.
func (d *Draft) Publish() (sum string, sync func() error, err error) {
	if err := d.buf.Flush(); err != nil {
		return "", nil, err
	}
	sum = d.Sum()
	sync, err = d.o.in.publish(d.file, d.size, Name(sum), func() error { return d.o.Check(sum) })
	if err == nil {
		d.file = nil
	}
	return sum, sync, err
}

// local is a backing in a folder.
type local struct{ files }

func (s local) open(name string) (io.ReadCloser, int64, error) {
	f, size, err := below.Open(s.dir, name)
	if err != nil {
		return nil, 0, err
	}
	return f, size, nil
}

func (s local) publish(f *atomicfile.File, _ int64, name string, check func() error) (sync func() error, err error) {
	if err := s.makeFolders(name); err != nil {
		return nil, err
	}
	path := s.path(name)
	sync = func() error { return s.sync(name) }
	err = f.Link(path)
	if errors.Is(err, fs.ErrExist) {
		if check() == nil {
			f.Discard()
			return sync, nil
		}
		// The object that is there is damaged: a power cut left its name without its
		// octets, or the disk has failed. The Draft replaces it.
		err = os.Remove(path)
		if err == nil {
			err = f.Link(path)
		}
	}
	return sync, err
}

// remove also puts it on the disk that the name is gone.
func (s local) remove(name string) error {
	err := os.Remove(s.path(name))
	if err == nil {
		err = atomicfile.SyncFolder(filepath.Dir(s.path(name)))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (s local) mark() ([]byte, error) { return nil, fs.ErrNotExist }

func (s local) setMark([]byte) error { return nil }

func (s local) abort() error { return nil } // a file gets its name after it is whole
