package pool

import (
	"iter"
	"sync"
)

// Lead is how many results may wait for one that comes before them.
const Lead = 256

// InOrder calls work for each of tasks, in up to jobs goroutines, and done for each of
// them in their order. It calls idle before it waits for a result, and returns after
// the last call of done.
func InOrder[T any](jobs int, tasks iter.Seq[T], work, done func(T), idle func()) {
	type slot struct {
		task T
		over chan struct{}
	}
	var wg sync.WaitGroup
	queue := make(chan slot, jobs)
	order := make(chan slot, Lead)
	wg.Go(func() {
		defer close(queue)
		defer close(order)
		for t := range tasks {
			s := slot{t, make(chan struct{})}
			order <- s
			queue <- s
		}
	})
	for range jobs {
		wg.Go(func() {
			for s := range queue {
				work(s.task)
				close(s.over)
			}
		})
	}
	for s := range order {
		select {
		case <-s.over:
		default:
			idle()
			<-s.over
		}
		done(s.task)
	}
	wg.Wait()
}
