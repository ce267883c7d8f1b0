// Package filehash has the digests by which file hosts describe their files and for which the standard
// library has no hash.
package filehash

import (
	"crypto/sha256"
	"hash"
)

// blockSize is the size of the blocks that Dropbox hashes: 4 MiB.
const blockSize = 4 << 20

// A dropbox is the content hash of Dropbox: the SHA-256 of the SHA-256 sums of the blocks of a file.
type dropbox struct {
	all   hash.Hash // of the sums of the blocks that are whole
	block hash.Hash
	n     int // octets in block
}

// NewDropbox returns a hash that computes the content hash of Dropbox.
func NewDropbox() hash.Hash { return &dropbox{all: sha256.New(), block: sha256.New()} }

// Write implements [io.Writer]. It returns no error.
func (d *dropbox) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := min(len(rest), blockSize-d.n)
		d.block.Write(rest[:n])
		d.n += n
		rest = rest[n:]
		if d.n == blockSize {
			d.all.Write(d.block.Sum(nil))
			d.block.Reset()
			d.n = 0
		}
	}
	return len(p), nil
}

// Sum implements [hash.Hash].
func (d *dropbox) Sum(b []byte) []byte {
	if d.n == 0 {
		return d.all.Sum(b)
	}
	// A copy takes the block that is not whole, so that more can be written.
	all, err := d.all.(hash.Cloner).Clone()
	if err != nil {
		panic(err) // no hash of the standard library returns one
	}
	all.Write(d.block.Sum(nil))
	return all.Sum(b)
}

// Reset implements [hash.Hash].
func (d *dropbox) Reset() {
	d.all.Reset()
	d.block.Reset()
	d.n = 0
}

// Size implements [hash.Hash].
func (d *dropbox) Size() int { return sha256.Size }

// BlockSize implements [hash.Hash].
func (d *dropbox) BlockSize() int { return sha256.BlockSize }
