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
	"sync"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// A Folder is a folder in which bodies are saved, each in a new file. The Folder decides
// about the names of the files. Several goroutines may use it, and it is faster for many
// bodies at the same time than [Resolver.SaveFile]: their names are put on the disk
// together. It must be closed.
type Folder struct {
	// Root is the folder. It has to stay open until the Folder is closed. Without it, Save
	// is an error.
	Root *os.Root

	// Name returns the name of the file for a body. If it is nil or returns "", the name is
	// Report.FileName. The function FileName makes every name safe.
	Name func(rep *Report) string

	// Stored, if set, makes Save keep a body once in the folder. If a file with the name
	// from Name, or with the number that the new file would get, has the same octets, it is
	// the file of the body. Otherwise Stored returns the name of a file in the folder that may
	// have the same octets, or "". If that file has them, the new file is a hard link to it, so
	// that a change of one changes both. Octets are compared by their SHA-256: with
	// Resolver.NoDigest nothing is compared.
	Stored func(rep *Report) string

	// Accept, if set, is called with each body that was verified, before its file has a name.
	// An error is the error of Save, with its own Kind or Denied. No time limit of the
	// Resolver runs meanwhile, and body can be read until Accept returns.
	Accept func(ctx context.Context, rep *Report, body *io.SectionReader) error

	mu     sync.Mutex
	open   *atomicfile.Folder // nil before the first Save
	closed bool
}

// Save saves the body that alts stand for in a new file, and returns the name of the file.
// It tries alts as [Resolver.Save] of r does. The file gets its name only after the whole
// body has been verified. If Save fails, it leaves no file.
//
// No file is overwritten, and no link is followed. If the name is taken, the file gets a
// number, as in "a-2.png". Its mode is 0600.
//
// When Save returns nil, the file is on the disk with its name: the octets were synced
// before the file was named, and the folder after that. A record that is written then
// stays true whatever happens.
//
// The Report and the errors are as of [Resolver.Save]. An error of the folder is of Kind
// Local. Without Root it is Unsupported.
func (f *Folder) Save(ctx context.Context, r *Resolver, alts Alternatives) (name string, rep *Report, err error) {
	in, err := f.files()
	if err != nil {
		return "", new(Report), sinkError(err)
	}
	dst := &fileSink{Folder: f, in: in}
	defer dst.discard()
	rep, err = r.Save(ctx, alts, dst)
	if err != nil {
		return "", rep, err
	}
	if err := f.accept(ctx, dst, rep); err != nil {
		return "", rep, err
	}
	name, err = f.publish(dst, rep)
	if err != nil {
		return "", rep, &fetch.Error{Op: "save", Kind: fetch.Local, Err: err}
	}
	return name, rep, nil
}

// Close frees the Folder, after the last Save has returned. Root stays open. After the
// first call Close does nothing and returns nil.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.open == nil {
		f.closed = true
		return nil
	}
	f.closed = true
	return f.open.Close()
}

// files returns the folder as one in which files are made.
func (f *Folder) files() (_ *atomicfile.Folder, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.closed:
		return nil, fs.ErrClosed
	case f.Root == nil:
		return nil, &fetch.Error{Op: "save", Kind: fetch.Unsupported, Err: errors.New("Folder.Root is not set")}
	}
	if f.open == nil {
		f.open, err = atomicfile.OpenFolder(f.Root)
	}
	return f.open, err
}

// accept asks Accept, if it is set.
func (f *Folder) accept(ctx context.Context, dst *fileSink, rep *Report) error {
	if f.Accept == nil {
		return nil
	}
	if err := dst.create(); err != nil {
		return &fetch.Error{Op: "save", Kind: fetch.Local, Err: err}
	}
	err := f.Accept(ctx, rep, io.NewSectionReader(dst.file.File, 0, rep.Bytes))
	if err == nil {
		return nil
	}
	return &fetch.Error{Op: "save", Kind: fetch.KindOr(err, fetch.Denied), Err: err}
}

// publish names the file and returns its name.
func (f *Folder) publish(dst *fileSink, rep *Report) (string, error) {
	name := rep.FileName()
	if f.Name != nil {
		name = cmp.Or(FileName(f.Name(rep)), name)
	}
	if f.Stored == nil || rep.SHA256 == nil {
		return dst.publish(name, rep, false)
	}
	if dst.has(name, rep) {
		return name, dst.in.Settle(name)
	}
	if other := f.Stored(rep); other != "" && dst.has(other, rep) {
		if as, err := unused(name, func(as string) error { return dst.in.Link(other, as) }); err == nil {
			return as, nil
		}
	}
	return dst.publish(name, rep, true) // also if the system makes no link
}

// SaveFile saves the body that alts stand for in a new file in dir, and returns the name
// of the file. It is [Folder.Save] in a Folder with that Root and no other field set.
func (r *Resolver) SaveFile(ctx context.Context, alts Alternatives, dir *os.Root) (name string, rep *Report, err error) {
	f := &Folder{Root: dir}
	defer f.Close()
	return f.Save(ctx, r, alts)
}

// A fileSink is the Sink of a Folder.
type fileSink struct {
	*Folder
	in   *atomicfile.Folder
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
		s.file, err = s.in.Create()
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

// publish names the file, with a name that nothing has, and returns the name. With twins, a
// file that has a name that is tried, and the octets of the body, is taken instead.
func (s *fileSink) publish(name string, rep *Report, twins bool) (string, error) {
	if err := s.create(); err != nil {
		return "", err
	}
	twin := false
	as, err := unused(name, func(as string) error {
		err := s.file.Publish(as)
		if twins && errors.Is(err, fs.ErrExist) && s.has(as, rep) {
			twin = true
			return s.in.Settle(as)
		}
		return err
	})
	if err == nil && !twin {
		s.file = nil
	}
	return as, err
}

// has reports whether a file of the folder has the octets of a body. A link does not
// count.
func (s *fileSink) has(name string, rep *Report) bool {
	info, err := s.Root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() != rep.Bytes {
		return false
	}
	f, err := s.Root.Open(name)
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
		stem = name
		ext = ""
	}
	return cutName(stem, maxName-len(ext)-len(suffix)-1) + "-" + suffix + ext
}
