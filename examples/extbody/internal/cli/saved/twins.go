package saved

import (
	"crypto/sha256"
	"sync"

	"github.com/go-extbody/extbody/externalbody"
)

// Twins are the files that a run saved, by the digest of their octets, so that equal
// bodies are kept once. Several goroutines may call its methods at once.
type Twins struct {
	mu    sync.Mutex
	files map[[sha256.Size]byte]*twin
}

// A twin is a file that has its name, or is about to have it.
type twin struct {
	owner *externalbody.Report
	named chan struct{} // closed when it is known whether there is a file
	name  string        // "" if there is none
}

// maxTwins bounds the files that are remembered.
const maxTwins = 1 << 17

// NewTwins returns Twins without files.
func NewTwins() *Twins { return &Twins{files: make(map[[sha256.Size]byte]*twin)} }

// Find is for the field Stored of a Resolver. The first caller with a digest makes the
// file, and the others wait for it.
func (s *Twins) Find(rep *externalbody.Report) string {
	s.mu.Lock()
	sum := [sha256.Size]byte(rep.SHA256)
	t := s.files[sum]
	if t == nil {
		if len(s.files) < maxTwins {
			s.files[sum] = &twin{owner: rep, named: make(chan struct{})}
		}
		s.mu.Unlock()
		return ""
	}
	s.mu.Unlock()
	<-t.named
	return t.name
}

// Saved reports what became of a body: the name of its file, or "" if there is none.
func (s *Twins) Saved(rep *externalbody.Report, name string) {
	if len(rep.SHA256) != sha256.Size {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := [sha256.Size]byte(rep.SHA256)
	t := s.files[sum]
	if t == nil || t.owner != rep {
		return
	}
	if t.name = name; name == "" {
		delete(s.files, sum)
	}
	t.owner = nil
	close(t.named)
}
