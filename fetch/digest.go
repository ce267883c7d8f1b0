package fetch

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"

	"github.com/go-extbody/extbody/internal/codec/filehash"
)

// A digester computes one Digest.
type digester struct {
	Digest
	hash hash.Hash
}

var hashes = map[string]func() hash.Hash{
	"sha-256": sha256.New, "sha-512": sha512.New, "md5": md5.New,

	// The APIs of file hosts have these; fields of HTTP with them are not read.
	"sha-1": sha1.New, "quickxor": filehash.NewQuickXor, "dropbox": filehash.NewDropbox,
}

// newDigesters returns a digester for each Digest whose algorithm is known.
func newDigesters(digests []Digest) []digester {
	var ds []digester
	for _, d := range digests {
		if h := hashes[d.Algorithm]; h != nil {
			ds = append(ds, digester{d, h()})
		}
	}
	return ds
}

func (d *digester) check() Check {
	c := Check{Name: d.Field + " " + d.Algorithm, Status: Match}
	sum := d.hash.Sum(nil)
	switch {
	case len(d.Sum) != len(sum):
		c.Status = BadDigest
	case !bytes.Equal(d.Sum, sum):
		c.Status = Mismatch
	}
	return c
}
