package filefetch

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/go-extbody/extbody/fetch"
)

// A body reads a file as long as its context lasts.
type body struct {
	ctx  context.Context
	file *os.File
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	if b.ctx.Err() != nil {
		return 0, context.Cause(b.ctx)
	}
	n, err := b.file.Read(p)
	switch {
	case err == nil || err == io.EOF:
		return n, err
	case errors.Is(err, os.ErrClosed):
		return n, &fetch.Error{Kind: fetch.Local, Err: os.ErrClosed}
	}
	return n, systemError(err)
}

// Close implements [io.Closer].
func (b *body) Close() error {
	b.file.Close()
	return nil
}
