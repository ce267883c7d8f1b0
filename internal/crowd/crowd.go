// Package crowd works at many tasks at a time. [AsDone] takes them in groups and says each
// when it is done; [InOrder] says them in their order.
package crowd

import (
	"iter"
	"sync"
)

// Limits bound the goroutines of [AsDone].
type Limits struct {
	Busy  int // that do not wait
	All   int // with those that wait
	Group int // of one group
}

// A crowd is the goroutines that work at tasks, which come in groups. No group has more
// of them than its share: one with thousands of tasks does not hold up those after it.
type crowd[T any] struct {
	limits Limits
	work   func(T, func(bool))
	done   func(T)

	workers sync.WaitGroup
	said    sync.Mutex // calls of done do not overlap

	mu   sync.Mutex
	room *sync.Cond // there may be more of them, and there is no task for it
	all  int        // goroutines
	busy int        // of them, those that do not wait
	open []*group[T]
}

// A group is the tasks of one message.
type group[T any] struct {
	tasks   []T // that are not begun
	running int
}

// AsDone calls work for each task of each of groups, in several goroutines, and done for
// each when its work is done. Calls of done do not overlap. The next group is asked for
// when a goroutine has nothing else to do. AsDone returns after the last call of done.
//
// work calls the function that it gets with true before it waits for something, so that
// another task may begin meanwhile, and with false when it goes on.
func AsDone[T any](limits Limits, groups iter.Seq[[]T], work func(task T, waits func(bool)), done func(T)) {
	c := &crowd[T]{limits: limits, work: work, done: done}
	c.room = sync.NewCond(&c.mu)
	for tasks := range groups {
		c.add(&group[T]{tasks: tasks})
	}
	c.workers.Wait()
}

// add begins with a group, and returns when there is room for the next one.
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

func (c *crowd[T]) mayGrow() bool { return c.busy < c.limits.Busy && c.all < c.limits.All }

// grow starts goroutines as long as there are tasks for them. The caller has the lock.
func (c *crowd[T]) grow() {
	for c.mayGrow() {
		t, of, ok := c.next()
		if !ok {
			c.room.Signal()
			return
		}
		c.all++
		c.busy++
		c.workers.Go(func() { c.run(t, of) })
	}
}

// next returns a task that may begin, of the group that came first. The caller has the
// lock.
func (c *crowd[T]) next() (t T, of *group[T], ok bool) {
	for i, g := range c.open {
		if g.running >= c.limits.Group {
			continue
		}
		t, g.tasks = g.tasks[0], g.tasks[1:]
		g.running++
		if len(g.tasks) == 0 {
			c.open = append(c.open[:i], c.open[i+1:]...)
		}
		return t, g, true
	}
	return t, nil, false
}

// run works at t, and then at what else there is to do.
func (c *crowd[T]) run(t T, of *group[T]) {
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
	for {
		c.work(t, waits)
		waits(false)
		c.said.Lock()
		c.done(t)
		c.said.Unlock()
		if !c.another(&t, &of) {
			return
		}
	}
}

// another ends the work at a task of a group, and has the goroutine go on with another
// one. It reports false if the goroutine is to end, because there is none, or are enough
// others.
func (c *crowd[T]) another(t *T, of **group[T]) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	(*of).running--
	if c.busy <= c.limits.Busy {
		var ok bool
		if *t, *of, ok = c.next(); ok {
			return true
		}
	}
	c.busy--
	c.all--
	if c.mayGrow() {
		c.room.Signal()
	}
	return false
}
