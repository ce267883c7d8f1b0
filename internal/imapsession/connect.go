package imapsession

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/mutf7"
)

var (
	errNoTLS    = errors.New("the server does not offer TLS, without which no password is sent")
	errInjected = errors.New("octets between the reply to STARTTLS and the handshake")
	errNoLogin  = errors.New("the server wants a login, and there is none to give")
	errDisabled = errors.New("the server offers no way to log in that is supported")
	errNoUIDs   = errors.New("the mailbox has no UIDVALIDITY")
)

// connect makes the connection and opens the mailbox.
func (s *Session) connect(ctx context.Context) error {
	if err := s.budget.spent(); err != nil {
		return err
	}
	dialing, cancel := context.WithTimeout(ctx, min(s.cfg.Idle, s.budget.left()))
	defer cancel()
	began := time.Now()
	raw, err := s.cfg.Dial(dialing)
	s.budget.wait(time.Since(began))
	if err != nil {
		return failed(ctx, newFault(ErrUnavailable, err))
	}
	c := newConn(raw, s.cfg.Idle, s.budget)
	stop := context.AfterFunc(ctx, c.abort)
	defer stop()
	if err := s.begin(ctx, c); err != nil {
		c.abort()
		return failed(ctx, err)
	}
	s.conn = c
	return nil
}

// failed returns the reason for which ctx has ended, if it has, in place of what
// came of that.
func failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// begin does all that comes before the first message.
func (s *Session) begin(ctx context.Context, c *conn) error {
	if s.cfg.Implicit {
		if err := s.handshake(ctx, c); err != nil {
			return err
		}
	}
	preauth, err := c.greeting()
	if err != nil {
		return err
	}
	if err := c.capability(); err != nil {
		return err
	}
	if err := s.secure(ctx, c, preauth); err != nil {
		return err
	}
	if !preauth {
		if err := s.logIn(ctx, c); err != nil {
			return err
		}
	}
	if s.mailbox == "" {
		return nil
	}
	return s.examine(c)
}

// greeting reads the greeting (RFC 3501 section 7.1) and reports whether the
// server has logged us in.
func (c *conn) greeting() (preauth bool, err error) {
	line, err := c.response()
	if err != nil {
		return false, err
	}
	switch {
	case hasPrefixFold(line, "* OK"):
		return false, nil
	case hasPrefixFold(line, "* PREAUTH"):
		return true, nil
	case hasPrefixFold(line, "* BYE"):
		return false, newFault(ErrUnavailable, errBye)
	}
	return false, newFault(ErrProtocol, errNotIMAP)
}

// capability asks what the server can do. What it said before TLS does not
// count afterwards (RFC 3501 section 6.2.1).
func (c *conn) capability() error {
	c.caps = make(map[string]bool)
	return c.command(ErrProtocol, func(line []byte) error {
		if hasPrefixFold(line, "* CAPABILITY ") {
			for _, word := range strings.Fields(strings.ToUpper(string(line)))[2:] {
				c.caps[word] = true
			}
		}
		return nil
	}, "CAPABILITY")
}

// secure begins TLS where the server offers it.
func (s *Session) secure(ctx context.Context, c *conn, preauth bool) error {
	if c.private {
		return nil
	}
	if preauth || !c.caps["STARTTLS"] {
		// A server that has logged us in already cannot begin TLS any more.
		if s.cfg.AllowPlaintext {
			return nil
		}
		return newFault(ErrUntrusted, errNoTLS)
	}
	if err := c.command(ErrUntrusted, ignore, "STARTTLS"); err != nil {
		return err
	}
	if c.in.Buffered() > 0 {
		// They came in the clear, perhaps from somebody in between, and would
		// be taken for responses that came in TLS.
		return newFault(ErrUntrusted, errInjected)
	}
	if err := s.handshake(ctx, c); err != nil {
		return err
	}
	return c.capability()
}

// handshake puts TLS on the connection.
func (s *Session) handshake(ctx context.Context, c *conn) error {
	config := s.cfg.TLS.Clone()
	if config == nil {
		config = new(tls.Config)
	}
	config.ServerName = s.cfg.Host
	t := tls.Client(c.raw, config)
	if err := t.HandshakeContext(ctx); err != nil {
		return untrusted(err)
	}
	c.private = true
	c.use(t)
	return nil
}

// untrusted gives an error of a handshake its kind: a connection that was lost
// says nothing about trust, all else does.
func untrusted(err error) error {
	if err == io.EOF || errors.Is(err, ErrBudget) {
		return ioFault(err)
	}
	if e, ok := errors.AsType[*net.OpError](err); ok && e.Op != "local error" && e.Op != "remote error" {
		// Those two are how crypto/tls reports alerts.
		return ioFault(err)
	}
	return newFault(ErrUntrusted, err)
}

// logIn authenticates.
func (s *Session) logIn(ctx context.Context, c *conn) error {
	if s.cfg.Login == nil {
		return newFault(ErrCredentials, errNoLogin)
	}
	if !s.asked {
		user, password, err := s.cfg.Login(ctx)
		if err != nil {
			return newFault(ErrCredentials, err)
		}
		if strings.ContainsAny(user+password, "\r\n\x00") {
			return newFault(ErrCredentials, errInject)
		}
		s.user, s.password, s.asked = user, password, true
	}
	switch {
	case c.caps["AUTH=PLAIN"]:
		return c.authenticate(s.user, s.password)
	case !c.caps["LOGINDISABLED"] && sendable(s.user) && sendable(s.password):
		return c.command(ErrCredentials, ignore, "LOGIN "+quoted(s.user)+" "+quoted(s.password))
	}
	return newFault(ErrCredentials, errDisabled)
}

// authenticate logs in by PLAIN (RFC 4616), without an authorization identity.
func (c *conn) authenticate(user, password string) error {
	message := base64.StdEncoding.EncodeToString([]byte("\x00" + user + "\x00" + password))
	sent := false
	return c.command(ErrCredentials, func(line []byte) error {
		if line[0] != '+' || sent {
			return nil
		}
		sent = true
		return c.write(message + "\r\n")
	}, "AUTHENTICATE PLAIN")
}

// examine opens the mailbox, which has to be the one that was opened before.
func (s *Session) examine(c *conn) error {
	name := s.mailbox
	if !c.namesInUTF8() {
		name = mutf7.Encode(name)
	}
	var validity uint32
	exists := 0
	err := c.command(ErrNoMailbox, func(line []byte) error {
		if n, ok := uidValidity(line); ok {
			validity = n
		}
		if n, word, _ := numbered(line); word == "EXISTS" {
			exists = int(n)
		}
		return nil
	}, "EXAMINE "+quoted(name))
	switch {
	case err != nil:
		return err
	case validity == 0:
		return newFault(ErrProtocol, errNoUIDs)
	case s.uidValidity != 0 && s.uidValidity != validity:
		return newChanged(s.uidValidity, validity)
	}
	s.uidValidity, s.exists = validity, exists
	return nil
}

// namesInUTF8 reports whether names of mailboxes are (RFC 9051 section 5.1).
func (c *conn) namesInUTF8() bool { return c.caps["IMAP4REV2"] && !c.caps["IMAP4REV1"] }

func newChanged(from, to uint32) error {
	number := func(n uint32) string { return strconv.FormatUint(uint64(n), 10) }
	return newFault(ErrChanged, errors.New(number(to)+" in place of "+number(from)))
}

// uidValidity returns what an untagged OK says of it.
func uidValidity(line []byte) (uint32, bool) {
	const code = "* OK [UIDVALIDITY "
	if !hasPrefixFold(line, code) {
		return 0, false
	}
	digits, _, _ := bytes.Cut(line[len(code):], []byte("]"))
	n, err := strconv.ParseUint(string(digits), 10, 32)
	return uint32(n), err == nil
}

// numbered returns the number and the word of a response such as "* 3 EXISTS",
// and what is behind them.
func numbered(line []byte) (n uint32, word string, data []byte) {
	rest, ok := bytes.CutPrefix(line, []byte("* "))
	digits, rest, spaced := bytes.Cut(rest, []byte(" "))
	if !ok || !spaced || len(digits) == 0 || digits[0] < '0' || digits[0] > '9' {
		return 0, "", nil
	}
	number, err := strconv.ParseUint(string(digits), 10, 32)
	if err != nil {
		return 0, "", nil
	}
	name, data, _ := bytes.Cut(rest, []byte(" "))
	return uint32(number), strings.ToUpper(string(name)), data
}

// Limits on what is tried in vain.
const (
	maxConnects = 5
	maxBarren   = 24
	maxWait     = 5 * time.Second
)

// connected makes a connection if there is none. Its errors are for good.
func (s *Session) connected(ctx context.Context) error {
	if s.failed != nil {
		return s.failed
	}
	for tries := 1; s.conn == nil; tries++ {
		if err := s.wait(ctx, max(s.barren-1, tries-1)); err != nil {
			return err
		}
		err := s.connect(ctx)
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			return err
		}
		if tries == maxConnects || s.barren >= maxBarren || !errors.Is(err, ErrUnavailable) {
			if s.mailbox == "" {
				s.failed = err // whatever the mailbox
			}
			return err
		}
	}
	return nil
}

// wait lets some time pass before a connection is made again: none at first,
// and twice as much after each one in vain.
func (s *Session) wait(ctx context.Context, vain int) error {
	if vain <= 0 {
		return nil
	}
	pause := min(maxWait, 250*time.Millisecond<<min(vain, 10))
	s.budget.wait(pause)
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
