package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/netx/tlserror"
)

// A Login is who logs in.
type Login struct {
	User, Password string

	// Token is a bearer token for the server Host and Port, used instead of a
	// password.
	Token string
	Host  string
	Port  uint16

	// Anonymous means a login without a user. Trace is the text that the server gets all the
	// same, by custom a mail address (RFC 4505 section 2).
	Anonymous bool
	Trace     string
}

// LogIn authenticates in a way that the server offers.
func (c *Conn) LogIn(l Login) error {
	secrets := l.User + l.Password + l.Token + l.Trace
	switch {
	case strings.ContainsAny(secrets, "\r\n\x00") || l.Token != "" && strings.Contains(secrets, "\x01"):
		return NewFault(ErrCredentials, ErrInject)
	case l.Anonymous:
		return c.logInAnonymously(l.Trace)
	case l.Token != "":
		return c.logInWithToken(l)
	case c.Caps["AUTH=PLAIN"]:
		// RFC 4616: no authorization identity.
		return c.authenticate("PLAIN", "\x00"+l.User+"\x00"+l.Password, "")
	case !c.Caps["LOGINDISABLED"] && Sendable(l.User) && Sendable(l.Password):
		return c.Command(ErrCredentials, nil, "LOGIN "+Quoted(l.User)+" "+Quoted(l.Password))
	}
	return NewFault(ErrCredentials, errDisabled)
}

// logInAnonymously follows RFC 5092 section 3.2.
func (c *Conn) logInAnonymously(trace string) error {
	switch {
	case c.Caps["AUTH=ANONYMOUS"]:
		return c.authenticate("ANONYMOUS", trace, "")
	case c.Caps["LOGINDISABLED"] || !Sendable(trace):
		return NewFault(ErrCredentials, errDisabled)
	}
	trace = cmp.Or(trace, "anonymous@")
	return c.Command(ErrCredentials, nil, "LOGIN anonymous "+Quoted(trace))
}

// logInWithToken sends a bearer token (RFC 7628 section 3.1), or sends it in the older
// form where the server knows only that.
func (c *Conn) logInWithToken(l Login) error {
	switch {
	case c.Caps["AUTH=OAUTHBEARER"]:
		// RFC 5801 section 4: "=" and "," are written otherwise.
		name := strings.NewReplacer("=", "=3D", ",", "=2C").Replace(l.User)
		return c.authenticate("OAUTHBEARER", "n,a="+name+",\x01host="+l.Host+"\x01port="+
			strconv.Itoa(int(l.Port))+"\x01auth=Bearer "+l.Token+"\x01\x01", "\x01")
	case c.Caps["AUTH=XOAUTH2"]:
		return c.authenticate("XOAUTH2", "user="+l.User+"\x01auth=Bearer "+l.Token+"\x01\x01", "")
	}
	return NewFault(ErrCredentials, errDisabled)
}

// authenticate sends one message of a SASL mechanism when the server asks for it (RFC
// 3501 section 6.2.2). A server that asks a second time explains why it refuses, and gets
// abort (RFC 7628 section 3.2.3).
func (c *Conn) authenticate(mechanism, message, abort string) error {
	asked := 0
	refused, err := c.Exchange(nil, func() error {
		switch asked++; asked {
		case 2:
			message = abort
		case 3:
			return NewFault(ErrProtocol, ErrNotIMAP)
		}
		return c.Write(base64.StdEncoding.EncodeToString([]byte(message)))
	}, "AUTHENTICATE "+mechanism)
	if err != nil || refused == nil {
		return err
	}
	return refused.Fault(ErrCredentials)
}

// Begin does everything before the login: TLS, with implicit from the first octet, the greeting, and the
// capabilities. It reports whether the server has logged us in. handshake calls Handshake, unless the connection puts
// TLS on itself. Where there is no TLS, the error is an ErrUntrusted unless plaintext allows that.
func (c *Conn) Begin(implicit, plaintext bool, handshake func() error) (preauth bool, err error) {
	if implicit {
		if err := handshake(); err != nil {
			return false, err
		}
		c.private = true
	}
	preauth, err = c.greeting()
	if err != nil {
		return false, err
	}
	if err := c.Capability(); err != nil {
		return false, err
	}
	return preauth, c.secure(preauth, plaintext, handshake)
}

// secure starts TLS by STARTTLS where the server offers it. It returns an ErrUntrusted
// where the server does not offer it, or cannot start it any more since it has logged
// us in already. plaintext allows these cases. Anybody between us and the server can
// hide an offer.
func (c *Conn) secure(preauth, plaintext bool, handshake func() error) error {
	if c.private {
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
	c.private = true
	return c.Capability()
}

// Handshake puts TLS on the connection, with a certificate for host. It clones config;
// nil is the default.
func (c *Conn) Handshake(ctx context.Context, config *tls.Config, host string) (tls.ConnectionState, error) {
	config = config.Clone()
	if config == nil {
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
	c.private = true
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
