package urlaccess

import (
	"strings"
	"testing"
)

// Every octet at every place of a word, beside every kind of neighbour.
func TestPlainPrefix(t *testing.T) {
	for _, fill := range []string{"!", "~", "#", "A"} {
		for c := range 256 {
			for at := range 17 {
				s := strings.Repeat(fill, at) + string([]byte{byte(c)}) + strings.Repeat(fill, 16-at)
				want := at
				if strings.IndexByte(onlyPlain, byte(c)) >= 0 {
					want = len(s)
				}
				if got := plainPrefix(s); got != want {
					t.Fatalf("%q: got %d, want %d", s, got, want)
				}
			}
		}
	}
}
