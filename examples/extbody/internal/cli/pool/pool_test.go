package pool

import (
	"sync"
	"testing"
)

// Results are reported in the order of the tasks. A task that hangs holds up the reports,
// and after a while the tasks after it.
func TestOrdered(t *testing.T) {
	const n = 3 * defaultLead
	var mu sync.Mutex
	begun, now, most := 0, 0, 0
	stuck := make(chan struct{})
	groups := func(yield func([]int) bool) {
		for i := 0; i < n; i += 3 {
			mu.Lock()
			begun = i + 3
			mu.Unlock()
			if !yield([]int{i, i + 1, i + 2}) {
				return
			}
		}
	}
	var got []int
	Run(Options{Workers: 4, Ordered: true}, groups, func(task int) {
		mu.Lock()
		now++
		most = max(most, now)
		if task == defaultLead {
			close(stuck)
		}
		mu.Unlock()
		if task == 1 {
			<-stuck
		}
		mu.Lock()
		now--
		mu.Unlock()
	}, func(task int) {
		mu.Lock()
		defer mu.Unlock()
		if task == 1 && begun > defaultLead+2*maxReady {
			t.Errorf("got %d tasks begun while the second hangs, want at most %d", begun, defaultLead+2*maxReady)
		}
		got = append(got, task)
	})
	for i, task := range got {
		if task != i {
			t.Fatalf("report %d: got task %d, want the same", i, task)
		}
	}
	if len(got) != n || most > 4 {
		t.Errorf("got %d reports and %d at a time, want %d and 4", len(got), most, n)
	}
}

// A large group has no more than its share of the workers, so the next one starts before
// it ends.
func TestShare(t *testing.T) {
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
	Run(Options{Workers: 64, Share: 8}, groups, func(task int) {
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
