package mailbox

import (
	"os"
	"sync/atomic"
)

// A sharedFile is a file that is closed when its last user releases it.
type sharedFile struct {
	*os.File
	users atomic.Int64
}

func newSharedFile(f *os.File) *sharedFile {
	s := &sharedFile{File: f}
	s.users.Store(1)
	return s
}

// retain adds a user. The caller is a user already.
func (s *sharedFile) retain() { s.users.Add(1) }

func (s *sharedFile) release() error {
	if s.users.Add(-1) > 0 {
		return nil
	}
	return s.File.Close()
}
