package tnef

import (
	"strings"
	"testing"
)

// TestManyGroups checks that the memory for groups within groups is bounded, and that text
// after them is read.
func TestManyGroups(t *testing.T) {
	const groups = 1_000_000
	r := &rtfReader{rest: []byte(strings.Repeat("{", groups) + `\pict a}b` + strings.Repeat("}", groups) + "c"), codepage: 1252}
	for len(r.rest) > 0 {
		r.step()
		if len(r.outer) > maxGroups {
			t.Fatalf("got %d states of groups, want %d at most", len(r.outer), maxGroups)
		}
	}
	r.flush()
	if got := r.out.String(); got != "bc" || len(r.outer) != 0 || r.deeper != 0 {
		t.Errorf("got %q in %d and %d groups, want %q in none", got, len(r.outer), r.deeper, "bc")
	}
}
