package source

import (
	"context"
	"io"
	"os"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// Hold returns everything that r gives, until release is called. A regular file is read
// in place, from its current offset on. With an error there is nothing to release. If
// ctx ends, its error is returned, though r may still be waited for in the background.
func Hold(ctx context.Context, r io.Reader) (text *io.SectionReader, release func(), err error) {
	if f, ok := r.(*os.File); ok {
		if text := rest(f); text != nil {
			return text, func() {}, nil
		}
	}
	s := new(spool.Spool)
	err = exit.OrInterrupted(ctx, func() error {
		_, err := io.Copy(s, r)
		return err
	})
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return s.Section(), func() { s.Close() }, nil
}

// rest returns the rest of a regular file, or nil if f is something else.
func rest(f *os.File) *io.SectionReader {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	off, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil
	}
	return io.NewSectionReader(f, off, max(0, info.Size()-off))
}
