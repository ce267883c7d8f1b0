package listen

import (
	"net"
	"sync"
)

// A Group is the listeners of a server, which end together. The zero Group is ready to
// use. Several goroutines may call its methods at once.
type Group struct {
	mu      sync.Mutex
	closed  bool
	list    []net.Listener
	serving sync.WaitGroup
}

// Serve calls accept, which takes the connections of l until l is closed. Serve returns
// the error of accept, or nil if Close was called. If Close was called before, Serve
// closes l and returns.
func (g *Group) Serve(l net.Listener, accept func(net.Listener) error) error {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return l.Close()
	}
	g.list = append(g.list, l)
	g.serving.Add(1)
	g.mu.Unlock()
	defer g.serving.Done()
	err := accept(l)
	if g.Closed() {
		return nil
	}
	return err
}

// Close closes the listeners.
func (g *Group) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for _, l := range g.list {
		l.Close()
	}
}

// Closed reports whether Close was called.
func (g *Group) Closed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// Wait returns when all calls of accept have returned. After Close and Wait, no more
// connections come.
func (g *Group) Wait() { g.serving.Wait() }
