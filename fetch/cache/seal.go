package cache

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
)

// A body on disk is verified in chunks, each before any octet of it is given
// out. The digest of a chunk is its GMAC (NIST SP 800-38D section 3) under a key
// that belongs to one draft, made of the store's secret: who cannot read that
// cannot forge it, and it takes a quarter of the time of SHA-256.
const (
	chunkSize = 256 << 10
	tagSize   = 16
	saltSize  = 16
)

// A sealer computes the tags of the chunks of one body. It is safe for
// concurrent use.
type sealer struct{ gcm cipher.AEAD }

// newSealer returns the sealer for a body with the salt salt.
func newSealer(secret []byte, salt [saltSize]byte) (sealer, error) {
	block, err := aes.NewCipher(derive(secret, "body", string(salt[:])))
	if err != nil {
		return sealer{}, err
	}
	gcm, err := cipher.NewGCM(block)
	return sealer{gcm}, err
}

// tag appends the tag of chunk number i to dst.
func (s sealer) tag(dst []byte, i int64, chunk []byte) []byte {
	var nonce [12]byte
	binary.BigEndian.PutUint64(nonce[4:], uint64(i))
	return s.gcm.Seal(dst, nonce[:], nil, chunk)
}

// verify reports whether tag is that of chunk number i.
func (s sealer) verify(tag []byte, i int64, chunk []byte) bool {
	var buf [tagSize]byte
	return subtle.ConstantTimeCompare(s.tag(buf[:0], i, chunk), tag) == 1
}

// derive returns the HMAC-SHA-256 of parts, for a purpose of its own.
func derive(secret []byte, purpose string, parts ...string) []byte {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(purpose))
	h.Write([]byte{0})
	for _, p := range parts {
		h.Write([]byte(p))
	}
	return h.Sum(nil)
}

// newSalt returns a salt that no other body has.
func newSalt() (salt [saltSize]byte) {
	rand.Read(salt[:])
	return salt
}

// chunks returns the number of chunks of a body.
func chunks(size int64) int64 { return (size + chunkSize - 1) / chunkSize }
