package listen

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"
)

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
