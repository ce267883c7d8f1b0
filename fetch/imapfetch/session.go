package imapfetch

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// A session is one connection. It fetches one section. The end of ctx closes
// the connection, which interrupts what waits for it.
type session struct {
	ctx    context.Context
	req    *fetch.Request
	target *target
	opts   *Options
	guard  *netguard.Guard

	conn    net.Conn // TCP
	dialog  *dialog  // on conn, or on TLS on it
	private bool     // in TLS
	preauth bool     // logged in by the greeting
	caps    map[string]bool
	stop    func() bool

	log      *fetch.Exchange // nil if nobody observes
	received int64           // octets of literals that were read
	secrets  []string        // that a response may repeat
}

var errInjected = errors.New("octets between the reply to STARTTLS and the handshake")

// run does all that comes before the body.
func (s *session) run() (*fetch.Response, error) {
	for _, step := range []func() error{s.connect, s.greet, s.capability, s.secure, s.logIn} {
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
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	}
	s.conn = conn
	s.stop = context.AfterFunc(s.ctx, func() { conn.Close() })
	s.dialog = newDialog(conn, s.req.Timeouts.FirstOctet)
	s.dialog.say = s.say
	if s.log != nil {
		s.log.Remote = s.remote()
	}
	if s.target.implicit {
		return s.handshake()
	}
	return nil
}

// greet reads the greeting (RFC 3501 section 7.1).
func (s *session) greet() error {
	line, err := s.dialog.line()
	if err != nil {
		return err
	}
	switch {
	case hasPrefixFold(line, "* OK"):
		return nil
	case hasPrefixFold(line, "* PREAUTH"):
		s.preauth = true
		return nil
	case hasPrefixFold(line, "* BYE"):
		return fault(fetch.Unavailable, errBye)
	}
	return fault(fetch.Protocol, errNotIMAP)
}

// capability asks what the server can do. What it said before TLS or before the
// login does not count afterwards (RFC 3501 section 6.2.1).
func (s *session) capability() error {
	s.caps = make(map[string]bool)
	return s.command("CAPABILITY", fetch.Protocol, func(line string) (bool, error) {
		if !hasPrefixFold(line, "* CAPABILITY ") {
			return false, nil
		}
		for _, c := range strings.Fields(strings.ToUpper(line))[2:] {
			s.caps[c] = true
		}
		return true, nil
	})
}

// secure begins TLS where the server offers it. A server that has logged us in
// already does not, and is not trusted with what needs TLS (IM-12).
func (s *session) secure() error {
	switch {
	case s.private:
		return nil
	case s.preauth && !s.target.login.anonymous && !s.opts.AllowPlaintext:
		return fault(fetch.Untrusted, errNoTLS)
	case s.preauth || !s.caps["STARTTLS"]:
		return nil
	}
	if err := s.must("STARTTLS", fetch.Untrusted); err != nil {
		return err
	}
	if s.dialog.in.Buffered() > 0 {
		// They came in the clear, perhaps from somebody in between, and would
		// be taken for responses that came in TLS.
		return fault(fetch.Protocol, errInjected)
	}
	if err := s.handshake(); err != nil {
		return err
	}
	return s.capability()
}

// handshake puts TLS on the connection.
func (s *session) handshake() error {
	s.req.Report(fetch.Event{Phase: fetch.Securing, Total: -1})
	config := s.opts.TLSConfig.Clone()
	if config == nil {
		config = new(tls.Config)
	}
	config.ServerName = s.target.host
	ctx, cancel := fetch.Limit(s.ctx, s.req.Timeouts.TLS, "the TLS handshake")
	defer cancel()
	s.conn.SetDeadline(time.Time{}) // that of the last response
	c := tls.Client(s.conn, config)
	if err := c.HandshakeContext(ctx); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return untrusted(err)
	}
	if s.log != nil {
		s.log.TLS = fetch.NewTLS(c.ConnectionState())
	}
	d := newDialog(c, s.dialog.limit)
	d.say, d.out, d.got = s.dialog.say, s.dialog.out, s.dialog.got
	s.dialog = d
	s.private = true
	return nil
}

// untrusted gives an error of a handshake its Kind: a connection that was lost
// says nothing about trust, all else does.
func untrusted(err error) error {
	kind := fetch.Untrusted
	if err == io.EOF {
		kind = fetch.Unavailable
	} else if e, ok := errors.AsType[*net.OpError](err); ok && e.Op != "local error" && e.Op != "remote error" {
		// Those two are how crypto/tls reports alerts.
		kind = fetch.Unavailable
	}
	return fault(kind, err)
}

// command sends a command and waits for its end. A refusal is of Kind refused,
// unless the server says more.
func (s *session) command(command string, refused fetch.Kind, handle func(string) (bool, error)) error {
	tag, err := s.dialog.send(command)
	if err != nil {
		return err
	}
	st, err := s.dialog.wait(tag, handle)
	if err != nil {
		return err
	}
	return st.err(refused)
}

// must is command where no response matters but the last.
func (s *session) must(command string, refused fetch.Kind) error {
	return s.command(command, refused, nil)
}

// remote returns the address of the server.
func (s *session) remote() netip.AddrPort {
	addr, _ := netip.ParseAddrPort(s.conn.RemoteAddr().String())
	return addr
}

// logoutTime bounds the farewell, whose answer nobody waits for.
const logoutTime = 100 * time.Millisecond

// logOut says good-bye, if that is possible at once.
func (s *session) logOut() {
	s.dialog.limit = logoutTime
	s.dialog.send("LOGOUT")
}

func (s *session) close() {
	if s.stop != nil {
		s.stop()
	}
	if s.conn != nil {
		s.conn.Close()
	}
}
