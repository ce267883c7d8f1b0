package fetch

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
)

// A Digest is a server's digest of the octets it sends. It protects the transfer, and
// proves nothing about the file that the sender of a reference meant.
type Digest struct {
	Field     string // where it was said: "repr-digest", "content-digest", "content-md5"
	Algorithm string // "sha-256", "sha-512" or "md5"; others are ignored (RFC 9530 section 5)
	Sum       []byte
}

// A digester computes one Digest.
type digester struct {
	Digest
	hash hash.Hash
}

// newDigesters returns a digester for each Digest whose algorithm is known.
func newDigesters(digests []Digest) []digester {
	var ds []digester
	for _, d := range digests {
		var h hash.Hash
		switch d.Algorithm {
		case "sha-256":
			h = sha256.New()
		case "sha-512":
			h = sha512.New()
		case "md5":
			h = md5.New()
		default:
			continue
		}
		ds = append(ds, digester{d, h})
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
