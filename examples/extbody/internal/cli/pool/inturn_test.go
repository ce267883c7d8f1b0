package pool

import (
	"sync"
	"testing"
)

// Tasks are reported in their order, whoever was the first to be done. A task that hangs
// holds up the reports, and after a while the tasks after it. No more goroutines work than
// those that do not wait.
func TestInTurn(t *testing.T) {
	const n = 3 * Lead
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
	InTurn(Limits{Busy: 4, All: 50, Group: 50}, groups, func(task int, waits func(bool)) {
		mu.Lock()
		now++
		most = max(most, now)
		if task == Lead {
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
		if task == 1 && begun > 2*Lead {
			t.Errorf("got %d tasks begun while the second hangs, want at most %d", begun, 2*Lead)
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
