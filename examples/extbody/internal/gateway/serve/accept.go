package serve

import (
	"errors"
	"net"
	"sync"
	"syscall"
	"time"
)

// Patient returns a listener whose Accept waits while the system has no room for
// another connection, for example because the program may open no more descriptors.
// Clients wait until there is room. report is called with the error, at most once a
// minute.
func Patient(l net.Listener, report func(error)) net.Listener {
	return &patient{Listener: l, report: report, closed: make(chan struct{})}
}

type patient struct {
	net.Listener
	report func(error)

	mu    sync.Mutex
	since time.Time // when report was called last

	once   sync.Once
	closed chan struct{}
}

const (
	acceptAgain = 20 * time.Millisecond
	reportEvery = time.Minute
)

// Accept implements net.Listener.
func (p *patient) Accept() (net.Conn, error) {
	for {
		c, err := p.Listener.Accept()
		if err == nil || !noRoom(err) {
			return c, err
		}
		p.full(err)
		select {
		case <-time.After(acceptAgain):
		case <-p.closed:
			return nil, net.ErrClosed
		}
	}
}

// Close implements net.Listener.
func (p *patient) Close() error {
	p.once.Do(func() { close(p.closed) })
	return p.Listener.Close()
}

func (p *patient) full(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); p.since.IsZero() || now.Sub(p.since) >= reportEvery {
		p.since = now
		p.report(err)
	}
}

// noRoom reports whether err means that other connections must end first.
func noRoom(err error) bool {
	for _, e := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
