package mailbox

import (
	"context"
	"sync"
	"sync/atomic"
)

const (
	// batchSize is how many files a goroutine takes at a time.
	batchSize = 32

	// batchesAhead is for each goroutine how many batches may be done that
	// were not yet yielded. The candidates in them are open files.
	batchesAhead = 2
)

// A found is what a walker yields.
type found struct {
	message *Message
	err     error
}

// each calls visit for the first n numbers, and yields in their order what it
// yields, which has to be little. Where messages are judged, several goroutines
// call it, each with a walker of its own.
func (w *walker) each(n int, visit func(w *walker, i int) bool) bool {
	jobs := min(w.jobs, (n+batchSize-1)/batchSize)
	if w.judge == nil || jobs < 2 {
		for i := range n {
			if !visit(w, i) {
				return false
			}
		}
		return true
	}
	ctx, cancel := context.WithCancel(w.judge.ctx)
	defer cancel()
	var (
		wg      sync.WaitGroup
		taken   atomic.Int64
		permits = make(chan struct{}, jobs*batchesAhead) // to take a batch
		ahead   = make([]chan []found, jobs*batchesAhead)
	)
	for i := range ahead {
		ahead[i] = make(chan []found, 1)
		permits <- struct{}{}
	}
	for range jobs {
		wg.Go(func() {
			var list []found
			other := &walker{judge: &judge{ctx: ctx}, yield: func(m *Message, err error) bool {
				list = append(list, found{m, err})
				return true
			}}
			for range permits {
				i := int(taken.Add(1)) - 1
				for k := i * batchSize; k < min(n, (i+1)*batchSize) && visit(other, k); k++ {
				}
				ahead[i%len(ahead)] <- list
				list = nil
			}
		})
	}
	more := true
	for i := 0; more && i*batchSize < n; i++ {
		for list := <-ahead[i%len(ahead)]; more && len(list) > 0; list = list[1:] {
			if more = w.yield(list[0].message, list[0].err); !more {
				closeAll(list[1:])
			}
		}
		permits <- struct{}{}
	}
	cancel()
	close(permits)
	wg.Wait()
	for _, c := range ahead {
		close(c)
		for list := range c {
			closeAll(list)
		}
	}
	return more && !w.judge.canceled()
}

func closeAll(list []found) {
	for _, f := range list {
		f.message.Close()
	}
}
