package cache

import (
	"fmt"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// TestMaxNegatives: so many errors are remembered, and the next one replaces
// others.
func TestMaxNegatives(t *testing.T) {
	c := New(fetch.Func(nil), Memory(1), nil)
	for i := range maxNegatives + 1 {
		key := fmt.Sprint(i)
		c.remember(&ask{key: key}, fetch.NotFound)
		if c.negative(key) == nil {
			t.Fatalf("%d: got nothing remembered, want %v", i, fetch.NotFound)
		}
		if i == maxNegatives-1 && (c.known.Len() != maxNegatives || c.negative("0") == nil) {
			t.Errorf("got %d errors, want all of %d", c.known.Len(), maxNegatives)
		}
	}
	if c.known.Len() > maxNegatives {
		t.Errorf("got %d errors, want at most %d", c.known.Len(), maxNegatives)
	}
}

// TestMaxBroken: so many damaged entries are remembered.
func TestMaxBroken(t *testing.T) {
	c := New(fetch.Func(nil), Memory(1), nil)
	for i := range maxBroken + 1 {
		key := fmt.Sprint(i)
		c.damaged(key)
		if !c.isBroken(key) {
			t.Fatalf("%d: got it used again, want it not", i)
		}
		if i == maxBroken-1 && !c.isBroken("0") {
			t.Errorf("got the first of %d forgotten, want it not", maxBroken)
		}
	}
	if c.broken.Len() > maxBroken {
		t.Errorf("got %d entries, want at most %d", c.broken.Len(), maxBroken)
	}
}
