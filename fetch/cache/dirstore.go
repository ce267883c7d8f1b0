package cache

import (
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
)

// A dirStore is the Store of Dir.
type dirStore struct {
	root   *os.Root
	max    int64
	secret []byte

	mu    sync.Mutex // of usage
	usage *os.File   // locked against other processes while its content changes

	tmp     string   // of this process
	tmpLock *os.File // locked while the process lives

	files atomic.Uint64 // temporary ones so far
}

// openFile opens a file and returns its info. It does not wait for the other end of a named
// pipe.
func (d *dirStore) openFile(name string) (*os.File, fs.FileInfo, error) {
	f, err := d.root.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}
