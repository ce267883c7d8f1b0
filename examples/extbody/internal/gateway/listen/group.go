package listen

import (
	"context"
	"io"
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

	mu      sync.Mutex
	open    map[io.Closer]bool // the connections, and the listeners, which are true
	changed sync.Cond          // open has fewer
}

func (g *Group) init() {
	g.open, g.changed.L = make(map[io.Closer]bool), &g.mu
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
	g.add(l, true, g.Ending())
	defer g.remove(l)
	if err := accept(l); g.ending.Err() == nil {
		return err
	}
	return nil
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
func (g *Group) Add(c net.Conn) { g.add(c, false, g.Context()) }

// Remove removes a connection.
func (g *Group) Remove(c net.Conn) { g.remove(c) }

// add adds c, and closes it if the time for it has ended.
func (g *Group) add(c io.Closer, listener bool, time context.Context) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open[c] = listener
	if time.Err() != nil {
		c.Close()
	}
}

func (g *Group) remove(c io.Closer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.open, c)
	g.changed.Broadcast()
}

// Drain closes the listeners, and returns when no connection is left. When ctx ends, it
// closes the connections.
func (g *Group) Drain(ctx context.Context) {
	g.once.Do(g.init)
	defer g.stop()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.end()
	for c, listener := range g.open {
		if listener {
			c.Close()
		}
	}
	defer context.AfterFunc(ctx, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.stop()
		for c := range g.open {
			c.Close()
		}
	})()
	for len(g.open) > 0 {
		g.changed.Wait()
	}
}
