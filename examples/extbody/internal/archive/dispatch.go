package archive

import (
	"cmp"
	"container/heap"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/fetch"
)

const (
	defaultJobs = 48
	hostJobs    = 6 // for one host, so that a slow host does not take all jobs
)

// A task is an ask that is tried.
type task struct {
	ask   ask
	state askState
	ref   *ReferenceRecord
}

// A waiting is an ask that is to be tried. There may be millions.
type waiting struct {
	ask     ask
	expires int64
	ref     place // of the line of a reference, one whose message is here if there is one
	host    int32
}

// A queue has the ranks of the asks of one host that wait, in order. A rank is an index in
// the list of all asks that wait.
type queue struct {
	ranks  []int32
	flight int
	place  int // in the heap; -1 if it is not there
}

// queues is a heap of the queues that may start a task, by their first ranks.
type queues []*queue

func (q queues) Len() int           { return len(q) }
func (q queues) Less(i, j int) bool { return q[i].ranks[0] < q[j].ranks[0] }
func (q queues) Swap(i, j int)      { q[i], q[j] = q[j], q[i]; q[i].place, q[j].place = i, j }
func (q *queues) Push(x any)        { x.(*queue).place = len(*q); *q = append(*q, x.(*queue)) }
func (q *queues) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q, x.place = old[:len(old)-1], -1
	return x
}

// waiting returns the asks that are wanted and allowed. Those that expire come first, by
// the time of expiration; otherwise they are in the order of the ledger. Each names its
// host by a number from 0 on, and hosts is how many numbers there are.
func (s *syncer) waiting(want func(ask, askState) bool) (list []waiting, hosts int, err error) {
	err = s.a.index.asks(func(k ask, state askState) error {
		if state.ref != 0 && want(k, state) {
			list = append(list, waiting{ask: k, expires: state.expires, ref: state.ref})
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	// The ledger is read from its beginning to its end.
	slices.SortFunc(list, func(a, b waiting) int { return cmp.Compare(a.ref, b.ref) })
	allowed := list[:0]
	numbers := make(map[string]int32)
	missing := make(map[ask]int) // asks whose first reference is in a message that is not here
	for _, w := range list {
		var r ReferenceRecord
		err := s.a.places.At(w.ref.place(), func(l *ledger.Line) error { return l.Body(&r) })
		if err != nil {
			return nil, 0, err
		}
		if r.Host != "" && (s.o.Resolve == nil || !s.o.Resolve(r.Host)) {
			s.res.Unasked++
			s.res.Contacts[r.Host]++
			continue
		}
		if !s.a.objects.has(r.Message) {
			missing[w.ask] = len(allowed)
		}
		n, ok := numbers[r.Host]
		if !ok {
			n = int32(len(numbers))
			numbers[r.Host] = n
		}
		w.host = n
		allowed = append(allowed, w)
	}
	if err := s.elsewhere(allowed, missing); err != nil {
		return nil, 0, err
	}
	slices.SortStableFunc(allowed, func(a, b waiting) int {
		never := func(t int64) int64 {
			if t == 0 {
				return 1<<63 - 1
			}
			return t
		}
		return cmp.Compare(never(a.expires), never(b.expires))
	})
	return allowed, len(numbers), nil
}

// elsewhere is for asks whose message is not here, because it was forgotten or lost. It
// looks for a reference with the same ask in a message that is here.
func (s *syncer) elsewhere(list []waiting, missing map[ask]int) error {
	if len(missing) == 0 {
		return nil
	}
	return s.a.lines(func(l *ledger.Line) error {
		if l.Kind != kindReference {
			return nil
		}
		var r ReferenceRecord
		if err := l.Body(&r); err != nil {
			return err
		}
		k := newAsk(r.Key, r.Expect)
		if i, ok := missing[k]; ok && s.a.objects.has(r.Message) {
			list[i].ref = newPlace(l.Place)
			delete(missing, k)
		}
		return nil
	})
}

// task returns the task for an ask that waits.
func (s *syncer) task(w *waiting) (*task, error) {
	t := &task{ask: w.ask, ref: new(ReferenceRecord)}
	t.state, _ = s.a.index.ask(w.ask)
	return t, s.a.line(w.ref, t.ref)
}

// resolve tries the asks that are wanted.
func (s *syncer) resolve(want func(ask, askState) bool) error {
	list, hosts, err := s.waiting(want)
	if err != nil || len(list) == 0 {
		return err
	}
	jobs := s.o.Jobs
	if jobs <= 0 {
		jobs = defaultJobs
	}
	byHost := make([]*queue, hosts)
	for i := range byHost {
		byHost[i] = &queue{place: -1}
	}
	for i, w := range list {
		byHost[w.host].ranks = append(byHost[w.host].ranks, int32(i))
	}
	var ready queues
	for _, q := range byHost {
		heap.Push(&ready, q)
	}
	var (
		mu     sync.Mutex
		wake   = sync.NewCond(&mu)
		wg     sync.WaitGroup
		flight int
		done   int64
		failed error
		spent  bool
		busy   = make(map[[16]byte]bool) // keys that are being captured
	)
	mu.Lock()
	for {
		for failed == nil && !spent && (flight >= jobs || ready.Len() == 0 && flight > 0) {
			wake.Wait()
		}
		if failed != nil || spent || ready.Len() == 0 || s.ctx.Err() != nil {
			break
		}
		q := ready[0]
		w := &list[q.ranks[0]]
		key := [16]byte(w.ask[:16])
		if busy[key] {
			// The body that is being captured is compared later with what this ask
			// expects. The host is ready again when it has been captured.
			heap.Remove(&ready, q.place)
			continue
		}
		if q.ranks = q.ranks[1:]; len(q.ranks) == 0 || q.flight+1 >= hostJobs {
			heap.Remove(&ready, q.place)
		} else {
			heap.Fix(&ready, q.place)
		}
		q.flight++
		flight++
		busy[key] = true
		wg.Go(func() {
			over := false
			t, err := s.task(w)
			if err == nil {
				over, err = s.attempt(t)
			}
			mu.Lock()
			defer mu.Unlock()
			flight--
			q.flight--
			delete(busy, key)
			if q.place < 0 && len(q.ranks) > 0 {
				heap.Push(&ready, q)
			}
			if err != nil && failed == nil {
				failed = err
			}
			spent = spent || over
			if done++; s.o.Progress != nil {
				s.o.Progress(done, int64(len(list)))
			}
			wake.Broadcast()
		})
	}
	var left int64
	for _, q := range byHost {
		left += int64(len(q.ranks))
	}
	mu.Unlock()
	wg.Wait()
	s.res.Left += left
	s.res.Spent = spent || s.res.Left > 0
	return failed
}

// over reports whether nothing is left of the budget.
func (s *syncer) over() bool {
	left := s.o.Budget.Left()
	return left.Fetches == 0 || left.Octets == 0 || !left.Until.IsZero() && !time.Now().Before(left.Until)
}

// ofBudget reports whether an error is due to the budget, and not to a host.
func (s *syncer) ofBudget(err error) bool {
	if fetch.KindOf(err) != fetch.Deferred {
		return false
	}
	return errors.Is(err, fetch.TooLarge) || fetch.AfterOf(err).IsZero() && s.over()
}
