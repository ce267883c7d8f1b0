package progress_test

import (
	"errors"
	"io"
	"testing"

	"github.com/go-extbody/extbody/internal/codec/progress"
)

// A stutter returns nothing for a number of Reads, and then an octet.
type stutter int

func (s *stutter) Read(p []byte) (int, error) {
	if *s > 0 {
		*s--
		return 0, nil
	}
	p[0] = 'x'
	return 1, nil
}

func TestRead(t *testing.T) {
	for empty, want := range map[stutter]error{0: nil, progress.MaxEmpty - 1: nil, progress.MaxEmpty: io.ErrNoProgress} {
		n, err := progress.Read(&empty, make([]byte, 4))
		if !errors.Is(err, want) || (n == 1) != (want == nil) {
			t.Errorf("got %d, %v; want %v", n, err, want)
		}
	}
}
