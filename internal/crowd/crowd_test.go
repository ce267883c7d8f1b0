package crowd

import (
	"sync"
	"testing"
)

// Without the goroutines of the message before it the next one goes first.
func TestAsDone(t *testing.T) {
	groups := func(yield func([]int) bool) {
		for g := range 5 {
			var tasks []int
			for i := range []int{1000, 1, 0, 7, 5}[g] {
				tasks = append(tasks, g*10000+i)
			}
			if !yield(tasks) {
				return
			}
		}
	}
	last := make(chan struct{})
	var mu sync.Mutex
	running, most := make(map[int]int), make(map[int]int)
	all := 0
	seen := make(map[int]bool)
	AsDone(64, 8, groups, func(task int) {
		g := task / 10000
		mu.Lock()
		running[g]++
		all++
		most[g], most[-1] = max(most[g], running[g]), max(most[-1], all)
		mu.Unlock()
		if task == 40004 {
			close(last)
		}
		<-last
		mu.Lock()
		running[g]--
		all--
		mu.Unlock()
	}, func(task int) {
		if seen[task] {
			t.Errorf("task %d: done twice", task)
		}
		seen[task] = true
	})
	if len(seen) != 1013 {
		t.Errorf("got %d tasks done, want 1013", len(seen))
	}
	for g, n := range most {
		if limit := map[bool]int{true: 64, false: 8}[g < 0]; n > limit {
			t.Errorf("group %d: got %d at a time, want %d at most", g, n, limit)
		}
	}
}
