package cache

import (
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
)

// A DirStore is a [Store] in a directory. Several processes may use the
// directory at once.
//
// A body is a file below "objects", named by the SHA-256 of its octets, so that
// one body that several URLs give is there once, and sha256sum can check it. An
// entry is a file below "entries", named by an HMAC of its key. Both are written
// to a file below "tmp", synced, and renamed. Files have the mode 0600 and
// directories 0700. The names disclose nothing; the entries hold URLs and headers as they
// are.
//
// An entry has the SHA-256 of its body, and an HMAC under the secret in the file "key".
// A user who can write to the directory, but cannot read that file, can make entries
// disappear, bring back an earlier one with its age, make bodies fail at their end, or
// make the directory unusable, but cannot change an entry or have another body taken for
// whole.
//
// The files of a killed process are removed when the directory is opened, or when room is
// needed. The directory may be deleted at any time, with its content; nothing is stored
// after that until it is opened again.
type DirStore struct {
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
func (d *DirStore) openFile(name string) (*os.File, fs.FileInfo, error) {
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
