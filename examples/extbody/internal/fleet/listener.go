package fleet

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// A listener wakes those who wait for the notifications of a channel. Notifications may
// be lost, so that they look for themselves now and then.
type listener struct {
	cancel context.CancelFunc
	ended  chan struct{}

	mu      sync.Mutex
	waiting map[string]map[chan struct{}]bool // by payload
}

func listen(db *pgxpool.Pool, channel string) *listener {
	ctx, cancel := context.WithCancel(context.Background())
	l := &listener{cancel: cancel, ended: make(chan struct{}), waiting: make(map[string]map[chan struct{}]bool)}
	go func() {
		defer close(l.ended)
		for ctx.Err() == nil {
			l.run(ctx, db, channel)
			select {
			case <-time.After(pollTime):
			case <-ctx.Done():
			}
		}
	}()
	return l
}

// run passes notifications on until the connection fails.
func (l *listener) run(ctx context.Context, db *pgxpool.Pool, channel string) {
	conn, err := db.Acquire(ctx)
	if err != nil {
		return
	}
	own := conn.Hijack() // a connection of the pool must not listen
	defer own.Close(context.WithoutCancel(ctx))
	if _, err := own.Exec(ctx, "LISTEN "+channel); err != nil {
		return
	}
	for {
		n, err := own.WaitForNotification(ctx)
		if err != nil {
			return
		}
		l.mu.Lock()
		for c := range l.waiting[n.Payload] {
			select {
			case c <- struct{}{}:
			default: // it was woken already
			}
		}
		l.mu.Unlock()
	}
}

// await returns a channel that receives when payload was notified.
func (l *listener) await(payload string) chan struct{} {
	c := make(chan struct{}, 1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting[payload] == nil {
		l.waiting[payload] = make(map[chan struct{}]bool)
	}
	l.waiting[payload][c] = true
	return c
}

// forget ends the wait that await started.
func (l *listener) forget(payload string, c chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if delete(l.waiting[payload], c); len(l.waiting[payload]) == 0 {
		delete(l.waiting, payload)
	}
}

func (l *listener) close() {
	l.cancel()
	<-l.ended
}
