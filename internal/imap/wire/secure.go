package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"time"

	"github.com/go-extbody/extbody/internal/netx/tlserror"
)

// Secure begins TLS by STARTTLS where the server offers it. It returns an ErrUntrusted
// where the server does not offer it, or cannot begin it any more since it has logged
// us in already. plaintext allows these cases. Anybody between us and the server can
// hide an offer.
func (c *Conn) Secure(preauth, plaintext bool, handshake func() error) error {
	if c.Private {
		return nil
	}
	if preauth || !c.Caps["STARTTLS"] {
		if plaintext {
			return nil
		}
		return NewFault(ErrUntrusted, ErrNoTLS)
	}
	if err := c.Command(ErrUntrusted, nil, "STARTTLS"); err != nil {
		return err
	}
	if c.in.Buffered() > 0 {
		// These octets came in the clear, perhaps from an attacker between us and the
		// server, and would be taken for responses that came in TLS.
		return NewFault(ErrUntrusted, errInjected)
	}
	if err := handshake(); err != nil {
		return err
	}
	return c.Capability()
}

// Handshake puts TLS on the connection, with a certificate for host. It clones config;
// nil is the default.
func (c *Conn) Handshake(ctx context.Context, config *tls.Config, host string) (tls.ConnectionState, error) {
	if config = config.Clone(); config == nil {
		config = new(tls.Config)
	}
	config.ServerName = host
	if c.opts.Time > 0 {
		c.raw.SetDeadline(time.Time{}) // the deadline of the last response
	}
	t := tls.Client(c.raw, config)
	if err := t.HandshakeContext(ctx); err != nil {
		c.Broken = true
		return tls.ConnectionState{}, handshakeFault(err)
	}
	c.Private = true
	c.use(t)
	return t.ConnectionState(), nil
}

// handshakeFault gives an error of a handshake its kind.
func handshakeFault(err error) error {
	if _, ok := errors.AsType[*Fault](err); ok {
		return ioFault(err)
	}
	switch tlserror.Of(err) {
	case tlserror.NotTLS:
		return NewFault(ErrProtocol, tlserror.ErrNotTLS)
	case tlserror.Lost:
		return ioFault(err)
	}
	return NewFault(ErrUntrusted, tlserror.Describe(err))
}
