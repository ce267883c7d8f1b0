package mailbox

import (
	"context"
	"sync"
	"sync/atomic"
)

const (
	// batchSize is how many files a goroutine takes at a time.
	batchSize = 32

	// aheadOf is how many results for each goroutine may wait for their turn. The
	// candidates in them are open files.
	aheadOf = 2
)

// ordered calls done with the results for the first n numbers, in their order, until it
// returns false. Each of jobs goroutines calls worker once, and calls the function that
// it returns for the numbers that it takes. Before ordered returns, it calls stop,
// waits for the goroutines, and calls drop with the results that done did not get.
func ordered[T any](jobs, n int, stop func(), worker func() func(i int) T, done func(i int, result T) bool, drop func(T)) {
	var (
		wg      sync.WaitGroup
		taken   atomic.Int64
		permits = make(chan struct{}, jobs*aheadOf) // to take a number
		ahead   = make([]chan T, jobs*aheadOf)
	)
	for i := range ahead {
		ahead[i] = make(chan T, 1)
		permits <- struct{}{}
	}
	defer func() {
		stop()
		close(permits)
		wg.Wait()
		for _, c := range ahead {
			close(c)
			for result := range c {
				drop(result)
			}
		}
	}()
	for range jobs {
		wg.Go(func() {
			work := worker()
			for range permits {
				i := int(taken.Add(1)) - 1
				if i >= n {
					return
				}
				ahead[i%len(ahead)] <- work(i)
			}
		})
	}
	for i := range n {
		if !done(i, <-ahead[i%len(ahead)]) {
			return
		}
		permits <- struct{}{}
	}
}

// A found is what a walker yields.
type found struct {
	message *Message
	err     error
}

// each calls visit for the first n numbers, and yields what visit yields in their
// order. That must be little. If messages are judged, several goroutines call visit,
// each with its own walker.
func (w *walker) each(n int, visit func(w *walker, i int) bool) bool {
	batches := (n + batchSize - 1) / batchSize
	jobs := min(w.jobs, batches)
	if w.judge == nil || jobs < 2 {
		for i := range n {
			if !visit(w, i) {
				return false
			}
		}
		return true
	}
	ctx, cancel := context.WithCancel(w.judge.ctx)
	more := true
	ordered(jobs, batches, cancel, func() func(int) []found {
		var list []found
		other := &walker{judge: &judge{ctx: ctx}, yield: func(m *Message, err error) bool {
			list = append(list, found{m, err})
			return true
		}}
		return func(i int) []found {
			list = nil
			for k := i * batchSize; k < min(n, (i+1)*batchSize) && visit(other, k); k++ {
			}
			return list
		}
	}, func(_ int, list []found) bool {
		for ; more && len(list) > 0; list = list[1:] {
			more = w.yield(list[0].message, list[0].err)
		}
		closeAll(list)
		return more
	}, closeAll)
	return more && !w.judge.canceled()
}

func closeAll(list []found) {
	for _, f := range list {
		f.message.Close()
	}
}
