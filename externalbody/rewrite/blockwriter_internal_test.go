package rewrite

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// offsets records where writes begin.
type offsets struct {
	bytes.Buffer
	at []int
}

func (o *offsets) Write(p []byte) (int, error) {
	o.at = append(o.at, o.Len())
	return o.Buffer.Write(p)
}

// TestBlockWriter: what is written is what comes out, and all writes but the
// first begin at a block.
func TestBlockWriter(t *testing.T) {
	want := make([]byte, 10*writeSize+77)
	rand.NewChaCha8([32]byte{1}).Read(want)
	for _, step := range []int{1000, writeSize - 1, writeSize, writeSize + 1, 3 * writeSize, len(want)} {
		for _, start := range []int{0, 1, writeSize - 1, writeSize} {
			o := &offsets{}
			o.Buffer.Write(make([]byte, start))
			w := newBlockWriter(o)
			w.reset(int64(start))
			for p := want; len(p) > 0; p = p[min(step, len(p)):] {
				if n, err := w.Write(p[:min(step, len(p))]); err != nil || n != min(step, len(p)) {
					t.Fatalf("got %d, %v, want %d, nil", n, err, min(step, len(p)))
				}
			}
			if err := w.Flush(); err != nil || !bytes.Equal(o.Bytes()[start:], want) || w.at != int64(o.Len()) {
				t.Errorf("%d at %d: got %v, %d octets up to %d, want nil, the %d written up to %d", step, start, err, o.Len()-start, w.at, len(want), o.Len())
			}
			for i, at := range o.at {
				if i > 0 && at%writeSize != 0 {
					t.Errorf("%d at %d: got a write at %d, want a multiple of %d", step, start, at, writeSize)
				}
			}
		}
	}
}
