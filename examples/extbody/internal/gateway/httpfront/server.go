package httpfront

import (
	"context"
	"net"
	"net/http"
	"sync"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
)

// A Server serves HTTP. When it ends, it first answers all questions on connections that
// it has accepted. [http.Server.Shutdown] alone drops questions that it reads after it
// was called.
type Server struct {
	http      *http.Server
	listeners listen.Group

	mu      sync.Mutex
	open    map[net.Conn]bool // connections on which a question is on its way, or may be
	changed chan struct{}
}

// Serving returns a Server that uses s. It sets s.ConnState.
func Serving(s *http.Server) *Server {
	w := &Server{http: s, open: make(map[net.Conn]bool), changed: make(chan struct{}, 1)}
	s.ConnState = w.state
	return w
}

// Serve takes connections until Drain is called, and then returns nil. An error of the
// listener ends it too.
func (s *Server) Serve(l net.Listener) error {
	return s.listeners.Serve(l, s.http.Serve)
}

// state keeps track of the connections. It is the ConnState of the http.Server.
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

// Drain takes no more connections. It returns when all questions on the open ones are
// answered, or when ctx ends. It then closes all connections.
func (s *Server) Drain(ctx context.Context) {
	s.listeners.Close()
	// From here on, all connections that were accepted are known.
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

// busy reports whether a question is on its way on any connection, or may be.
func (s *Server) busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open) > 0
}
