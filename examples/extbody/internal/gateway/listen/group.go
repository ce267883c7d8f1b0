package listen

import (
	"context"
	"net"
	"sync"
)

// A Group is the listeners of a server and the connections that they accepted, which end
// together. The zero Group is ready to use. Several goroutines may call its methods at
// once.
type Group struct {
	once        sync.Once
	ctx, ending context.Context
	stop, end   context.CancelFunc

	mu        sync.Mutex
	listeners map[net.Listener]bool
	conns     map[net.Conn]bool
	changed   chan struct{}
}

func (g *Group) init() {
	g.listeners, g.conns, g.changed = make(map[net.Listener]bool), make(map[net.Conn]bool), make(chan struct{}, 1)
	g.ctx, g.stop = context.WithCancel(context.Background())
	g.ending, g.end = context.WithCancel(g.ctx)
}

// Context returns a context that ends when the connections are closed.
func (g *Group) Context() context.Context {
	g.once.Do(g.init)
	return g.ctx
}

// Ending returns a context that ends when Drain begins.
func (g *Group) Ending() context.Context {
	g.once.Do(g.init)
	return g.ending
}

// Listen calls accept, which takes the connections of l until l is closed. Listen returns
// the error of accept, or nil if Drain was called. If Drain was called before, Listen
// closes l and returns.
func (g *Group) Listen(l net.Listener, accept func(net.Listener) error) error {
	ending := g.Ending()
	g.mu.Lock()
	if ending.Err() != nil {
		g.mu.Unlock()
		return l.Close()
	}
	g.listeners[l] = true
	g.mu.Unlock()
	err := accept(l)
	g.mu.Lock()
	delete(g.listeners, l)
	g.mu.Unlock()
	g.signal()
	if ending.Err() != nil {
		return nil
	}
	return err
}

// Serve calls serve for each connection of l, in a goroutine of its own, and closes the
// connection after that. At most most connections are open at a time; others wait to be
// accepted. Serve returns as Listen does.
func (g *Group) Serve(l net.Listener, most int, serve func(net.Conn)) error {
	slots := make(chan struct{}, most)
	return g.Listen(l, func(l net.Listener) error {
		for {
			slots <- struct{}{}
			c, err := l.Accept()
			if err != nil {
				return err
			}
			g.Add(c)
			go func() {
				serve(c)
				c.Close()
				g.Remove(c)
				<-slots
			}()
		}
	})
}

// Add adds a connection for which Drain waits.
func (g *Group) Add(c net.Conn) {
	ctx := g.Context()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.conns[c] = true
	if ctx.Err() != nil {
		c.Close()
	}
}

// Remove removes a connection.
func (g *Group) Remove(c net.Conn) {
	g.mu.Lock()
	delete(g.conns, c)
	g.mu.Unlock()
	g.signal()
}

func (g *Group) signal() {
	select {
	case g.changed <- struct{}{}:
	default:
	}
}

// Drain closes the listeners, and returns when no connection is left. When ctx ends, it
// closes the connections.
func (g *Group) Drain(ctx context.Context) {
	g.once.Do(g.init)
	defer g.stop()
	g.mu.Lock()
	g.end()
	for l := range g.listeners {
		l.Close()
	}
	g.mu.Unlock()
	late := ctx.Done()
	for g.busy() {
		select {
		case <-g.changed:
		case <-late:
			late = nil
			g.stop()
			g.mu.Lock()
			for c := range g.conns {
				c.Close()
			}
			g.mu.Unlock()
		}
	}
}

// busy reports whether there are connections, or may be.
func (g *Group) busy() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.listeners)+len(g.conns) > 0
}
