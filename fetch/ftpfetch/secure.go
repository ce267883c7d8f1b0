package ftpfetch

import (
	"crypto/tls"
	"errors"
	"net"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/netx/tlserror"
)

var errInjected = errors.New("octets between the reply to AUTH TLS and the handshake")

// secure asks for TLS by the policy (RFC 4217 section 4).
func (s *session) secure() error {
	ask, require := s.policy()
	if !ask || s.target.implicit {
		return nil
	}
	r, ok, err := s.try("AUTH TLS")
	switch {
	case err != nil:
		return err
	case ok:
		return s.startTLS()
	case require:
		return s.noTLS(r)
	}
	return nil
}

// policy returns whether to ask for TLS, and whether to fail without it.
func (s *session) policy() (ask, require bool) {
	if s.target.secure {
		return true, true
	}
	return s.opts.TLS.use(s.target.login.anonymous)
}

// noTLS is the error for a server that refuses TLS although the policy requires it.
func (s *session) noTLS(r reply) error {
	return &fetch.Error{
		Kind: fetch.Untrusted,
		Err:  errors.Join(errNoTLS, s.refusal(r).Err),
	}
}

// startTLS puts TLS on the control connection.
func (s *session) startTLS() error {
	if s.dialog.in.Buffered() > 0 {
		// They came in the clear, perhaps from an attacker in between, and would
		// be taken for replies that came in TLS.
		return &fetch.Error{Kind: fetch.Protocol, Err: errInjected}
	}
	s.req.Report(fetch.Event{Phase: fetch.Securing, Total: -1})
	s.tls = s.opts.TLSConfig.Clone()
	if s.tls == nil {
		s.tls = new(tls.Config)
	}
	s.tls.ServerName = s.target.host
	s.tls.ClientSessionCache = tls.NewLRUClientSessionCache(0)
	conn, err := s.handshake(s.control)
	if err != nil {
		return err
	}
	if s.log != nil {
		s.log.TLS = netguard.TLS(conn.ConnectionState())
	}
	d := newDialog(conn, s.dialog.wait)
	d.log, d.secret, d.out, d.got, d.code = s.dialog.log, s.dialog.secret, s.dialog.out, s.dialog.got, s.dialog.code
	s.dialog = d
	return nil
}

// protect asks for TLS on data connections (RFC 4217 section 9).
func (s *session) protect() error {
	if s.tls == nil {
		return nil
	}
	_, require := s.policy()
	for _, line := range []string{"PBSZ 0", "PROT P"} {
		r, ok, err := s.try(line)
		if err != nil {
			return err
		}
		if !ok && (require || s.target.implicit) {
			return s.noTLS(r)
		}
		s.private = ok
	}
	return nil
}

// handshake puts TLS on a connection. The configuration makes it verify the
// certificate for the host of the URL, on data connections too (RFC 4217
// section 15.1.1).
func (s *session) handshake(conn net.Conn) (*tls.Conn, error) {
	ctx, cancel := fetch.Limit(s.ctx, s.req.Timeouts.TLS, "the TLS handshake")
	defer cancel()
	conn.SetDeadline(time.Time{}) // the last reply has set one
	c := tls.Client(conn, s.tls)
	if err := c.HandshakeContext(ctx); err != nil {
		return nil, fetch.Interrupted(ctx, handshakeFailure(err))
	}
	return c, nil
}

// handshakeFailure gives an error of a handshake its Kind.
func handshakeFailure(err error) error {
	switch tlserror.Of(err) {
	case tlserror.NotTLS:
		return &fetch.Error{Kind: fetch.Protocol, Err: tlserror.ErrNotTLS}
	case tlserror.Lost:
		return &fetch.Error{Kind: fetch.Unavailable, Err: err}
	}
	return &fetch.Error{Kind: fetch.Untrusted, Err: tlserror.Describe(err)}
}
