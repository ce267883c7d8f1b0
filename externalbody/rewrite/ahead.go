package rewrite

import (
	"slices"
	"sync"

	"github.com/go-extbody/extbody/externalbody"
)

// The most bodies of one message that are asked for at the same time: in all, and of
// one host.
const (
	maxAhead        = 4
	maxAheadPerHost = 2
)

// A job is a body to ask for.
type job struct {
	item     Item
	refs     []*externalbody.Reference // to be tried; empty if the item is decided already
	attached bool
	host     string // of the first of refs; "" if that contacts no host

	// The outcome, after done is closed.
	done   chan struct{}
	sink   *sink
	report *externalbody.Report
	err    error
}

// start runs jobs by a worker pool, in order. A job that waits for its host does not hold
// up the others. wait returns when all have ended.
func start(jobs []*job, run func(*job)) (wait func()) {
	for _, j := range jobs {
		j.done = make(chan struct{})
	}
	var mu sync.Mutex
	busy := make(map[string]int)
	// next returns a job that may begin, after one that has ended. Without such a job the
	// worker ends: only the end of another job makes room for one.
	next := func(ended *job) *job {
		mu.Lock()
		defer mu.Unlock()
		if ended != nil {
			busy[ended.host]--
		}
		i := slices.IndexFunc(jobs, func(j *job) bool { return j.host == "" || busy[j.host] < maxAheadPerHost })
		if i < 0 {
			return nil
		}
		j := jobs[i]
		jobs = slices.Delete(jobs, i, i+1)
		busy[j.host]++
		return j
	}
	var workers sync.WaitGroup
	for range min(maxAhead, len(jobs)) {
		workers.Go(func() {
			for j := next(nil); j != nil; j = next(j) {
				run(j)
				close(j.done)
			}
		})
	}
	return workers.Wait
}
