package rewrite

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"hash"
)

var newHash = map[string]func() hash.Hash{"md5": md5.New, "sha-1": sha1.New, "sha-256": sha256.New}

// A form is the decoded octets of a part with some line ends.
type form struct {
	n      int64
	hashes map[string]hash.Hash
}

func newForm(algorithms ...string) *form {
	f := &form{hashes: make(map[string]hash.Hash)}
	for _, name := range algorithms {
		f.hashes[name] = newHash[name]()
	}
	return f
}

// Write takes the next octets. It never fails.
func (f *form) Write(p []byte) (int, error) {
	f.n += int64(len(p))
	for _, h := range f.hashes {
		h.Write(p)
	}
	return len(p), nil
}
