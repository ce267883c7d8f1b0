package rewrite

import (
	"container/heap"
	"sync"

	"github.com/go-extbody/extbody/externalbody"
)

// The most bodies of one message that are asked for at the same time: in all, and of
// one host.
const (
	maxAhead        = 4
	maxAheadPerHost = 2
)

// A job is a body to ask for, before its turn or when its turn has come.
type job struct {
	item     Item
	refs     []*externalbody.Reference // to be tried; empty if the item is decided already
	attached bool
	order    int      // among the jobs
	hosts    []string // that may be asked

	begun, ready bool
	inOrder      bool          // its turn came before it was begun
	granted      chan struct{} // closed when it has ended or, in order, when it may begin

	// The outcome, if the job was begun before its turn.
	stream *stream
	report *externalbody.Report
	err    error
}

// A schedule begins jobs in order, as far as the limits allow. A job that waits for its
// hosts does not hold up the others. Of two jobs for the same host the first in order
// begins first. So the job whose turn has come never waits for one that is not running.
type schedule struct {
	run func(*job) // does a job ahead

	mu      sync.Mutex
	wg      sync.WaitGroup
	running int
	busy    map[string]int    // the number of running jobs, by host
	queues  map[string][]*job // those that have not begun, by host
	ready   jobHeap           // those that wait only for others to end
	stopped bool
}

// newSchedule begins jobs, except the first one, which waits for its turn.
func newSchedule(jobs []*job, run func(*job)) *schedule {
	s := &schedule{run: run, busy: make(map[string]int), queues: make(map[string][]*job)}
	s.mu.Lock()
	defer s.mu.Unlock()
	first := true
	for i, j := range jobs {
		if len(j.refs) == 0 {
			continue
		}
		j.order, j.inOrder = i, first
		first = false
		s.add(j)
	}
	for _, j := range jobs {
		if len(j.refs) > 0 {
			s.check(j)
		}
	}
	s.begin()
	return s
}

// turn is called when the turn of a job has come. If it returns true, the caller does the
// job now and calls end after it. If it returns false, the job has ended.
func (s *schedule) turn(j *job) bool {
	s.mu.Lock()
	j.inOrder = j.inOrder || !j.begun
	s.mu.Unlock()
	<-j.granted
	return j.inOrder
}

// again makes a job that has ended be done once more, in order.
func (s *schedule) again(j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j.begun, j.ready, j.inOrder = false, false, true
	s.add(j)
	s.check(j)
	s.begin()
}

// end is called when a job has ended.
func (s *schedule) end(j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	for _, h := range j.hosts {
		if s.busy[h]--; s.busy[h] == 0 {
			delete(s.busy, h)
		}
	}
	s.heads(j)
	s.begin()
}

// stop begins no more jobs, and waits for those that are running.
func (s *schedule) stop() {
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	s.wg.Wait()
}

// add puts a job into the queues of its hosts.
func (s *schedule) add(j *job) {
	j.granted = make(chan struct{})
	for _, h := range j.hosts {
		s.queues[h] = append(s.queues[h], j)
	}
}

// heads checks the jobs at the heads of the queues of the hosts of j.
func (s *schedule) heads(j *job) {
	for _, h := range j.hosts {
		if q := s.queues[h]; len(q) > 0 {
			s.check(q[0])
		}
	}
}

// check makes a job ready if it is the first one for each of its hosts, and these have
// room.
func (s *schedule) check(j *job) {
	if j.ready {
		return
	}
	for _, h := range j.hosts {
		if s.queues[h][0] != j || s.busy[h] >= maxAheadPerHost {
			return
		}
	}
	j.ready = true
	heap.Push(&s.ready, j)
}

// begin begins the jobs that are ready, while there is room.
func (s *schedule) begin() {
	for !s.stopped && s.running < maxAhead && len(s.ready) > 0 {
		j := heap.Pop(&s.ready).(*job)
		j.begun = true
		s.running++
		for _, h := range j.hosts {
			s.busy[h]++
			if s.queues[h] = s.queues[h][1:]; len(s.queues[h]) == 0 {
				delete(s.queues, h)
			}
		}
		s.heads(j)
		if j.inOrder {
			close(j.granted)
			continue
		}
		s.wg.Go(func() {
			s.run(j)
			s.end(j)
			close(j.granted)
		})
	}
}

// A jobHeap has the first job in order at its top.
type jobHeap []*job

func (h jobHeap) Len() int           { return len(h) }
func (h jobHeap) Less(i, j int) bool { return h[i].order < h[j].order }
func (h jobHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *jobHeap) Push(x any)        { *h = append(*h, x.(*job)) }
func (h *jobHeap) Pop() any {
	old := *h
	j := old[len(old)-1]
	*h = old[:len(old)-1]
	return j
}
