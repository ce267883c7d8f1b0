package daemons

import (
	"io"
	"net"
	"sync"
	"testing"
)

// A Link forwards connections to a server, as a network does. While it is silent, octets and new connections wait
// without an error at either side.
type Link struct {
	Address string // host and port, instead of the server's

	mu     sync.Mutex
	moves  *sync.Cond
	silent bool
	ended  bool
}

// NewLink returns a link to an address, until the end of the test.
func NewLink(t testing.TB, address string) *Link {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &Link{Address: listener.Addr().String()}
	l.moves = sync.NewCond(&l.mu)
	var running sync.WaitGroup
	var conns []net.Conn // under mu
	t.Cleanup(func() {
		listener.Close()
		l.mu.Lock()
		l.ended = true
		for _, c := range conns {
			c.Close()
		}
		l.moves.Broadcast()
		l.mu.Unlock()
		running.Wait()
	})
	running.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer near.Close()
				l.mu.Lock()
				conns = append(conns, near)
				l.mu.Unlock()
				if !l.wait() {
					return
				}
				far, err := net.Dial("tcp", address)
				if err != nil {
					return
				}
				defer far.Close()
				l.mu.Lock()
				conns = append(conns, far)
				ended := l.ended
				l.mu.Unlock()
				if ended {
					return
				}
				var back sync.WaitGroup
				back.Go(func() { l.forward(near, far) })
				l.forward(far, near)
				back.Wait()
			})
		}
	})
	return l
}

// forward copies the octets of one side, and then its end.
func (l *Link) forward(to, from net.Conn) {
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		if !l.wait() {
			return
		}
		if n > 0 {
			if _, err := to.Write(b[:n]); err != nil {
				from.Close()
				return
			}
		}
		if err != nil {
			if err != io.EOF {
				to.Close()
			} else if c, ok := to.(*net.TCPConn); ok {
				c.CloseWrite()
			}
			return
		}
	}
}

// wait returns when the link is not silent. It reports whether the test goes on.
func (l *Link) wait() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.silent && !l.ended {
		l.moves.Wait()
	}
	return !l.ended
}

// Silence has the link be silent, or forward again.
func (l *Link) Silence(silent bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.silent = silent
	l.moves.Broadcast()
}
