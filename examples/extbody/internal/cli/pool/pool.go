// Package pool works at many tasks at a time. [AsDone] takes tasks in groups and
// reports each when it is done, and [InTurn] reports them in their order. [InOrder] does
// so for tasks that wait for nothing.
package pool

import (
	"iter"
	"sync"
)

// Limits bound the goroutines of [AsDone].
type Limits struct {
	Busy  int // goroutines that do not wait
	All   int // goroutines, those that wait included
	Group int // goroutines of one group
}

// A crowd is the goroutines that work at tasks, which come in groups. No group has more
// of the goroutines than its share, so that one with thousands of tasks does not hold
// up those after it.
type crowd[T any] struct {
	limits Limits
	work   func(T, func(bool))
	done   func(T)

	workers sync.WaitGroup
	said    sync.Mutex // held while done is called, so that calls do not overlap

	mu   sync.Mutex
	room *sync.Cond // signals that more tasks may begin and none is there
	all  int        // goroutines that have a task
	busy int        // those of them that do not wait
	open []*group[T]
	idle []chan job[T] // goroutines that have no task, whose stacks are large already
	over bool          // there are no more groups
}

// A job is a task and its group.
type job[T any] struct {
	task T
	of   *group[T]
}

// A group is the tasks of one message.
type group[T any] struct {
	tasks   []T // not begun yet
	running int
}

// AsDone calls work for each task of each of groups, in several goroutines, and done
// for each after its work. Calls of done do not overlap. AsDone asks for the next group
// when a goroutine has nothing else to do. It returns after the last call of done.
//
// work gets a function. It calls that with true before it waits for something, so that
// another task may begin meanwhile, and with false when it goes on.
func AsDone[T any](limits Limits, groups iter.Seq[[]T], work func(task T, waits func(bool)), done func(T)) {
	c := &crowd[T]{limits: limits, work: work, done: done}
	c.room = sync.NewCond(&c.mu)
	for tasks := range groups {
		c.add(&group[T]{tasks: tasks})
	}
	c.end()
	c.workers.Wait()
}

// add begins a group, and returns when there is room for the next one.
func (c *crowd[T]) add(g *group[T]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(g.tasks) > 0 {
		c.open = append(c.open, g)
	}
	c.grow()
	for !c.mayGrow() {
		c.room.Wait()
	}
}

// end ends the goroutines that have no task, since there are no more tasks.
func (c *crowd[T]) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	for _, w := range c.idle {
		close(w)
	}
	c.idle = nil
}

func (c *crowd[T]) mayGrow() bool { return c.busy < c.limits.Busy && c.all < c.limits.All }

// grow starts goroutines as long as there are tasks for them. The caller has the lock.
func (c *crowd[T]) grow() {
	for c.mayGrow() {
		j, ok := c.next()
		if !ok {
			c.room.Signal()
			return
		}
		c.all++
		c.busy++
		if n := len(c.idle); n > 0 {
			c.idle[n-1] <- j
			c.idle = c.idle[:n-1]
			continue
		}
		c.workers.Go(func() { c.run(j) })
	}
}

// next returns a task that may begin, of the earliest group that has one. The caller
// has the lock.
func (c *crowd[T]) next() (j job[T], ok bool) {
	for i, g := range c.open {
		if g.running >= c.limits.Group {
			continue
		}
		j.task, j.of, g.tasks = g.tasks[0], g, g.tasks[1:]
		g.running++
		if len(g.tasks) == 0 {
			c.open = append(c.open[:i], c.open[i+1:]...)
		}
		return j, true
	}
	return j, false
}

// run works at j, and then at whatever else there is to do.
func (c *crowd[T]) run(j job[T]) {
	waiting := false
	waits := func(now bool) {
		if now == waiting {
			return
		}
		waiting = now
		c.mu.Lock()
		defer c.mu.Unlock()
		if !now {
			c.busy++
			return
		}
		c.busy--
		c.grow()
	}
	handed := make(chan job[T], 1)
	for ok := true; ok; j, ok = c.another(j.of, handed) {
		c.work(j.task, waits)
		waits(false)
		c.said.Lock()
		c.done(j.task)
		c.said.Unlock()
	}
}

// another ends the work at a task of a group, and returns the task with which the
// goroutine goes on. If there is no task, or enough other goroutines work, it waits
// until it is handed one. It reports false if the goroutine is to end.
func (c *crowd[T]) another(of *group[T], handed chan job[T]) (j job[T], ok bool) {
	c.mu.Lock()
	of.running--
	if c.busy <= c.limits.Busy {
		if j, ok := c.next(); ok {
			c.mu.Unlock()
			return j, true
		}
	}
	c.busy--
	c.all--
	if c.mayGrow() {
		c.room.Signal()
	}
	if c.over || len(c.idle) >= c.limits.Busy {
		c.mu.Unlock()
		return j, false
	}
	c.idle = append(c.idle, handed)
	c.mu.Unlock()
	j, ok = <-handed
	return j, ok
}
