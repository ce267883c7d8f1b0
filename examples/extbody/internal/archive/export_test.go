package archive

import (
	"errors"
	"io"

	remote "github.com/go-extbody/extbody/examples/extbody/internal/objects"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// Encoded returns a Reader of the octets of src in a transfer encoding.
func Encoded(src io.ReadCloser, enc message.Encoding) io.Reader {
	return encode(src, enc)
}

// Instrument wraps the bucket of the archive.
func (a *Archive) Instrument(wrap func(remote.Store) remote.Store) {
	b := a.objects.store.(bucket)
	b.remote = wrap(b.remote)
	a.objects.store = b
}

// BreakIndex has the index fail from now on, as on a disk that fails.
func (a *Archive) BreakIndex() error {
	err := errors.New("broken")
	a.index.broken.Store(&err)
	return nil
}
