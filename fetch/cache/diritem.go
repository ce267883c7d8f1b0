package cache

import (
	"io"
	"os"
)

// A dirItem is an entry and the file of its body.
type dirItem struct {
	store  *DirStore
	record *record
	object string
	file   *os.File
	seal   sealer
}

func (it *dirItem) Meta() []byte { return it.record.meta }

func (it *dirItem) Size() int64 { return it.record.size }

func (it *dirItem) Close() error { return it.file.Close() }

func (it *dirItem) Open() io.ReadCloser { return newChunkReader(it) }

// chunk reads chunk number i into buf and verifies it.
func (it *dirItem) chunk(buf []byte, i int64) ([]byte, error) {
	buf = buf[:min(chunkSize, it.record.size-i*chunkSize)]
	if _, err := it.file.ReadAt(buf, i*chunkSize); err != nil {
		if err == io.EOF {
			err = ErrCorrupt // it has become shorter
		}
		return nil, err
	}
	if !it.seal.verify(it.record.tags[i*tagSize:][:tagSize], i, buf) {
		it.spoil()
		return nil, ErrCorrupt
	}
	return buf, nil
}

// spoil removes a body that is not what its name says, so that it is stored
// anew.
func (it *dirItem) spoil() {
	it.store.locked(func() error {
		now, err := it.store.root.Lstat(it.object)
		if err != nil {
			return err
		}
		// Another process may have replaced it by a good one.
		if mine, err := it.file.Stat(); err != nil || !os.SameFile(mine, now) {
			return err
		}
		if err := it.store.root.Remove(it.object); err != nil {
			return err
		}
		return it.store.add(-now.Size())
	})
}
