//go:build !linux

package inline

import (
	"context"
	"time"
)

// A watcher waits for the next look at folders.
type watcher struct{}

func newWatcher() *watcher { return new(watcher) }

func (w *watcher) add(string) {}

func (w *watcher) wait(ctx context.Context, most time.Duration) error { return sleep(ctx, most) }

func (w *watcher) close() {}
