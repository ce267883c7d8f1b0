package inspect

import (
	"cmp"
	"container/list"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/recent"
)

// PoolOptions are the options of NewPool. A zero field has a default.
type PoolOptions struct {
	// Fetches is how many bodies are fetched at a time while others wait; default 128. A
	// source that has no fetch under way does not wait.
	Fetches int

	// Pending bounds the bodies that are being fetched or wait for that; default 2000.
	Pending int

	// PerSource bounds the bodies among them that one Message.Source asked for; default
	// 100. All messages without a Source together may have half of Pending, or PerSource
	// if that is more.
	PerSource int

	// Timeout bounds the time for one body, including its scan; default 2 minutes.
	Timeout time.Duration

	// Remember is how long the outcome for a body is used again; default 10 minutes.
	// Some failures are tried again sooner: after 5 seconds if this machine or the
	// scanner failed, and other transient ones after half a minute or at the time that
	// the host gave. A body that is too long for the scanner does not count.
	Remember time.Duration

	// Octets bounds the outcomes that are remembered; default 32 MiB.
	Octets int64
}

// A Pool fetches and remembers. A body that several messages refer to is fetched once.
// Several goroutines may use it at once.
//
// While the Pool is full, a server has 5 seconds for a connection and the first octet of its
// answer. A body that takes longer has the State StillToCome. The sources with the fewest fetches come first, and within a
// source the messages with the fewest. A newcomer displaces a body of the source that
// has the most: one that is being fetched waits again, and one that waits is given up.
// That has the State StillToCome and the Kind deferred.
//
// After a body for which Inspector.TempDir has no room no host is asked until there is room for 1 MiB, which
// is tried once in 5 seconds. A body that would need a host has the Kind local until then (OP-51).
type Pool struct {
	opts PoolOptions
	disk spool.Disk // of TempDir
	ctx  context.Context
	stop context.CancelFunc
	wg   sync.WaitGroup

	mu      sync.Mutex
	tasks   map[string]*task
	queue   []*task // that wait, in the order in which they came
	running []*task // in the order in which they started
	ended   *list.List
	octets  int64 // of the findings in ended
	sources map[string]*load
	unknown int // tasks of messages without a Source
	most    int // no source of a task that waits or is fetched has more tasks
	closed  bool
	changed recent.Map[string, struct{}] // the links of [Pool.Differ]
}

// A load is the tasks of a source or of a message.
type load struct{ tasks, running int }

// A sender is a message that asks. If its client is not known, it is a source of its own.
type sender struct{ source, message load }

// maxEnded bounds the outcomes that are remembered.
const maxEnded = 20_000

// busyTime is the time for a connection, and for the first octet of an answer, while others
// wait.
const busyTime = 5 * time.Second

// A task is one search for one body.
type task struct {
	question
	load     *load // of its source
	done     chan struct{}
	begun    bool               // it was tried
	stop     context.CancelFunc // while it runs
	aside    bool               // it was displaced while it ran
	given    bool               // it was given up while it ran
	previous *finding           // the one before, or nil
	finding  *finding           // set when done is closed
	expires  time.Time
	element  *list.Element // in ended
}

// A question is a request to a Pool for a body.
type question struct {
	id      string // of the body
	link    string // which leads to it, whatever the message says about the body
	source  string // Message.Source
	sender  *sender
	version string // the present version of the signatures
	work    func(ctx context.Context, busy bool) *finding
}

// NewPool returns a Pool. Close must be called.
func NewPool(opts PoolOptions) *Pool {
	opts.Fetches = cmp.Or(opts.Fetches, 128)
	opts.Pending = cmp.Or(opts.Pending, 2000)
	opts.PerSource = cmp.Or(opts.PerSource, 100)
	opts.Timeout = cmp.Or(opts.Timeout, 2*time.Minute)
	opts.Remember = cmp.Or(opts.Remember, 10*time.Minute)
	opts.Octets = cmp.Or(opts.Octets, 32<<20)
	p := &Pool{opts: opts, tasks: make(map[string]*task), ended: list.New(), sources: make(map[string]*load)}
	p.changed.Max = maxEnded
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p
}

// Close ends all fetches, and returns after the last has ended.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	for _, t := range slices.Clone(p.queue) {
		p.giveUp(t)
	}
	p.mu.Unlock()
	p.stop()
	p.wg.Wait()
}

// Pending returns how many bodies are being fetched or wait for that.
func (p *Pool) Pending() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.queue) + len(p.running)
}

// Remembered returns how many outcomes are remembered, and about how many octets they
// have.
func (p *Pool) Remembered() (n int, octets int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended.Len(), p.octets
}

// An asking says where the task for a question came from.
type asking int

const (
	isKnown  asking = iota // it had ended before
	isBegun                // the question made it, or the Pool has no room for it
	isShared               // another question made it before
)

// ask returns the task for a body, which may have ended. If there is none, it makes one. A
// body that was scanned with another version of the signatures is fetched and scanned again.
func (p *Pool) ask(q question) (*task, asking) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := &task{question: q, done: make(chan struct{})}
	if old := p.tasks[q.id]; old != nil {
		if old.element == nil {
			p.share(old, &q)
			return old, isShared
		}
		if f := old.finding; time.Now().Before(old.expires) && (f.Scan == Unscanned || f.version == q.version) {
			return old, isKnown
		}
		t.previous = old.finding
		p.forget(old)
	}
	t.load = p.loadOf(&q)
	own := t.load.tasks
	var victim *task
	switch {
	case p.closed, own >= p.opts.PerSource && q.source != "",
		q.source == "" && p.unknown >= max(p.opts.PerSource, p.opts.Pending/2):
		return refused(t), isBegun
	case len(p.queue)+len(p.running) >= p.opts.Pending:
		if own+2 > p.most {
			return refused(t), isBegun
		}
		victim = heaviest(func(l *load) int { return l.tasks }, own, p.queue, p.running)
		if victim == nil {
			p.most = own + 1
			return refused(t), isBegun
		}
		p.giveUp(victim)
	}
	p.tasks[q.id] = t
	p.count(t, 1, 0)
	p.queue = append(p.queue, t)
	if victim != nil && victim.given {
		p.fill()
	} else {
		p.begin(t) // those that waited before could not start, and still cannot
	}
	return t, isBegun
}

// refused ends a task for which there is no room.
func refused(t *task) *task {
	t.finding = noRoom()
	close(t.done)
	return t
}

// loadOf returns the load of the source of a question.
func (p *Pool) loadOf(q *question) *load {
	if q.source == "" {
		return &q.sender.source
	}
	if l := p.sources[q.source]; l != nil {
		return l
	}
	return new(load)
}

// count changes the numbers of the source and of the message of a task.
func (p *Pool) count(t *task, tasks, running int) {
	for _, l := range []*load{t.load, &t.sender.message} {
		l.tasks += tasks
		l.running += running
	}
	p.most = max(p.most, t.load.tasks)
	switch {
	case t.source == "":
		p.unknown += tasks
	case t.load.tasks == 0:
		delete(p.sources, t.source)
	default:
		p.sources[t.source] = t.load
	}
}

// share makes a question the owner of a task that waits if its source has fewer tasks
// than the present owner: a source with many must not hold up the bodies of others.
func (p *Pool) share(t *task, q *question) {
	l := p.loadOf(q)
	if t.stop != nil || t.given || l.tasks+1 >= t.load.tasks {
		return
	}
	p.count(t, -1, 0)
	t.source = q.source
	t.sender = q.sender
	t.load = l
	p.count(t, 1, 0)
	p.begin(t)
}

// heaviest returns the last of the tasks of the source that has the most, by the number
// of, if these are more than least+1. Within the source it is one of the message that
// has the most. Otherwise it returns nil.
func heaviest(of func(*load) int, least int, lists ...[]*task) (worst *task) {
	most := least + 2
	mostOfMessage := 0
	for _, tasks := range lists {
		for _, t := range tasks {
			n := of(t.load)
			m := of(&t.sender.message)
			if n > most || n == most && m >= mostOfMessage {
				worst = t
				most = n
				mostOfMessage = m
			}
		}
	}
	return worst
}

// fill starts tasks that wait, as far as there is room.
func (p *Pool) fill() {
	for len(p.queue) > 0 {
		if !p.begin(slices.MinFunc(p.queue, func(a, b *task) int {
			return cmp.Or(
				cmp.Compare(a.load.running, b.load.running),
				cmp.Compare(a.sender.message.running, b.sender.message.running),
			)
		})) {
			return
		}
	}
}

// begin starts a task that waits, and reports whether there was room for it.
func (p *Pool) begin(next *task) bool {
	if p.closed {
		return false
	}
	if own := next.load.running; len(p.running) >= p.opts.Fetches {
		if t := heaviest(func(l *load) int { return l.running }, own, p.running); t != nil {
			t.aside = true
			t.stop()
			p.halt(t)
		} else if own > 0 {
			return false
		}
	}
	p.queue = slices.DeleteFunc(p.queue, func(t *task) bool { return t == next })
	busy := len(p.queue) > 0 || len(p.running) >= p.opts.Fetches
	p.running = append(p.running, next)
	p.count(next, 0, 1)
	next.begun = true
	ctx, stop := context.WithTimeout(p.ctx, p.opts.Timeout)
	next.stop = stop
	p.wg.Go(func() { p.run(ctx, next, busy) })
	return true
}

// halt counts a task as one that does not run.
func (p *Pool) halt(t *task) {
	p.running = slices.DeleteFunc(p.running, func(r *task) bool { return r == t })
	p.count(t, 0, -1)
}

// giveUp ends a task without a finding.
func (p *Pool) giveUp(t *task) {
	if t.stop != nil {
		t.given = true
		if !t.aside {
			t.stop()
			p.halt(t)
		}
		p.count(t, -1, 0)
		return
	}
	p.queue = slices.DeleteFunc(p.queue, func(q *task) bool { return q == t })
	p.count(t, -1, 0)
	p.end(t, noRoom())
}

// await returns the finding of a task, or a pending one when ctx ends.
func (p *Pool) await(ctx context.Context, t *task) *finding {
	select {
	case <-t.done:
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.finding == nil {
		return &finding{State: StillToCome, untried: !t.begun}
	}
	if _, changed := p.changed.Get(t.link); changed && !t.finding.Changed {
		f := *t.finding
		f.Changed = true
		return &f
	}
	return t.finding
}

// Differ notes that the host of a reference gave other octets than those that were looked at. From now on
// every outcome for its link is Changed, as after another look. A rendition is made for each request, so that
// its octets differ.
func (p *Pool) Differ(ref *Ref) {
	if ref.link == "" || ref.Capture == fetch.CaptureRendition {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changed.Put(ref.link, struct{}{})
}

// run does the work of a task.
func (p *Pool) run(ctx context.Context, t *task, busy bool) {
	f := t.work(ctx, busy)
	interrupted := f.Kind == fetch.Canceled || f.Scan == ScanFailed
	if f.Kind == fetch.Canceled {
		// The time limit of the task was reached: no caller canceled it.
		f.Kind = fetch.Unavailable
	}
	f.compare(t.previous)
	p.mu.Lock()
	defer p.mu.Unlock()
	t.stop()
	t.stop = nil
	switch {
	case t.given, p.closed && interrupted:
		p.end(t, noRoom())
	case t.aside && interrupted && !p.closed:
		t.aside = false
		p.queue = append(p.queue, t)
	default:
		if !t.aside {
			p.halt(t)
		}
		p.count(t, -1, 0)
		p.end(t, f)
	}
	p.fill()
}

// end sets the finding of a task, and forgets the oldest findings if they are too many.
func (p *Pool) end(t *task, f *finding) {
	f.untried = f.untried || !t.begun
	t.finding = f
	t.expires = p.until(f)
	t.work = nil
	t.element = p.ended.PushFront(t)
	p.octets += f.size()
	for p.ended.Len() > maxEnded || p.octets > p.opts.Octets && p.ended.Len() > 1 {
		p.forget(p.ended.Back().Value.(*task))
	}
	close(t.done)
}

// until returns when a finding ceases to be used.
func (p *Pool) until(f *finding) time.Time {
	now := time.Now()
	last := now.Add(p.opts.Remember)
	switch {
	case f.Kind == fetch.Local, f.Scan == ScanFailed && !f.Oversize:
		return now.Add(againSoon)
	case f.unaffordable(), f.State == StillToCome:
		return now // other messages have other budgets, and there may be room again
	case f.State == Failed && f.Kind.Transient():
		again := now.Add(againLater)
		if f.After.After(again) {
			again = f.After
		}
		if again.After(last) {
			again = last
		}
		return again
	}
	return last
}

// forget removes a task that has ended.
func (p *Pool) forget(t *task) {
	p.ended.Remove(t.element)
	p.octets -= t.finding.size()
	delete(p.tasks, t.id)
}
