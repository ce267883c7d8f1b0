package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// ErrAway is the error of a bucket that does not answer as it should. Nothing is lost, and
// the next run goes on.
var ErrAway = errors.New("the bucket with the objects of the archive is away")

// remote is a backing in a Store.
type remote struct {
	store Store
	temp  string // the folder for drafts
}

// The longest time of a request for a few octets, and of storing an object.
const (
	askTime = time.Minute
	putTime = 30 * time.Minute
)

// key returns the name in a Store of a file. The name of an object there is its digest alone.
func key(name string) string { return cmp.Or(Sum(name), name) }

// away returns an error of the bucket as a backing has it.
func away(err error) error {
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return err
	case errors.Is(err, ErrRefused):
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

func within(d time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	return away(f(ctx))
}

func (s remote) create() (*atomicfile.File, error) { return atomicfile.Temp(s.temp) }

func (s remote) sync(string) error { return nil } // it is durable once it is there

func (s remote) near(string) bool { return true }

func (s remote) abort() error { return within(askTime, s.store.Abort) }

func (s remote) publish(f *atomicfile.File, size int64, name string, check func() error) (sync func() error, err error) {
	return func() error {
		defer f.Discard()
		switch err := check(); {
		case err == nil:
			return nil
		case errors.Is(err, ErrDigest):
			if err := s.remove(name); err != nil {
				return err
			}
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		return within(putTime, func(ctx context.Context) error {
			return s.store.Put(ctx, key(name), size, io.NewSectionReader(f.File, 0, size))
		})
	}, nil
}

func (s remote) stat(name string) (size int64, err error) {
	err = within(askTime, func(ctx context.Context) error {
		size, err = s.store.Stat(ctx, key(name))
		return err
	})
	return size, err
}

func (s remote) remove(name string) error {
	return within(askTime, func(ctx context.Context) error { return s.store.Delete(ctx, key(name)) })
}

func (s remote) walk(f func(name string) error) error {
	for name, err := range s.store.List(context.Background()) {
		if err != nil {
			return away(err)
		}
		if name == markName {
			continue
		}
		if IsSum(name) {
			name = Name(name)
		}
		if err := f(name); err != nil {
			return err
		}
	}
	return nil
}

// markName is the name in a Store of the mark. No digest is so short.
const markName = "head"

// maxMark bounds the octets of a mark that are read.
const maxMark = 64 << 10

func (s remote) mark() (text []byte, err error) {
	err = within(askTime, func(ctx context.Context) error {
		r, _, err := s.store.Open(ctx, markName)
		if err != nil {
			return err
		}
		defer r.Close()
		text, err = io.ReadAll(io.LimitReader(r, maxMark))
		return err
	})
	return text, err
}

func (s remote) setMark(text []byte) error {
	return within(askTime, func(ctx context.Context) error { return s.store.Replace(ctx, markName, text) })
}

func (s remote) open(name string) (io.ReadCloser, int64, error) {
	ctx, cancel := context.WithCancel(context.Background())
	r, size, err := s.store.Open(ctx, key(name))
	if err != nil {
		cancel()
		return nil, 0, away(err)
	}
	return &download{r, cancel}, size, nil
}

// A download is an object that comes from a bucket.
type download struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (d *download) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%w: %w", ErrAway, err)
	}
	return n, err
}

func (d *download) Close() error {
	d.cancel()
	return d.ReadCloser.Close()
}
