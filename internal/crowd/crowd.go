// Package crowd works at many tasks at a time. [AsDone] takes them in groups and says each
// when it is done; [InOrder] says them in their order.
package crowd

import (
	"iter"
	"sync"
)

// A crowd is the goroutines that work at tasks, which come in groups. Most of them wait
// for something, so that there may be many more than there are fetches at a time. No
// group has more of them than its share: one with thousands of tasks does not hold up
// those after it.
type crowd[T any] struct {
	share int // goroutines that one group may have
	work  func(T)
	done  func(T)

	workers sync.WaitGroup
	said    sync.Mutex // calls of done do not overlap

	mu   sync.Mutex
	room *sync.Cond // free was 0 and is not any more
	free int        // goroutines that may be started
	open []*group[T]
}

// A group is the tasks of one message.
type group[T any] struct {
	tasks   []T // that are not begun
	running int
}

// AsDone calls work for each task of each of groups, in up to jobs goroutines, of which
// a group has up to share, and done for each when its work is done. Calls of done do not
// overlap. The next group is asked for when a goroutine has nothing else to do. asDone
// returns after the last call of done.
func AsDone[T any](jobs, share int, groups iter.Seq[[]T], work, done func(T)) {
	c := &crowd[T]{share: share, work: work, done: done, free: jobs}
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
	for c.free > 0 {
		t, of, ok := c.next()
		if !ok {
			break
		}
		c.free--
		c.workers.Go(func() { c.run(t, of) })
	}
	for c.free == 0 {
		c.room.Wait()
	}
}

// next returns a task that may begin, of the group that came first. The caller has the
// lock.
func (c *crowd[T]) next() (t T, of *group[T], ok bool) {
	for i, g := range c.open {
		if g.running >= c.share {
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
	for {
		c.work(t)
		c.said.Lock()
		c.done(t)
		c.said.Unlock()
		c.mu.Lock()
		of.running--
		var ok bool
		if t, of, ok = c.next(); !ok {
			c.free++
			c.room.Signal()
		}
		c.mu.Unlock()
		if !ok {
			return
		}
	}
}
