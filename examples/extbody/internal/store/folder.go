package store

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/below"
)

// A folder is a Store in a folder, in folders by the first two octets of the name.
type folder struct{ files files }

func openFolder(path string) (folder, error) {
	return folder{files{filepath.Clean(path)}}, os.MkdirAll(path, 0o700)
}

// shard returns the path of an object below the folder.
func shard(name string) string { return filepath.Join(name[:min(2, len(name))], name) }

func (f folder) Put(_ context.Context, name string, _ int64, r io.Reader) error {
	if _, err := f.files.stat(shard(name)); err == nil {
		return nil
	}
	if err := f.files.makeFolders(shard(name)); err != nil {
		return err
	}
	file, err := f.files.create()
	if err != nil {
		return err
	}
	defer file.Discard()
	if _, err := io.Copy(file, r); err != nil {
		return err
	}
	if err := file.Publish(f.files.path(shard(name))); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func (f folder) Replace(_ context.Context, name string, octets []byte) error {
	if err := f.files.makeFolders(shard(name)); err != nil {
		return err
	}
	return atomicfile.ReplaceFile(f.files.path(shard(name)), func(w io.Writer) error {
		_, err := w.Write(octets)
		return err
	})
}

func (f folder) Open(_ context.Context, name string) (io.ReadCloser, int64, error) {
	file, size, err := below.Open(f.files.dir, shard(name))
	if err != nil {
		return nil, 0, err
	}
	return file, size, nil
}

func (f folder) Stat(_ context.Context, name string) (int64, error) { return f.files.stat(shard(name)) }

func (f folder) Delete(_ context.Context, name string) error { return f.files.remove(shard(name)) }

func (f folder) List(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := f.files.walk(func(path string) error {
			if name := filepath.Base(path); len(name) > 1 && path == shard(name) && !yield(name, nil) {
				return fs.SkipAll
			}
			return ctx.Err()
		})
		if err != nil {
			yield("", err)
		}
	}
}

// Abort does nothing: a file gets its name after it is whole.
func (f folder) Abort(context.Context) error { return nil }
