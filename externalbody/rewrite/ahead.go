package rewrite

import (
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
	ready := make(chan *job, len(jobs))
	busy := make(map[string]int)
	waiting := make(map[string][]*job) // for their hosts
	for _, j := range jobs {
		j.done = make(chan struct{})
		if j.host != "" && busy[j.host] == maxAheadPerHost {
			waiting[j.host] = append(waiting[j.host], j)
			continue
		}
		busy[j.host]++
		ready <- j
	}
	var mu sync.Mutex
	left := len(jobs)
	end := func(j *job) {
		mu.Lock()
		defer mu.Unlock()
		if next := waiting[j.host]; len(next) > 0 {
			waiting[j.host] = next[1:]
			ready <- next[0]
		}
		if left--; left == 0 {
			close(ready)
		}
	}
	if left == 0 {
		close(ready)
	}
	var workers sync.WaitGroup
	for range min(maxAhead, len(jobs)) {
		workers.Go(func() {
			for j := range ready {
				run(j)
				close(j.done)
				end(j)
			}
		})
	}
	return workers.Wait
}
