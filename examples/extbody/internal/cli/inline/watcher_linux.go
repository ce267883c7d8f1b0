package inline

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A watcher waits for names that change in folders.
type watcher struct {
	fd      int
	events  *os.File // of inotify; nil if this system gives none
	buffers []byte
}

func newWatcher() *watcher {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return new(watcher)
	}
	return &watcher{fd: fd, events: os.NewFile(uintptr(fd), "inotify"), buffers: make([]byte, 64<<10)}
}

// add watches a folder, if it does not yet. A folder that cannot be watched is looked at as often
// as others.
func (w *watcher) add(dir string) {
	if w.events != nil {
		unix.InotifyAddWatch(w.fd, dir, unix.IN_CREATE|unix.IN_MOVED_TO|unix.IN_ONLYDIR)
	}
}

// wait returns after something changed in a folder since it was watched, after a time, and with
// the error of ctx when that ends.
func (w *watcher) wait(ctx context.Context, most time.Duration) error {
	if w.events == nil {
		return sleep(ctx, most)
	}
	w.events.SetReadDeadline(time.Now().Add(most))
	stop := context.AfterFunc(ctx, func() { w.events.SetReadDeadline(time.Now()) })
	defer stop()
	_, err := w.events.Read(w.buffers)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil
	}
	return err
}

func (w *watcher) close() {
	if w.events != nil {
		w.events.Close()
	}
}
