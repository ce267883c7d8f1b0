package listen

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// The socket of a server that was killed is taken over. One at which a server
// answers is not, and neither is a file that is not a socket.
func TestOpenSocket(t *testing.T) {
	if f, err := net.Listen("unix", filepath.Join(t.TempDir(), "s")); err != nil {
		t.Skip("no Unix sockets here:", err)
	} else {
		f.Close()
	}
	left := filepath.Join(t.TempDir(), "s")
	old, err := net.Listen("unix", left)
	if err != nil {
		t.Fatal(err)
	}
	old.(*net.UnixListener).SetUnlinkOnClose(false)
	if l, err := Open(left); err == nil {
		l.Close()
		t.Error("in use: got a listener, want an error")
	}
	old.Close()
	l, err := Open(left)
	if err != nil {
		t.Fatalf("left: got %v, want a listener", err)
	}
	l.Close()
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, []byte("mail"), 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err := Open(file); err == nil {
		l.Close()
		t.Error("a file: got a listener, want an error")
	}
	if text, err := os.ReadFile(file); string(text) != "mail" {
		t.Errorf("the file: got %q, %v, want it as it was", text, err)
	}
}

// A socket that systemd handed over to another process is an error.
func TestOpenInherited(t *testing.T) {
	t.Setenv("LISTEN_PID", "1")
	t.Setenv("LISTEN_FDS", "1")
	t.Setenv("LISTEN_FDNAMES", "http")
	if l, err := Open("fd:http"); err == nil {
		l.Close()
		t.Error("got a listener, want an error")
	}
}

// A crowded listener has no room until some time.
type crowded struct {
	until  time.Time
	closed chan struct{}
	tries  int
}

func (l *crowded) Accept() (net.Conn, error) {
	l.tries++
	select {
	case <-l.closed:
		return nil, net.ErrClosed
	default:
	}
	if time.Now().Before(l.until) {
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	a, b := net.Pipe()
	a.Close()
	return b, nil
}

func (l *crowded) Close() error   { close(l.closed); return nil }
func (l *crowded) Addr() net.Addr { return nil }

// A listener without room waits, reports it, and can be closed meanwhile.
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
		if most := int(150*time.Second/acceptAgain) + 1; err != nil || said != inner.tries-1 || inner.tries > most {
			t.Errorf("got %v, said %d times, %d tries, want a connection, at most %d tries, and each that failed said", err, said, inner.tries, most)
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

func loopback(t *testing.T) net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// dialed returns a connection to a listener.
func dialed(t *testing.T, l net.Listener) net.Conn {
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// An error of a listener is one only before Drain. A listener that comes after Drain is closed.
func TestGroup(t *testing.T) {
	var g Group
	bad := errors.New("bad")
	accept := func(net.Listener) error { return bad }
	if err := g.Listen(loopback(t), accept); err != bad {
		t.Errorf("got %v, want %v", err, bad)
	}
	ended := make(chan error)
	l := loopback(t)
	go func() { ended <- g.Serve(l, 2, func(net.Conn) {}) }()
	dialed(t, l).Read(make([]byte, 1)) // it was served
	g.Drain(t.Context())
	if err := <-ended; err != nil {
		t.Errorf("after Drain: got %v, want nil", err)
	}
	late := loopback(t)
	if err := g.Listen(late, accept); err != nil {
		t.Errorf("late: got %v, want nil", err)
	}
	if _, err := late.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("late: got %v, want %v", err, net.ErrClosed)
	}
}

// Drain waits for the connections, and closes them when its context ends. One that is
// accepted after that is closed.
func TestDrain(t *testing.T) {
	var g Group
	l, served := loopback(t), make(chan struct{})
	ended := false
	go g.Serve(l, 2, func(c net.Conn) {
		close(served)
		c.Read(make([]byte, 1))
		<-g.Context().Done()
		time.Sleep(10 * time.Millisecond)
		ended = true
	})
	dialed(t, l)
	<-served
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	begun := time.Now()
	g.Drain(ctx)
	if !ended || time.Since(begun) < 50*time.Millisecond {
		t.Errorf("got it ended %v after %v, want it ended after 50 ms", ended, time.Since(begun))
	}
	a, b := net.Pipe()
	defer b.Close()
	g.Add(a)
	if _, err := a.Write([]byte("x")); err == nil {
		t.Error("got a connection that is open after Drain, want it closed")
	}
}

// No more connections are open at a time than Serve was called with.
func TestGroupMost(t *testing.T) {
	var g Group
	l, served, release := loopback(t), make(chan struct{}, 9), make(chan struct{})
	go g.Serve(l, 3, func(net.Conn) { served <- struct{}{}; <-release })
	for range 4 {
		dialed(t, l)
	}
	for range 3 {
		<-served
	}
	select {
	case <-served:
		t.Error("got 4 connections at a time, want 3")
	case <-time.After(20 * time.Millisecond):
	}
	close(release)
	<-served
	g.Drain(t.Context())
}
