package externalbody

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/newfile"
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
	if name, err = dst.publish(r.fileName(rep)); err != nil {
		return "", rep, &fetch.Error{Op: "save", Kind: fetch.Local, Err: err}
	}
	return name, rep, nil
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
	file  *newfile.File // nil as long as the body is small
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
	f, err := newfile.Create(s.dir)
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
	for n, as := 1, name; ; n++ {
		switch {
		case n > maxNumbers:
			as = suffixed(name, strings.ToLower(rand.Text()))
		case n > 1:
			as = suffixed(name, strconv.Itoa(n))
		}
		err := s.file.Publish(as)
		if err == nil {
			s.file = nil
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
