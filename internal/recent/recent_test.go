package recent_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-extbody/extbody/internal/recent"
)

// TestMap compares a Map with a slice of its keys, the oldest first.
func TestMap(t *testing.T) {
	const most, keys = 4, 8
	m := recent.Map[int, int]{Max: most}
	var want []int
	for i := range 10_000 {
		key := rand.IntN(keys)
		want = slices.DeleteFunc(want, func(k int) bool { return k == key })
		if rand.IntN(4) == 0 {
			m.Delete(key)
		} else {
			m.Put(key, i)
			if want = append(want, key); len(want) > most {
				want = want[1:]
			}
			if got, ok := m.Get(key); !ok || got != i {
				t.Fatalf("got %d, %t, want the value that was put, %d", got, ok, i)
			}
		}
		for k := range keys {
			if _, ok := m.Get(k); ok != slices.Contains(want, k) {
				t.Fatalf("%d: got %t, want the keys %v", k, ok, want)
			}
		}
		if m.Len() != len(want) {
			t.Fatalf("got %d entries, want %d", m.Len(), len(want))
		}
	}
}
