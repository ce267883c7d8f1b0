// Package pool is a worker pool for tasks that come in groups.
package pool

import (
	"cmp"
	"iter"
	"sync"
)

// Options are the options of [Run].
type Options struct {
	Workers int  // goroutines
	Share   int  // goroutines for the tasks of one group; 0 means Workers
	Ordered bool // done is called in the order of the tasks
	Lead    int  // how many tasks may have started whose results are not reported, if they are ordered; 0 means 256
}

const (
	defaultLead = 256

	// maxReady is how many tasks are taken from the groups before a worker is free.
	maxReady = 16
)

// Run calls work for each task in several goroutines, and done for each after its work.
// done is called in the goroutine of the caller. A group is asked for when the tasks of
// those before it have started, or may not start because of Share: a group with thousands
// of tasks does not hold up the next one. Run returns after the last call of done.
func Run[T any](o Options, groups iter.Seq[[]T], work, done func(T)) {
	o.Share = cmp.Or(o.Share, o.Workers)
	o.Lead = cmp.Or(o.Lead, defaultLead)
	p := &pool[T]{Options: o, work: work, results: make(chan *task[T], o.Workers)}
	p.tasks = sync.NewCond(&p.mu)
	p.room = sync.NewCond(&p.mu)
	for range o.Workers {
		p.workers.Go(p.run)
	}
	go func() {
		for tasks := range groups {
			p.add(tasks)
		}
		p.mu.Lock()
		p.over = true
		p.mu.Unlock()
		p.tasks.Broadcast() // to workers that wait for the last task
		p.workers.Wait()
		close(p.results)
	}()
	early := make(map[int]*task[T]) // results that wait for an earlier one
	for t := range p.results {
		if !o.Ordered {
			done(t.value)
			continue
		}
		early[t.number] = t
		for t := early[p.reported]; t != nil; t = early[p.reported] {
			delete(early, t.number)
			done(t.value)
			p.mu.Lock()
			p.reported++
			p.room.Signal()
			p.mu.Unlock()
		}
	}
}

// Each returns the values of seq as groups of one task.
func Each[T any](seq iter.Seq[T]) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for v := range seq {
			if !yield([]T{v}) {
				return
			}
		}
	}
}

type pool[T any] struct {
	Options
	work    func(T)
	results chan *task[T]
	workers sync.WaitGroup

	mu       sync.Mutex
	tasks    *sync.Cond // signals the workers that a task is ready, or that all is over
	room     *sync.Cond // signals that another group may be taken
	open     []*group[T]
	added    int // tasks
	reported int // results, if they are ordered; only Run writes it
	over     bool
}

type task[T any] struct {
	value  T
	number int
	group  *group[T]
}

// A group is the tasks of a group that have not started.
type group[T any] struct {
	tasks   []*task[T]
	running int
}

// add adds a group, and returns when there is room for the next one.
func (p *pool[T]) add(values []T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(values) > 0 {
		g := &group[T]{tasks: make([]*task[T], len(values))}
		for i, v := range values {
			g.tasks[i] = &task[T]{v, p.added + i, g}
		}
		p.added += len(values)
		p.open = append(p.open, g)
	}
	for range values {
		p.tasks.Signal()
	}
	for p.ready() >= maxReady || p.Ordered && p.added-p.reported > p.Lead {
		p.room.Wait()
	}
}

// ready returns how many tasks may begin. The caller has the lock.
func (p *pool[T]) ready() (n int) {
	for _, g := range p.open {
		n += min(len(g.tasks), p.Share-g.running)
	}
	return n
}

// next returns a task that may start, of the earliest group that has one, or nil. The
// caller has the lock.
func (p *pool[T]) next() *task[T] {
	for i, g := range p.open {
		if g.running >= p.Share {
			continue
		}
		t := g.tasks[0]
		g.tasks = g.tasks[1:]
		g.running++
		if len(g.tasks) == 0 {
			p.open = append(p.open[:i], p.open[i+1:]...)
		}
		return t
	}
	return nil
}

// run is a worker.
func (p *pool[T]) run() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		t := p.next()
		if t == nil {
			if p.over && len(p.open) == 0 {
				p.tasks.Broadcast()
				return
			}
			p.tasks.Wait()
			continue
		}
		p.room.Signal()
		p.mu.Unlock()
		p.work(t.value)
		p.results <- t
		p.mu.Lock()
		t.group.running--
	}
}
