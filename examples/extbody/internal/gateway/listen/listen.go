// Package listen opens the listeners of a server, including those that systemd hands
// over, ends them together, and reports the state of the server to systemd.
package listen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Open opens a listener. The address is
//
//   - "host:port"; or
//   - the path of a Unix socket, which starts with a slash; or
//   - "fd:NAME" for a socket that systemd opened.
//
// A Unix socket that a killed server left is replaced.
func Open(address string) (net.Listener, error) {
	if name, ok := strings.CutPrefix(address, "fd:"); ok {
		return inherited(name)
	}
	if !strings.HasPrefix(address, "/") {
		return net.Listen("tcp", address)
	}
	l, err := net.Listen("unix", address)
	if err == nil {
		return l, nil
	}
	// If no server answers at the socket, a killed one left it.
	if info, statErr := os.Lstat(address); statErr != nil || info.Mode()&os.ModeSocket == 0 {
		return nil, err
	}
	if c, dialErr := net.DialTimeout("unix", address, time.Second); dialErr == nil {
		c.Close()
		return nil, err
	}
	if os.Remove(address) != nil {
		return nil, err
	}
	return net.Listen("unix", address)
}

// Check returns an error if an address has none of the forms of [Open].
func Check(address string) error {
	if strings.HasPrefix(address, "fd:") || strings.HasPrefix(address, "/") {
		return nil
	}
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return fmt.Errorf("%q: want host:port, the path of a socket that starts with a slash, or fd:NAME", address)
	}
	return nil
}

// firstDescriptor is the descriptor of the first socket that systemd hands over; see
// sd_listen_fds(3).
const firstDescriptor = 3

// inherited returns the listener with the given name, which is FileDescriptorName in
// the socket unit of systemd.
func inherited(name string) (net.Listener, error) {
	if pid := os.Getenv("LISTEN_PID"); pid != strconv.Itoa(os.Getpid()) {
		return nil, fmt.Errorf("fd:%s: no sockets were handed over to this process", name)
	}
	n, _ := strconv.Atoi(os.Getenv("LISTEN_FDS"))
	names := strings.Split(os.Getenv("LISTEN_FDNAMES"), ":")
	i := slices.Index(names, name)
	if i < 0 || i >= n {
		return nil, fmt.Errorf("fd:%s: there is no such socket among %s", name, strings.Join(names, ", "))
	}
	f := os.NewFile(uintptr(firstDescriptor+i), name)
	defer f.Close()
	return net.FileListener(f)
}

// Patient returns a listener whose Accept waits while the system has no room for
// another connection, for example because the program may open no more descriptors.
// Clients wait until there is room. full is called with the error before each wait.
func Patient(l net.Listener, full func(error)) net.Listener { return &patient{l, full} }

type patient struct {
	net.Listener
	full func(error)
}

const acceptAgain = 20 * time.Millisecond

// Accept implements net.Listener.
func (p *patient) Accept() (net.Conn, error) {
	for {
		c, err := p.Listener.Accept()
		if err == nil || !noRoom(err) {
			return c, err
		}
		p.full(err)
		time.Sleep(acceptAgain)
	}
}

// noRoom reports whether err means that other connections must end first.
func noRoom(err error) bool {
	errno, ok := errors.AsType[syscall.Errno](err)
	return ok && slices.Contains([]syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM}, errno)
}

// Notify sends the state of the server to systemd, if systemd asked for that; see
// sd_notify(3). Errors are ignored.
func Notify(state string) {
	path := os.Getenv("NOTIFY_SOCKET")
	if path == "" {
		return
	}
	if path[0] == '@' {
		path = "\x00" + path[1:]
	}
	c, err := net.Dial("unixgram", path)
	if err != nil {
		return
	}
	defer c.Close()
	c.Write([]byte(state))
}

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
	g.open = make(map[io.Closer]bool)
	g.changed.L = &g.mu
	g.ctx, g.stop = context.WithCancel(context.Background())
	g.ending, g.end = context.WithCancel(g.ctx)
}

// Context returns a context that ends when the connections are closed.
func (g *Group) Context() context.Context {
	g.once.Do(g.init)
	return g.ctx
}

// Ending returns a context that ends when Drain starts.
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
