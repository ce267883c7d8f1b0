package inspect

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A timed reads a message until a time. After that, and when its context has ended, reading
// fails. It bounds the time for messages that are made to take long.
type timed struct {
	r     io.ReaderAt
	ctx   context.Context
	until time.Time // the zero Time means no bound
}

var errTime = errors.New("reading the message takes too long")

// ReadAt implements io.ReaderAt. Its own error is of Kind TooLarge.
func (t *timed) ReadAt(p []byte, off int64) (int, error) {
	if !t.until.IsZero() && (t.ctx.Err() != nil || time.Now().After(t.until)) {
		return 0, &fetch.Error{Op: "read", Kind: fetch.TooLarge, Err: errTime}
	}
	return t.r.ReadAt(p, off)
}
