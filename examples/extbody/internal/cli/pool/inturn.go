package pool

import (
	"iter"
	"sync"
)

// InTurn is [AsDone] with the calls of done in the order of the tasks. While more than
// Lead tasks wait for one that comes before them, no other group is begun.
func InTurn[T any](limits Limits, groups iter.Seq[[]T], work func(task T, waits func(bool)), done func(T)) {
	type turn struct {
		task T
		n    int
	}
	var mu sync.Mutex
	moved := sync.NewCond(&mu)
	next := 0 // the turn of which done is called next
	turns := func(yield func([]turn) bool) {
		begun := 0
		for tasks := range groups {
			mu.Lock()
			for begun-next > Lead {
				moved.Wait()
			}
			mu.Unlock()
			group := make([]turn, len(tasks))
			for i, t := range tasks {
				group[i] = turn{t, begun}
				begun++
			}
			if !yield(group) {
				return
			}
		}
	}
	early := make(map[int]T) // those whose work is done before their turn
	AsDone(limits, turns, func(t turn, waits func(bool)) { work(t.task, waits) }, func(t turn) {
		early[t.n] = t.task
		for n := next; ; n++ {
			task, ok := early[n]
			if !ok {
				return
			}
			delete(early, n)
			done(task)
			mu.Lock()
			next = n + 1
			moved.Signal()
			mu.Unlock()
		}
	})
}
