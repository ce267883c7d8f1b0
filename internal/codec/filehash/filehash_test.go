package filehash

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"math/rand/v2"
	"testing"
)

// write writes p to h in pieces, with a Sum between two of them.
func write(h hash.Hash, p []byte) {
	for rest := p; len(rest) > 0; {
		n := min(len(rest), 1+rand.IntN(1+len(p)/3))
		h.Write(rest[:n])
		h.Sum(nil)
		rest = rest[n:]
	}
}

// slowXor is the definition of QuickXorHash, bit by bit: each octet goes in 11 bits further on, and the
// length into the last 64 bits.
func slowXor(p []byte) []byte {
	var sum [xorSize]byte
	at := 0
	for _, c := range p {
		for b := range 8 {
			n := (at + b) % xorBits
			sum[n/8] ^= (c >> b & 1) << (n % 8)
		}
		at = (at + xorShift) % xorBits
	}
	n := uint64(len(p))
	for i := range 8 {
		sum[xorSize-8+i] ^= byte(n >> (8 * i))
	}
	return sum[:]
}

// TestQuickXor holds: the sums are as in the vectors of other programs, and as by the
// definition.
func TestQuickXor(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "AAAAAAAAAAAAAAAAAAAAAAAAAAA="},
		{"J", "SgAAAAAAAAAAAAAAAQAAAAAAAAA="},
	} {
		h := NewQuickXor()
		h.Write([]byte(tt.text))
		if got := base64.StdEncoding.EncodeToString(h.Sum(nil)); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.text, got, tt.want)
		}
	}
	for n := range 700 {
		p := make([]byte, n)
		for i := range p {
			p[i] = byte(rand.Uint32())
		}
		h := NewQuickXor()
		write(h, p)
		if got, want := h.Sum(nil), slowXor(p); !bytes.Equal(got, want) {
			t.Fatalf("%d octets: got %x, want %x", n, got, want)
		}
	}
}

// TestDropbox holds: the sum is the one of the sums of blocks of 4 MiB, at each side of the end of a block.
func TestDropbox(t *testing.T) {
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if got := hex.EncodeToString(NewDropbox().Sum(nil)); got != empty {
		t.Errorf("no octets: got %s, want %s", got, empty)
	}
	for _, n := range []int{1, blockSize - 1, blockSize, blockSize + 1, 2*blockSize + 5} {
		p := make([]byte, n)
		for i := range p {
			p[i] = byte(rand.Uint32())
		}
		var sums []byte
		for rest := p; len(rest) > 0; {
			block := rest[:min(len(rest), blockSize)]
			sum := sha256.Sum256(block)
			sums = append(sums, sum[:]...)
			rest = rest[len(block):]
		}
		want := sha256.Sum256(sums)
		h := NewDropbox()
		write(h, p)
		if got := h.Sum(nil); !bytes.Equal(got, want[:]) {
			t.Errorf("%d octets: got %x, want %x", n, got, want)
		}
		h.Reset()
		if got := hex.EncodeToString(h.Sum(nil)); got != empty {
			t.Errorf("%d octets, after Reset: got %s, want %s", n, got, empty)
		}
	}
}
