package archive

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/file/below"
)

// maxSmall bounds the files that are read whole, heads and stamps, in octets.
const maxSmall = 1 << 20

var errLarge = errors.New("is larger than 1 MiB")

// readSmall returns the content of a file of at most maxSmall octets.
func readSmall(path string) ([]byte, error) {
	f, size, err := below.Open(filepath.Dir(path), filepath.Base(path))
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

// put makes the object with a digest of the octets of r. It is on the disk when the function sync
// has returned nil. The error is a *localError if the store failed, and mailbox.ErrChanged if r has
// another digest.
func put(o store.Objects, r io.Reader, sum string) (sync func() error, err error) {
	d, err := o.Draft()
	if err != nil {
		return nil, &localError{err}
	}
	defer d.Discard()
	if _, err := io.Copy(d, r); d.Err() != nil {
		return nil, &localError{d.Err()}
	} else if err != nil {
		return nil, err
	}
	if d.Sum() != sum {
		return nil, mailbox.ErrChanged
	}
	_, sync, err = d.Publish()
	if err != nil {
		return nil, &localError{err}
	}
	return sync, nil
}
