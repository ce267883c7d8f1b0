package imapfetch

import (
	"context"
	"net"
	"strconv"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/imap/wire"
)

// A session is one connection. It fetches one section. The end of ctx closes
// the connection, which interrupts calls that wait for it.
type session struct {
	ctx    context.Context
	req    *fetch.Request
	target *target
	opts   *Options
	guard  *netguard.Guard

	conn    net.Conn   // TCP
	wire    *wire.Conn // on conn
	preauth bool       // logged in by the greeting
	stop    func() bool

	log      *fetch.Exchange // nil without an observer
	received int64           // octets of literals that were read
	secrets  []string        // that a response may repeat
}

// run does all that comes before the body.
func (s *session) run() (*fetch.Response, error) {
	for _, step := range []func() error{s.connect, s.begin, s.logIn} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	if s.target.access != "" {
		return s.urlFetch()
	}
	return s.fetch()
}

func (s *session) connect() error {
	s.req.Report(fetch.Event{Phase: fetch.Connecting, Total: -1})
	ctx, cancel := fetch.Limit(s.ctx, s.req.Timeouts.Connect, "the connection")
	defer cancel()
	conn, err := s.guard.DialContext(netguard.Observe(ctx, s.log), "tcp", net.JoinHostPort(s.target.host, strconv.Itoa(int(s.target.port))))
	if err != nil {
		return fetch.Interrupted(ctx, err)
	}
	s.conn = conn
	s.stop = context.AfterFunc(s.ctx, func() { conn.Close() })
	s.wire = wire.New(conn, wire.Options{
		Time: s.req.Timeouts.FirstOctet, MaxLine: maxLine, MaxDialogue: maxDialogue, Say: s.say,
	})
	if s.log != nil {
		s.log.Remote = fetch.RemoteAddr(s.conn)
	}
	return nil
}

// begin does the steps before the login.
func (s *session) begin() error {
	var err error
	if s.target.implicit {
		if err := s.handshake(); err != nil {
			return err
		}
	}
	if s.preauth, err = s.wire.Greeting(); err != nil {
		return failed(err)
	}
	if err := s.wire.Capability(); err != nil {
		return failed(err)
	}
	// A server that has logged us in already is not trusted with secrets that need TLS
	// (IM-12).
	return failed(s.wire.Secure(s.preauth, s.target.login.anonymous || s.opts.AllowPlaintext, s.handshake))
}

// handshake puts TLS on the connection.
func (s *session) handshake() error {
	s.req.Report(fetch.Event{Phase: fetch.Securing, Total: -1})
	ctx, cancel := fetch.Limit(s.ctx, s.req.Timeouts.TLS, "the TLS handshake")
	defer cancel()
	state, err := s.wire.Handshake(ctx, s.opts.TLSConfig, s.target.host)
	if err != nil {
		return fetch.Interrupted(ctx, failed(err))
	}
	if s.log != nil {
		s.log.TLS = netguard.TLS(state)
	}
	return nil
}

func (s *session) close() {
	if s.stop != nil {
		s.stop()
	}
	if s.conn != nil {
		s.conn.Close()
	}
}
