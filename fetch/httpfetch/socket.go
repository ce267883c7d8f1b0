package httpfetch

import (
	"errors"
	"io"
	"net"
	"sync"
	"syscall"

	"github.com/go-extbody/extbody/fetch"
)

var errUnasked = &fetch.Error{Kind: fetch.Protocol, Err: errors.New("the server sends octets that were not asked for")}

// A socket is the connection to a server or a proxy, below any layers of TLS.
// It knows whether octets wait there that no request has asked for, before one is written.
//
// Octets after the end of an answer, and before the next request, would be read as the answer to
// that request, and the body would be another URL's. They are not passed on, and the connection ends.
//
// Where the system cannot be asked (see [socket.read]) octets are found if they were read before the
// request was written.
type socket struct {
	net.Conn
	raw syscall.RawConn // nil if it has none

	mu      sync.Mutex
	moved   sync.Cond // the fields below have changed
	waiting bool      // the reader waits for octets, and all before have been passed up
	over    bool      // the reader has had an error, or the connection was closed
	next    bool      // the next Write starts a request
	unasked bool      // octets have come that were not asked for
	hurried bool      // no Read waits any more
	answers answers
}

func newSocket(c net.Conn) *socket {
	s := &socket{Conn: c}
	s.moved.L = &s.mu
	if sc, ok := c.(syscall.Conn); ok {
		s.raw, _ = sc.SyscallConn()
	}
	return s
}

// Read implements [io.Reader].
func (s *socket) Read(p []byte) (int, error) {
	n, err := s.read(p)
	if err != nil {
		s.end()
	}
	return n, err
}

// Close implements [io.Closer].
func (s *socket) Close() error {
	s.end()
	return s.Conn.Close()
}

func (s *socket) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.moved.Broadcast()
}

// errHurried is the error of a Read that would wait.
var errHurried = errors.New("no octets")

// hurry has Reads from now on wait for nothing, if an answer has ended. It reports whether it has and a Read may
// find octets. A Read that waits already shows that there are none, and holds up another one.
func (s *socket) hurry() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ended := s.answers.part == nowhere && !s.over
	s.hurried = ended && !s.unasked && !s.waiting
	return s.hurried
}

// plain reads from a connection whose system cannot be asked.
func (s *socket) plain(p []byte) (int, error) {
	s.mu.Lock()
	s.blocks(true)
	hurried := s.hurried
	s.mu.Unlock()
	if hurried {
		return 0, errHurried
	}
	n, err := s.Conn.Read(p)
	s.mu.Lock()
	s.blocks(false)
	s.mu.Unlock()
	return n, err
}

// blocks notes whether the reader is about to wait for octets. s is locked.
func (s *socket) blocks(waiting bool) {
	s.waiting = waiting
	s.moved.Broadcast()
}

// request announces a request.
func (s *socket) request() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = true
}

// begin starts the request that was announced. It is an error if octets came before. It waits
// until the octets there were read, which the goroutine of the transport does.
func (s *socket) begin() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.next {
		return nil
	}
	s.next = false
	for !s.over && !s.unasked {
		if s.waiting && !s.readable() {
			break
		}
		s.waiting = false
		s.moved.Wait()
	}
	if s.unasked || s.answers.part != nowhere {
		return errUnasked
	}
	s.answers.expect()
	return nil
}

// admit returns how many of the octets p, which have been read with err, are part of an answer, and
// the octets that net/http gets for them. The connection is at its end if there are others.
func (s *socket) admit(p []byte, err error) (n int, out []byte, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, out = s.answers.take(p)
	switch {
	case s.answers.fault != nil:
		err = s.answers.fault
	case n < len(p):
		s.unasked = true
		err = io.EOF
		s.moved.Broadcast()
	case err != nil:
		out = append(out, s.answers.rest()...)
	}
	return n, out, err
}

// fault returns the error of a head that was not passed on.
func (s *socket) fault() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answers.fault
}

// spoke reports whether the server has sent octets that were not asked for.
func (s *socket) spoke() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unasked
}
