package archive

import (
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// BreakIndex has the index be read but not written from now on, as on a disk that is full.
func (a *Archive) BreakIndex() error {
	if err := a.index.db.Close(); err != nil {
		return err
	}
	var err error
	a.index.db, err = bolt.Open(filepath.Join(a.dir, workName), 0, &bolt.Options{ReadOnly: true})
	return err
}
