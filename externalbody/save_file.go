package externalbody

import (
	"bytes"
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
	"github.com/go-extbody/extbody/internal/unnamed"
)

// SaveFile saves the body that alts stand for, as [Resolver.Save] does, in a new file in
// dir, and returns the name of the file. Nothing has that name before the whole body has
// been verified, and nothing is left of a body that has not been.
//
// The name is what [Resolver].FileName returns, by default [Report.FileName], made safe
// by the function [FileName]. No file is overwritten, and no link is followed: where
// something has the name already the file gets a number, as in "a-2.png". Its mode is
// 0600.
//
// With [Resolver].Stored a body is kept once: a file that has the octets already is the
// file, or the new one is another name (a hard link) of it.
//
// When SaveFile returns nil the file is on the disk with its name: the octets were
// synced before the file was named, and the folder after that. So a record that is
// written then stays true whatever happens. With an error there is no file, and the
// Report is that of Save. The errors are those of Save; one of the folder is of Kind
// Local.
//
// Several goroutines and programs may save in the same folder.
func (r *Resolver) SaveFile(ctx context.Context, alts []*Reference, dir *os.Root) (name string, rep *Report, err error) {
	dst := &fileSink{dir: dir}
	defer dst.discard()
	if rep, err = r.Save(ctx, alts, dst); err != nil {
		return "", rep, err
	}
	if name, err = r.publish(dst, rep); err != nil {
		return "", rep, &fetch.Error{Op: "save", Kind: fetch.Local, Err: err}
	}
	return name, rep, nil
}

// publish gives the file its name, and returns it.
func (r *Resolver) publish(dst *fileSink, rep *Report) (string, error) {
	name := r.fileName(rep)
	if r.Stored == nil || rep.SHA256 == nil {
		return dst.publish(name)
	}
	if dst.has(name, rep) {
		return name, unnamed.Settle(dst.dir, name)
	}
	if other := r.Stored(rep); other != "" && dst.has(other, rep) {
		if as, err := unused(name, func(as string) error { return unnamed.Link(dst.dir, other, as) }); err == nil {
			return as, nil
		}
	}
	return dst.publish(name) // also where there are no links, or too many
}

// fileName returns the name of the file that SaveFile makes.
func (r *Resolver) fileName(rep *Report) string {
	if r.FileName != nil {
		if name := FileName(r.FileName(rep)); name != "" {
			return name
		}
	}
	return rep.FileName()
}

// smallBody is how many octets of a body are kept in memory, so that a small one makes
// no file at all if it fails.
const smallBody = 16 << 10

// A fileSink is the Sink of SaveFile.
type fileSink struct {
	dir   *os.Root
	small []byte        // the body, as long as file is nil
	file  *unnamed.File // nil as long as the body is small
}

func (s *fileSink) Write(p []byte) (int, error) {
	if s.file == nil && len(s.small)+len(p) <= smallBody {
		s.small = append(s.small, p...)
		return len(p), nil
	}
	if err := s.spill(); err != nil {
		return 0, err
	}
	return s.file.Write(p)
}

// spill creates the file, if there is none, and writes what is in memory.
func (s *fileSink) spill() error {
	if s.file != nil {
		return nil
	}
	f, err := unnamed.Create(s.dir)
	if err != nil {
		return err
	}
	s.file = f
	_, err = f.Write(s.small)
	s.small = nil
	return err
}

// Reset implements Sink.
func (s *fileSink) Reset() error {
	s.small = s.small[:0]
	s.discard()
	return nil
}

// discard removes what has no name.
func (s *fileSink) discard() {
	if s.file != nil {
		s.file.Discard()
		s.file = nil
	}
}

// maxNumbers bounds the names that are tried with a number: a message with thousands of
// references of one name must not take quadratic time.
const maxNumbers = 100

// publish gives the file a name that nothing has, and returns it.
func (s *fileSink) publish(name string) (string, error) {
	if err := s.spill(); err != nil {
		return "", err
	}
	as, err := unused(name, s.file.Publish)
	if err == nil {
		s.file = nil
	}
	return as, err
}

// has reports whether a file of the folder has the octets of a body. A link does not count.
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

// unused calls use with name, and with numbers and then chance in it as long as the
// error is that something has the name. It returns the name that was used.
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

// suffixed returns name with "-" and suffix before its extension. It is no longer than
// FileName allows.
func suffixed(name, suffix string) string {
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	if len(ext) > maxExt {
		stem, ext = name, ""
	}
	return cutName(stem, maxName-len(ext)-len(suffix)-1) + "-" + suffix + ext
}
