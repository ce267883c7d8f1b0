// Package progress reads from readers that may return neither octets nor an error.
package progress

import "io"

// MaxEmpty is how many times in a row a reader may return neither octets nor an error.
const MaxEmpty = 100

// Read reads at least one octet into p, which must not be empty, or returns an error. The error is
// [io.ErrNoProgress] after MaxEmpty Reads that returned neither.
func Read(r io.Reader, p []byte) (int, error) {
	for range MaxEmpty {
		if n, err := r.Read(p); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}
