package archive

import (
	"cmp"
	"container/heap"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

const (
	defaultJobs = 48
	hostJobs    = 6 // of one host: what waits for it must not keep others waiting
)

// A task is an ask that is to be tried.
type task struct {
	ask   ask
	state askState
	ref   *ReferenceRecord
	rank  int
}

// A queue has the tasks of one host.
type queue struct {
	tasks  []*task
	flight int
	place  int // in the heap; -1 if it is not there
}

// queues is a heap of those that may start a task, by the rank of that.
type queues []*queue

func (q queues) Len() int           { return len(q) }
func (q queues) Less(i, j int) bool { return q[i].tasks[0].rank < q[j].tasks[0].rank }
func (q queues) Swap(i, j int)      { q[i], q[j] = q[j], q[i]; q[i].place, q[j].place = i, j }
func (q *queues) Push(x any)        { x.(*queue).place = len(*q); *q = append(*q, x.(*queue)) }
func (q *queues) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q, x.place = old[:len(old)-1], -1
	return x
}

// tasks returns what is wanted and allowed, what expires first before the rest, and
// those of one URL next to each other.
func (s *syncer) tasks(want func(ask, askState) bool) ([]*task, error) {
	var list []*task
	err := s.a.index.asks(func(k ask, state askState) error {
		if state.ref != 0 && want(k, state) {
			list = append(list, &task{ask: k, state: state})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	allowed := list[:0]
	missing := make(map[ask]*task) // the message of the first reference is not here
	for _, t := range list {
		t.ref = new(ReferenceRecord)
		if err := s.a.line(t.state.ref, t.ref); err != nil {
			return nil, err
		}
		if !s.a.objects.has(t.ref.Message) {
			missing[t.ask] = t
		}
		if t.ref.Host != "" && (s.o.Resolve == nil || !s.o.Resolve(t.ref.Host)) {
			s.res.Unasked++
			s.res.Contacts[t.ref.Host]++
			continue
		}
		allowed = append(allowed, t)
	}
	slices.SortFunc(allowed, func(a, b *task) int {
		never := func(t int64) int64 {
			if t == 0 {
				return 1<<63 - 1
			}
			return t
		}
		return cmp.Or(cmp.Compare(never(a.state.expires), never(b.state.expires)), cmp.Compare(a.state.ref, b.state.ref))
	})
	for i, t := range allowed {
		t.rank = i
	}
	return allowed, s.elsewhere(missing)
}

// elsewhere finds, for asks whose message was forgotten, the same reference in another
// message that is here.
func (s *syncer) elsewhere(missing map[ask]*task) error {
	if len(missing) == 0 {
		return nil
	}
	return s.a.References(func(r *Row) error {
		k := newAsk(r.Reference.Key, r.Reference.Expect)
		if t := missing[k]; t != nil && s.a.objects.has(r.Reference.Message) {
			t.ref = r.Reference
			delete(missing, k)
		}
		return nil
	})
}

// resolve tries what is wanted.
func (s *syncer) resolve(want func(ask, askState) bool) error {
	list, err := s.tasks(want)
	if err != nil || len(list) == 0 {
		return err
	}
	jobs := s.o.Jobs
	if jobs <= 0 {
		jobs = defaultJobs
	}
	byHost := make(map[string]*queue)
	var ready queues
	for _, t := range list {
		q := byHost[t.ref.Host]
		if q == nil {
			q = &queue{place: -1}
			byHost[t.ref.Host] = q
		}
		q.tasks = append(q.tasks, t)
	}
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
		busy   = make(map[string]bool) // keys that are being captured
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
		t := q.tasks[0]
		if busy[t.ref.Key] {
			// What comes is compared with what this one expects, when it has come:
			// the host is ready again then.
			heap.Remove(&ready, q.place)
			continue
		}
		if q.tasks = q.tasks[1:]; len(q.tasks) == 0 || q.flight+1 >= hostJobs {
			heap.Remove(&ready, q.place)
		} else {
			heap.Fix(&ready, q.place)
		}
		q.flight++
		flight++
		busy[t.ref.Key] = true
		wg.Go(func() {
			over, err := s.attempt(t)
			mu.Lock()
			defer mu.Unlock()
			flight--
			q.flight--
			delete(busy, t.ref.Key)
			if q.place < 0 && len(q.tasks) > 0 {
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
		left += int64(len(q.tasks))
	}
	mu.Unlock()
	wg.Wait()
	s.res.Left += left
	s.res.Spent = spent || s.res.Left > 0
	return failed
}

// over reports whether nothing more fits into the budget.
func (s *syncer) over() bool {
	left := s.o.Budget.Left()
	return left.Fetches == 0 || left.Octets == 0 || !left.Until.IsZero() && !time.Now().Before(left.Until)
}

// ofBudget reports whether an error is that of the budget, and not of a host.
func (s *syncer) ofBudget(err error) bool {
	if fetch.KindOf(err) != fetch.Deferred {
		return false
	}
	return errors.Is(err, fetch.TooLarge) || fetch.AfterOf(err).IsZero() && s.over()
}
