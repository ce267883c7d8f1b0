package discover

import (
	"math/rand/v2"
	"testing"
)

// TestIndexDash compares with a search octet by octet, at all places of a dash.
func TestIndexDash(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	wanted := func(b []byte, i int) bool {
		return i+1 < len(b) && b[i] == '-' && (b[i-1]|0x20 == 'l' && b[i+1]|0x20 == 'b' || b[i-1]|0x20 == 't' && b[i+1]|0x20 == 't' || b[i-1] == '7' && b[i+1]|0x20 == 'm' || b[i-1] == '\n' && b[i+1] == '-')
	}
	const letters = "---lLtTbB\ndM7m\x0a\x2a\x4cx"
	for range 20_000 {
		b, often := make([]byte, 2+r.IntN(1200)), 1+r.IntN(40)
		for i := range b {
			b[i] = 'x'
			if r.IntN(often) == 0 {
				b[i] = letters[r.IntN(len(letters))]
			}
		}
		from := 1 + r.IntN(len(b)-1)
		to := from + r.IntN(len(b)-from+1)
		for i := from; i < to; i++ {
			next := indexDash(b, from, to)
			if next < from || next > to || next < to && b[next] != '-' {
				t.Fatalf("from %d to %d: got %d, want a dash of %q, or the end", from, to, next, b)
			}
			for ; i < min(next, to); i++ {
				if wanted(b, i) {
					t.Fatalf("from %d to %d got %d, want %d in %q", from, to, next, i, b)
				}
			}
			from = next + 1
		}
	}
}
