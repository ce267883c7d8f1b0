package externalbody

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// SaveFile saves the body that alts stand for in a new file in dir, and returns the
// name of the file. It tries alts as [Resolver.Save] does. The file gets its name only
// after the whole body has been verified. If SaveFile fails, it leaves no file.
//
// The name is what [Resolver].FileName returns, by default [Report.FileName], made safe
// by the function [FileName]. No file is overwritten, and no link is followed. If the
// name is taken, the file gets a number, as in "a-2.png". Its mode is 0600. With
// [Resolver].Stored a body that the folder has already is not kept twice.
//
// When SaveFile returns nil, the file is on the disk with its name: the octets were
// synced before the file was named, and the folder after that. A record that is written
// then stays true whatever happens.
//
// The Report and the errors are as of Save. An error of the folder is of Kind Local.
//
// Several goroutines and programs may save in the same folder. [Resolver.SaveIn] is faster
// for many bodies at the same time.
func (r *Resolver) SaveFile(ctx context.Context, alts []*Reference, dir *os.Root) (name string, rep *Report, err error) {
	f, err := OpenFolder(dir)
	if err != nil {
		return "", new(Report), err
	}
	defer f.Close()
	return r.SaveIn(ctx, alts, f)
}

// A Folder is a folder in which [Resolver.SaveIn] saves bodies. It may be used by several
// goroutines at once: the names of bodies that are saved at the same time are put on the
// disk together, which takes as long as for one. It must be closed.
type Folder struct {
	dir  *os.Root
	open *atomicfile.Folder
}

// OpenFolder returns dir as a Folder. dir has to stay open until the Folder is closed. An
// error is of Kind Local.
func OpenFolder(dir *os.Root) (*Folder, error) {
	f, err := atomicfile.OpenFolder(dir)
	if err != nil {
		return nil, &fetch.Error{Op: "save", Kind: fetch.Local, Err: err}
	}
	return &Folder{dir, f}, nil
}

// Close frees the Folder, after all that is saved in it. dir stays open.
func (f *Folder) Close() error { return f.open.Close() }

// SaveIn is [Resolver.SaveFile] in a folder in which much is saved.
func (r *Resolver) SaveIn(ctx context.Context, alts []*Reference, dir *Folder) (name string, rep *Report, err error) {
	dst := &fileSink{Folder: dir}
	defer dst.discard()
	if rep, err = r.Save(ctx, alts, dst); err != nil {
		return "", rep, err
	}
	if name, err = r.publish(dst, rep); err != nil {
		return "", rep, &fetch.Error{Op: "save", Kind: fetch.Local, Err: err}
	}
	return name, rep, nil
}

// publish names the file and returns its name.
func (r *Resolver) publish(dst *fileSink, rep *Report) (string, error) {
	name := rep.FileName()
	if r.FileName != nil {
		name = cmp.Or(FileName(r.FileName(rep)), name)
	}
	if r.Stored == nil || rep.SHA256 == nil {
		return dst.publish(name)
	}
	if dst.has(name, rep) {
		return name, dst.open.Settle(name)
	}
	if other := r.Stored(rep); other != "" && dst.has(other, rep) {
		if as, err := unused(name, func(as string) error { return dst.open.Link(other, as) }); err == nil {
			return as, nil
		}
	}
	return dst.publish(name) // also if the system makes no link
}

// A fileSink is the Sink of SaveFile.
type fileSink struct {
	*Folder
	file *atomicfile.File // nil before the first octet
}

func (s *fileSink) Write(p []byte) (int, error) {
	if err := s.create(); err != nil {
		return 0, err
	}
	return s.file.Write(p)
}

// create creates the file, if it does not exist.
func (s *fileSink) create() (err error) {
	if s.file == nil {
		s.file, err = s.open.Create()
	}
	return err
}

// Reset implements Sink.
func (s *fileSink) Reset() error {
	s.discard()
	return nil
}

// discard removes the file that has no name yet.
func (s *fileSink) discard() {
	if s.file != nil {
		s.file.Discard()
		s.file = nil
	}
}

// maxNumbers bounds the names that are tried with a number. A message with thousands of
// references of one name must not take quadratic time.
const maxNumbers = 100

// publish names the file, with a name that nothing has, and returns the name.
func (s *fileSink) publish(name string) (string, error) {
	if err := s.create(); err != nil {
		return "", err
	}
	as, err := unused(name, s.file.Publish)
	if err == nil {
		s.file = nil
	}
	return as, err
}

// has reports whether a file of the folder has the octets of a body. A link does not
// count.
func (s *fileSink) has(name string, rep *Report) bool {
	info, err := s.dir.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() != rep.Bytes {
		return false
	}
	f, err := s.dir.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return false
	}
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, rep.Bytes+1))
	return err == nil && n == rep.Bytes && bytes.Equal(h.Sum(nil), rep.SHA256)
}

// unused calls use with name. As long as the error is that the name is taken, it calls
// it again, with a number in the name and then with a random one. It returns the name
// that was used.
func unused(name string, use func(string) error) (string, error) {
	for n, as := 1, name; ; n++ {
		switch {
		case n > maxNumbers:
			as = suffixed(name, strings.ToLower(rand.Text()))
		case n > 1:
			as = suffixed(name, strconv.Itoa(n))
		}
		err := use(as)
		if err == nil {
			return as, nil
		}
		if !errors.Is(err, fs.ErrExist) || n > 2*maxNumbers {
			return "", err
		}
	}
}

// suffixed returns name with "-" and suffix before its extension. The result is no
// longer than FileName allows.
func suffixed(name, suffix string) string {
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	if len(ext) > maxExt {
		stem, ext = name, ""
	}
	return cutName(stem, maxName-len(ext)-len(suffix)-1) + "-" + suffix + ext
}
