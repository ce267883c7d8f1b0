package httpfront

import (
	"context"
	"net"
	"net/http"
	"sync"

	"github.com/go-extbody/extbody/internal/listen"
)

// A Server serves HTTP so that it can end without leaving a question unanswered that
// came on a connection that was taken. [http.Server.Shutdown] alone drops those that
// it reads after it was called.
type Server struct {
	http      *http.Server
	listeners listen.Group

	mu      sync.Mutex
	open    map[net.Conn]bool // whether a question is on its way, or may be
	changed chan struct{}
}

// Serving returns a Server that uses s, whose ConnState it sets.
func Serving(s *http.Server) *Server {
	w := &Server{http: s, open: make(map[net.Conn]bool), changed: make(chan struct{}, 1)}
	s.ConnState = w.state
	return w
}

// Serve takes connections until Drain is called, and returns nil then.
func (s *Server) Serve(l net.Listener) error {
	return s.listeners.Serve(l, s.http.Serve)
}

// state is told of each connection.
func (s *Server) state(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	switch state {
	case http.StateNew, http.StateActive:
		s.open[c] = true
	default:
		delete(s.open, c)
	}
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// Drain takes no more connections, and returns when each question on those that were
// taken is answered, or when ctx ends, after which nothing of them is left.
func (s *Server) Drain(ctx context.Context) {
	s.listeners.Close()
	// After that all connections are known that were accepted.
	s.listeners.Wait()
	s.http.SetKeepAlivesEnabled(false)
	for s.busy() {
		select {
		case <-s.changed:
			continue
		case <-ctx.Done():
		}
		break
	}
	s.http.Close()
}

// busy reports whether a question is on its way, or may be.
func (s *Server) busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open) > 0
}
