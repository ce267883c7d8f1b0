package source

import (
	"testing"
	"testing/synctest"
)

// A room lets in what fits, and alone what never does.
func TestRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(10)
		in := 0
		r.take(6)
		r.take(4)
		go func() {
			for _, n := range []int64{1, 20, 10} {
				r.take(n)
				in++
			}
		}()
		for i, step := range []struct {
			give int64
			in   int
		}{{0, 0}, {4, 1}, {6, 1}, {1, 2}, {20, 3}} {
			r.give(step.give)
			synctest.Wait()
			if in != step.in {
				t.Errorf("step %d: got %d let in, want %d", i, in, step.in)
			}
		}
	})
}
