package dovecot

import (
	"testing"
)

func TestVersion(t *testing.T) {
	for out, want := range map[string][2]int{
		"2.3.19.1 (9b53102964)\n": {2, 3},
		"2.4.1-4 (7d8c0e5759)\n":  {2, 4},
		"":                        {0, 0},
	} {
		if major, minor := version(out); [2]int{major, minor} != want {
			t.Errorf("%q: got %d.%d, want %d.%d", out, major, minor, want[0], want[1])
		}
	}
}
