package listen

import (
	"errors"
	"net"
	"testing"
	"time"
)

// A connection that was accepted when the Group was closed is known after Wait; an
// error of a listener is one only before Close; what comes after Close is closed.
func TestGroup(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var g Group
	bad := errors.New("bad")
	if err := g.Serve(l, func(net.Listener) error { return bad }); err != bad {
		t.Errorf("got %v, want %v", err, bad)
	}
	accepted, known := make(chan struct{}), false
	ended := make(chan error)
	go func() {
		ended <- g.Serve(l, func(l net.Listener) error {
			c, err := l.Accept()
			if err != nil {
				return err
			}
			close(accepted)
			time.Sleep(10 * time.Millisecond)
			known = true
			c.Close()
			_, err = l.Accept()
			return err
		})
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	<-accepted
	g.Close()
	g.Wait()
	if !known {
		t.Error("Wait returned before accept did, want after it")
	}
	if err := <-ended; err != nil {
		t.Errorf("after Close: got %v, want nil", err)
	}
	late, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Serve(late, func(net.Listener) error { return bad }); err != nil {
		t.Errorf("late: got %v, want nil", err)
	}
	if _, err := late.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("late: got %v, want %v", err, net.ErrClosed)
	}
}
