package serve

import (
	"errors"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// A crowded listener has no room until some time.
type crowded struct {
	until  time.Time
	closed chan struct{}
	tries  int
}

func (l *crowded) Accept() (net.Conn, error) {
	l.tries++
	if time.Now().Before(l.until) {
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	select {
	case <-l.closed:
		return nil, net.ErrClosed
	default:
	}
	a, b := net.Pipe()
	a.Close()
	return b, nil
}

func (l *crowded) Close() error   { close(l.closed); return nil }
func (l *crowded) Addr() net.Addr { return nil }

// A listener without room waits, says so once a minute, and can be closed meanwhile.
func TestPatient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		said := 0
		inner := &crowded{until: time.Now().Add(150 * time.Second), closed: make(chan struct{})}
		l := Patient(inner, func(err error) {
			said++
			if !errors.Is(err, syscall.EMFILE) {
				t.Errorf("got %v, want %v", err, syscall.EMFILE)
			}
		})
		c, err := l.Accept()
		if err != nil || said != 3 || inner.tries > int(150*time.Second/acceptAgain)+1 {
			t.Errorf("got %v, said %d times, %d tries, want a connection and 3 times", err, said, inner.tries)
		}
		c.Close()
		inner.until = time.Now().Add(time.Hour)
		ended := make(chan error)
		go func() { _, err := l.Accept(); ended <- err }()
		time.Sleep(time.Second)
		l.Close()
		if err := <-ended; !errors.Is(err, net.ErrClosed) {
			t.Errorf("closed: got %v, want %v", err, net.ErrClosed)
		}
	})
}
