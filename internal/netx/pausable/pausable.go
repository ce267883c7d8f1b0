// Package pausable limits the time of contexts, as [context.WithTimeoutCause] does, by
// clocks that can be stopped: the time that a person takes to answer counts for no
// limit.
package pausable

import (
	"context"
	"sync"
	"time"
)

// WithTimeout returns a context that ends with cause after it has run for d, not
// counting the time in Hold. Its Deadline is the time at which that will be if it is
// not held. While it is held it has the Deadline of parent. The caller must call
// cancel, which ends it before with a cause of its own, and frees it.
func WithTimeout(
	parent context.Context, d time.Duration, cause error,
) (ctx context.Context, cancel context.CancelCauseFunc) {
	inner, end := context.WithCancelCause(parent)
	w := &watch{Context: inner, left: d}
	w.outer, _ = parent.Value(watchKey{}).(*watch)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = func() { end(cause) }
	w.run()
	return w, func(own error) {
		end(own)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.timer.Stop()
	}
}

// Hold stops the clocks of ctx and of the contexts from which it is derived, until
// release is called. Several goroutines may call it: the clocks go on after all have
// released them.
func Hold(ctx context.Context) (release func()) {
	w, _ := ctx.Value(watchKey{}).(*watch)
	for at := w; at != nil; at = at.outer {
		at.hold()
	}
	return func() {
		for at := w; at != nil; at = at.outer {
			at.release()
		}
	}
}

// HoldLast stops the innermost clock of ctx alone, until release is called.
func HoldLast(ctx context.Context) (release func()) {
	w, ok := ctx.Value(watchKey{}).(*watch)
	if !ok {
		return func() {}
	}
	w.hold()
	return w.release
}

// A watch is a context with a clock.
type watch struct {
	context.Context
	outer *watch // of the context from which it is derived
	over  func()

	mu    sync.Mutex
	held  int
	left  time.Duration // the time left when it last started to run
	begun time.Time     // when that was
	timer *time.Timer
}

type watchKey struct{}

// Value implements [context.Context].
func (w *watch) Value(key any) any {
	if key == (watchKey{}) {
		return w
	}
	return w.Context.Value(key)
}

// Deadline implements [context.Context].
func (w *watch) Deadline() (time.Time, bool) {
	parent, has := w.Context.Deadline()
	w.mu.Lock()
	defer w.mu.Unlock()
	own := w.begun.Add(w.left)
	if w.held > 0 || has && parent.Before(own) {
		return parent, has
	}
	return own, true
}

// run starts the clock.
func (w *watch) run() {
	w.begun = time.Now()
	w.timer = time.AfterFunc(w.left, w.over)
}

func (w *watch) hold() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held++; w.held == 1 {
		w.timer.Stop()
		w.left -= time.Since(w.begun)
	}
}

func (w *watch) release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held--; w.held == 0 && w.Err() == nil {
		w.run()
	}
}
