package inspect

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// PoolOptions are the options of NewPool. A zero field has a default.
type PoolOptions struct {
	// Pending bounds the bodies that are being fetched at a time, including those that
	// wait for their turn; default 2000. One more is not tried, and has the State
	// StillToCome and the Kind deferred.
	Pending int

	// PerSource bounds those of them that were begun for the messages of one
	// Message.Source; default 100. All messages without a Source together may have
	// half of Pending, or PerSource if that is more.
	PerSource int

	// Timeout bounds the time for one body, including its scan; default 2 minutes.
	Timeout time.Duration

	// Remember is how long the outcome for a body is used again; default 10 minutes.
	// Some failures are tried again sooner: after 5 seconds if this machine or the
	// scanner failed, and other transient ones after half a minute or at the time that
	// the host gave. A body that the scanner finds too long is no failure.
	Remember time.Duration

	// Entries bounds the outcomes that are remembered; default 20,000.
	Entries int
}

// A Pool fetches and remembers. A body that several messages refer to is fetched once.
// Several goroutines may use it at once.
type Pool struct {
	opts PoolOptions
	ctx  context.Context
	stop context.CancelFunc
	wg   sync.WaitGroup

	mu      sync.Mutex
	tasks   map[string]*task
	ended   *list.List     // of *task; the one that ended last is the first
	sources map[string]int // tasks that run, by source
	running int
	closed  bool
}

// The times after which something is tried again.
const (
	againSoon  = 5 * time.Second  // after our own fault, or the scanner's
	againLater = 30 * time.Second // after a transient failure
)

// A task is one search for one body.
type task struct {
	id      string
	done    chan struct{}
	finding *finding // set when done is closed
	expires time.Time
	element *list.Element // in ended
}

// NewPool returns a Pool. Close must be called.
func NewPool(opts PoolOptions) *Pool {
	p := &Pool{opts: opts, tasks: make(map[string]*task), ended: list.New(), sources: make(map[string]int)}
	defaults := func(v *int, n int) {
		if *v == 0 {
			*v = n
		}
	}
	defaults(&p.opts.Pending, 2000)
	defaults(&p.opts.PerSource, 100)
	defaults(&p.opts.Entries, 20_000)
	if p.opts.Timeout == 0 {
		p.opts.Timeout = 2 * time.Minute
	}
	if p.opts.Remember == 0 {
		p.opts.Remember = 10 * time.Minute
	}
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p
}

// Close ends all fetches, and returns after the last has ended.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.stop()
	p.wg.Wait()
}

// Pending returns how many bodies are being looked for.
func (p *Pool) Pending() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running
}

// Remembered returns how many outcomes are remembered.
func (p *Pool) Remembered() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended.Len()
}

// An asking says how a Pool answered a question for a body.
type asking int

const (
	isKnown   asking = iota // the finding was there before
	isRefused               // there is no room, and the finding says so
	isBegun                 // the question began the task
	isShared                // somebody else began the task before
)

// ask returns the task for a body, or the finding of a task that has ended. If there is
// neither, it begins a task with work. version is the present version of the
// signatures: a body that was scanned with another version is fetched and scanned again.
func (p *Pool) ask(id, source, version string, work func(context.Context) *finding) (*task, asking, *finding) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.tasks[id]; t != nil {
		if t.element == nil {
			return t, isShared, nil
		}
		if f := t.finding; time.Now().Before(t.expires) && (f.Scan == Unscanned || f.version == version) {
			return nil, isKnown, f
		}
		p.forget(t)
	}
	most := p.opts.PerSource
	if source == "" {
		most = max(most, p.opts.Pending/2)
	}
	if p.closed || p.running >= p.opts.Pending || p.sources[source] >= most {
		return nil, isRefused, &finding{State: StillToCome, Kind: fetch.Deferred, After: time.Now().Add(againLater)}
	}
	t := &task{id: id, done: make(chan struct{})}
	p.tasks[id] = t
	p.running++
	p.sources[source]++
	p.wg.Go(func() { p.run(t, source, work) })
	return t, isBegun, nil
}

// await returns the finding of a task, or a pending one when ctx ends.
func (t *task) await(ctx context.Context) *finding {
	select {
	case <-t.done:
		return t.finding
	default:
	}
	select {
	case <-t.done:
		return t.finding
	case <-ctx.Done():
		return &finding{State: StillToCome}
	}
}

// run does the work of a task.
func (p *Pool) run(t *task, source string, work func(context.Context) *finding) {
	ctx, stop := context.WithTimeout(p.ctx, p.opts.Timeout)
	defer stop()
	f := work(ctx)
	if f.Kind == fetch.Canceled {
		// The time limit of the task was reached: no caller canceled it.
		f.Kind = fetch.Unavailable
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t.finding = f
	t.expires = p.until(f)
	p.running--
	if p.sources[source]--; p.sources[source] == 0 {
		delete(p.sources, source)
	}
	t.element = p.ended.PushFront(t)
	for p.ended.Len() > p.opts.Entries {
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
	case f.unaffordable():
		return now // other messages have other budgets
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
	delete(p.tasks, t.id)
}
