package cache

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"io/fs"
)

// A record is the content of the file of an entry: which body it has, and the meta of the
// cache.
type record struct {
	sum  [sha256.Size]byte // of the body, and the name of its file
	size int64
	meta []byte
}

// The file begins with a line that names the format, and the HMAC of the rest
// and of the name of the file. A file that was cut, changed or renamed is not an entry.
const (
	recordMagic  = "extbody cache 2\n"
	recordFixed  = sha256.Size + 8
	recordPrefix = len(recordMagic) + sha256.Size
)

// encode returns the content of the file name.
func (r *record) encode(secret []byte, name string) []byte {
	b := make([]byte, recordPrefix, recordPrefix+recordFixed+len(r.meta))
	b = append(b, r.sum[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(r.size))
	b = append(b, r.meta...)
	copy(b, recordMagic)
	copy(b[len(recordMagic):], derive(secret, "entry", name, string(b[recordPrefix:])))
	return b
}

// decodeRecord parses the content of the file name. For a file that encode did not write the
// error matches [fs.ErrNotExist].
func decodeRecord(secret []byte, name string, b []byte) (*record, error) {
	if len(b) < recordPrefix+recordFixed || string(b[:len(recordMagic)]) != recordMagic {
		return nil, fs.ErrNotExist
	}
	body := b[recordPrefix:]
	if !hmac.Equal(b[len(recordMagic):recordPrefix], derive(secret, "entry", name, string(body))) {
		return nil, fs.ErrNotExist
	}
	r := new(record)
	copy(r.sum[:], body)
	body = body[sha256.Size:]
	r.size = int64(binary.BigEndian.Uint64(body))
	if r.meta = body[8:]; r.size < 0 {
		return nil, fs.ErrNotExist
	}
	return r, nil
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
