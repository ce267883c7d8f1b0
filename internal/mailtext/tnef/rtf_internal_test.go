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

// TestDecompress has data at and above the limit, an end before others, and kinds that are not
// known.
func TestDecompress(t *testing.T) {
	const header = "\x00\x00\x00\x00\x00\x00\x00\x00"
	end := string([]byte{0xff & (208 >> 4), 0xff & (208 << 4)}) // to the place that comes next
	for _, tt := range []struct {
		name, data string
		limit      int64
		want       string
		whole      bool
	}{
		{"Literals", header + "LZFu\x00\x00\x00\x00\x00abcdefgh\x00ij", 10, "abcdefghij", true},
		{"MoreThanLimit", header + "LZFu\x00\x00\x00\x00\x00abcdefgh\x00ij", 9, "abcdefghi", false},
		{"End", header + "LZFu\x00\x00\x00\x00\x02a" + end + "bc", 10, "a", true},
		{"HalfToken", header + "LZFu\x00\x00\x00\x00\x02a\x0d", 10, "a", true},
		{"Plain", header + "MELA\x00\x00\x00\x00abc", 3, "abc", true},
		{"PlainMoreThanLimit", header + "MELA\x00\x00\x00\x00abc", 2, "ab", false},
		{"Other", header + "LZFv\x00\x00\x00\x00\x00abc", 10, "", true},
		{"Short", header + "MELA\x00\x00\x00", 10, "", true},
	} {
		got, whole := decompress([]byte(tt.data), tt.limit)
		if string(got) != tt.want || whole != tt.whole {
			t.Errorf("%s: got %q, %t, want %q, %t", tt.name, got, whole, tt.want, tt.whole)
		}
	}
}
