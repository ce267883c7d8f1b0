package archive

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	remote "github.com/go-extbody/extbody/examples/extbody/internal/objects"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// ErrAway is the error of a bucket that does not answer as it should. Nothing is lost, and
// the next run goes on.
var ErrAway = errors.New("the bucket with the objects of the archive is away")

// ErrElsewhere is the error of a bucket for an archive whose objects are somewhere else.
var ErrElsewhere = errors.New("the objects of the archive are somewhere else")

// locate opens the store of the objects, after it has seen that the folder is an archive. temp is
// a folder for temporary files. The error is ErrNone if it is not an archive, and ErrLost if its
// ledger is lost.
func (a *Archive) locate(temp string) error {
	if _, err := os.Stat(a.ledgerDir()); err != nil {
		return cmp.Or(a.remains(), fmt.Errorf("%s: %w", a.dir, ErrNone))
	}
	return a.store(temp)
}

// store opens the store of the objects. It is the folder objects, or, if objects is a file, the
// bucket whose URL is in it.
func (a *Archive) store(temp string) error {
	dir := filepath.Join(a.dir, "objects")
	if info, err := os.Lstat(dir); err != nil || !info.Mode().IsRegular() {
		a.objects = objects{folder{dir}}
		return nil
	}
	text, err := readSmall(dir)
	if err != nil {
		return err
	}
	place := strings.TrimSpace(string(text))
	if folder, ok := strings.CutPrefix(place, "file://"); ok {
		if _, err := os.Stat(folder); err != nil { // it may not be mounted
			return fmt.Errorf("%w: %w", ErrAway, err)
		}
	}
	s, err := remote.Open(place)
	a.objects, a.url = objects{bucket{s, temp}}, place
	return err
}

// settle makes the folder objects, or a file with a URL below base, which no other archive
// has. The objects of an archive stay where they were when it was made.
func (a *Archive) settle(made bool) error {
	name := filepath.Join(a.dir, "objects")
	if a.base == "" {
		return nil
	}
	base, err := url.Parse(a.base)
	if err != nil {
		return errors.New("the URL of the objects cannot be read")
	}
	info, err := os.Lstat(name)
	switch {
	case err == nil && info.Mode().IsRegular():
		text, err := readSmall(name)
		if u, uerr := url.Parse(strings.TrimSpace(string(text))); err == nil && uerr == nil {
			u.Path = path.Dir(u.Path)
			if u.String() == below(base, "").String() {
				return nil
			}
		}
		return fmt.Errorf("%s: %w", name, ErrElsewhere)
	case made, err == nil && os.Remove(name) != nil: // a folder that has objects cannot be removed
		return fmt.Errorf("%s: %w", name, ErrElsewhere)
	}
	place := below(base, strings.ToLower(rand.Text())).String()
	s, err := remote.Open(place)
	if err != nil {
		return err
	}
	if _, err := (bucket{s, ""}).stat("none"); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return writeFile(name, []byte(place+"\n"))
}

// below returns the URL of a name below the path of u.
func below(u *url.URL, name string) *url.URL {
	c := *u
	c.Path = path.Join("/", u.Path, name)
	return &c
}

// key returns the name in a bucket of a file. The name of an object there is its digest alone.
func key(name string) string { return cmp.Or(sumOfName(name), name) }

// A bucket is a store in a bucket.
type bucket struct {
	remote remote.Store
	temp   string // the folder for drafts
}

// The longest time of a request for a few octets, of a Read, and of storing an object.
const (
	askTime   = time.Minute
	stallTime = time.Minute
	putTime   = 30 * time.Minute
)

// away returns an error of the bucket as store has it.
func away(err error) error {
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return err
	case errors.Is(err, remote.ErrRefused):
		return &refusal{err}
	}
	return fmt.Errorf("%w: %w", ErrAway, err)
}

// A refusal is the error of a bucket that refuses the credentials. It matches ErrAway, since the bucket
// cannot be used, and its text names the mistake.
type refusal struct{ error }

// Is implements the function for [errors.Is].
func (*refusal) Is(target error) bool { return target == ErrAway }

// Unwrap returns the error of the bucket.
func (r *refusal) Unwrap() error { return r.error }

// ErrRefused is the error of a bucket that refuses the credentials. Such an error matches ErrAway too.
var ErrRefused = remote.ErrRefused

func within(d time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	return away(f(ctx))
}

func (s bucket) create() (*atomicfile.File, error) { return atomicfile.Temp(s.temp) }

func (s bucket) sync(string) error { return nil } // it is durable once it is there

func (s bucket) near(string) bool { return true }

func (s bucket) abort() error { return within(askTime, s.remote.Abort) }

func (s bucket) publish(f *atomicfile.File, size int64, name string, check func() error) (sync func() error, err error) {
	return func() error {
		defer f.Discard()
		switch err := check(); {
		case err == nil:
			return nil
		case errors.Is(err, errDigest):
			if err := s.remove(name); err != nil {
				return err
			}
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		return within(putTime, func(ctx context.Context) error {
			return s.remote.Put(ctx, key(name), size, io.NewSectionReader(f.File, 0, size))
		})
	}, nil
}

func (s bucket) stat(name string) (size int64, err error) {
	err = within(askTime, func(ctx context.Context) error {
		size, err = s.remote.Stat(ctx, key(name))
		return err
	})
	return size, err
}

func (s bucket) remove(name string) error {
	return within(askTime, func(ctx context.Context) error { return s.remote.Delete(ctx, key(name)) })
}

func (s bucket) walk(f func(name string) error) error {
	for name, err := range s.remote.List(context.Background()) {
		if err != nil {
			return away(err)
		}
		if isSum(name) {
			name = objectName(name)
		}
		if err := f(name); err != nil {
			return err
		}
	}
	return nil
}

func (s bucket) open(name string) (io.ReadCloser, int64, error) {
	ctx, cancel := context.WithCancel(context.Background())
	stall := time.AfterFunc(stallTime, cancel)
	r, size, err := s.remote.Open(ctx, key(name))
	if err != nil {
		cancel()
		return nil, 0, away(err)
	}
	stall.Stop()
	return &download{r, stall, cancel}, size, nil
}

// A download is an object that comes from a bucket. A Read that takes longer than stallTime
// fails.
type download struct {
	io.ReadCloser
	stall  *time.Timer
	cancel context.CancelFunc
}

func (d *download) Read(p []byte) (int, error) {
	d.stall.Reset(stallTime)
	n, err := d.ReadCloser.Read(p)
	d.stall.Stop()
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%w: %w", ErrAway, err)
	}
	return n, err
}

func (d *download) Close() error {
	d.cancel()
	return d.ReadCloser.Close()
}
