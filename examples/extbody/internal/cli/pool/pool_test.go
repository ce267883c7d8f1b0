package pool

import (
	"sync"
	"testing"
)

// Tasks that wait keep nobody from the others, up to the limit on all of them. Of those
// that do not wait no more than the other limit are begun.
func TestAsDoneWaits(t *testing.T) {
	for _, tt := range []struct {
		name  string
		wait  int // of 100 tasks, so many wait for the last one that does not
		limit Limits
		most  int
	}{
		{"None", 0, Limits{Busy: 3, All: 50, Group: 50}, 3},
		{"Some", 40, Limits{Busy: 3, All: 50, Group: 50}, 43},
		{"AllButOne", 49, Limits{Busy: 3, All: 50, Group: 50}, 50},
		{"OneGroup", 9, Limits{Busy: 3, All: 50, Group: 10}, 12},
	} {
		t.Run(tt.name, func(t *testing.T) {
			groups := func(yield func([]int) bool) {
				for g := range 10 {
					var tasks []int
					for i := range 10 {
						tasks = append(tasks, 10*g+i)
					}
					if !yield(tasks) {
						return
					}
				}
			}
			over := make(chan struct{})
			var mu sync.Mutex
			now, most, left := 0, 0, 100-tt.wait
			done := 0
			AsDone(tt.limit, groups, func(task int, waits func(bool)) {
				mu.Lock()
				now++
				most = max(most, now)
				mu.Unlock()
				if task < tt.wait {
					waits(true)
					<-over
					waits(false)
				}
				mu.Lock()
				defer mu.Unlock()
				now--
				if task >= tt.wait {
					if left--; left == 0 {
						close(over)
					}
				}
			}, func(int) { done++ })
			if done != 100 || most > tt.most {
				t.Errorf("got %d done, %d at a time; want 100, %d at most", done, most, tt.most)
			}
		})
	}
}

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
	AsDone(Limits{Busy: 64, All: 64, Group: 8}, groups, func(task int, _ func(bool)) {
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
			t.Errorf("task %d: got it done twice, want once", task)
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
