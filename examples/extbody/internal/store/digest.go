package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/go-extbody/extbody/internal/netx/lastoctet"
)

// Name returns the path of an object below the folder. If a foreign line names an object
// by text that is not a digest, the path is one that no object has.
func Name(sum string) string {
	if !IsSum(sum) {
		return "none"
	}
	return filepath.Join(sum[:2], sum[2:4], sum)
}

// Sum returns the digest in the name of an object; "" if no object has such a name.
func Sum(name string) string {
	if sum := filepath.Base(name); IsSum(sum) && Name(sum) == name {
		return sum
	}
	return ""
}

// IsSum reports whether s is a SHA-256 in lower-case hexadecimal digits.
func IsSum(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}

// A checkedFile is an object whose digest is computed while it is read.
type checkedFile struct {
	io.Closer
	lastoctet.Reader
}

func checked(f io.ReadCloser, sum string) *checkedFile {
	h := sha256.New()
	return &checkedFile{f, lastoctet.Reader{R: readerFunc(func(p []byte) (int, error) {
		n, err := f.Read(p)
		h.Write(p[:n])
		if err == io.EOF {
			if got := hex.EncodeToString(h.Sum(nil)); got != sum {
				err = fmt.Errorf("%w: %s", ErrDigest, got)
			}
		}
		return n, err
	})}}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// ErrDigest is the error of an object whose octets have another digest than its name.
var ErrDigest = errors.New("its octets have another digest")
