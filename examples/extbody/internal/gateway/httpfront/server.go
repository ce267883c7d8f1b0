package httpfront

import (
	"context"
	"net"
	"net/http"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
)

// A Server serves HTTP. When it ends, it first answers all questions on connections that
// it has accepted. [http.Server.Shutdown] alone drops questions that it reads after it
// was called.
type Server struct {
	http *http.Server
	busy listen.Group // connections on which a question is on its way, or may be
}

// Serving returns a Server that uses s. It sets s.ConnState.
func Serving(s *http.Server) *Server {
	w := &Server{http: s}
	s.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateNew || state == http.StateActive {
			w.busy.Add(c)
		} else {
			w.busy.Remove(c)
		}
	}
	return w
}

// Serve takes connections until Drain is called, and then returns nil. An error of the
// listener ends it too.
func (s *Server) Serve(l net.Listener) error { return s.busy.Listen(l, s.http.Serve) }

// Drain takes no more connections. It returns when all questions on the open ones are
// answered, or when ctx ends. It then closes all connections.
func (s *Server) Drain(ctx context.Context) {
	s.http.SetKeepAlivesEnabled(false)
	s.busy.Drain(ctx)
	s.http.Close()
}
