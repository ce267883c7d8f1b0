package filehash

import (
	"crypto/subtle"
	"encoding/binary"
	"hash"
)

// The sum of QuickXorHash has 160 bits, and each octet is combined with it 11 bits further on than the one
// before.
const (
	xorSize  = 20
	xorBits  = 8 * xorSize
	xorShift = 11
)

// A quickXor combines the octets whose positions have the same remainder by xorBits: since xorShift and
// xorBits have no common divisor, these octets meet at the same bits of the sum.
type quickXor struct {
	columns [xorBits]byte
	n       uint64
}

// NewQuickXor returns a hash that computes QuickXorHash, the digest of files in OneDrive and SharePoint. It
// finds accidents and withstands no attacker: a file with any wanted sum is made at once.
func NewQuickXor() hash.Hash { return new(quickXor) }

// Write implements [io.Writer]. It returns no error.
func (q *quickXor) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		columns := q.columns[q.n%xorBits:]
		n := subtle.XORBytes(columns, columns, rest)
		q.n += uint64(n)
		rest = rest[n:]
	}
	return len(p), nil
}

// Sum implements [hash.Hash].
func (q *quickXor) Sum(b []byte) []byte {
	var sum [xorSize]byte
	for i, c := range q.columns {
		at := i * xorShift % xorBits
		wide := uint16(c) << (at % 8)
		sum[at/8] ^= byte(wide)
		sum[(at/8+1)%xorSize] ^= byte(wide >> 8)
	}
	length := sum[xorSize-8:]
	binary.LittleEndian.PutUint64(length, binary.LittleEndian.Uint64(length)^q.n)
	return append(b, sum[:]...)
}

// Reset implements [hash.Hash].
func (q *quickXor) Reset() { *q = quickXor{} }

// Size implements [hash.Hash].
func (q *quickXor) Size() int { return xorSize }

// BlockSize implements [hash.Hash].
func (q *quickXor) BlockSize() int { return xorBits }
