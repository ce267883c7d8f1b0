package archive

import (
	"io"
	"path/filepath"

	bolt "go.etcd.io/bbolt"

	"github.com/go-extbody/extbody/internal/mime/message"
)

// Encoded returns a Reader of the octets of src in a transfer encoding.
func Encoded(src io.ReadCloser, enc message.Encoding) io.Reader {
	return encode(src, enc)
}

// BreakIndex has the index be read but not written from now on, as on a disk that is full.
func (a *Archive) BreakIndex() error {
	if err := a.index.db.Close(); err != nil {
		return err
	}
	var err error
	a.index.db, err = bolt.Open(filepath.Join(a.dir, workName), 0, &bolt.Options{ReadOnly: true})
	return err
}
