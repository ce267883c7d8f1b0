package imapsession

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

var (
	errNoLogin = errors.New("the server wants a login, and there is none to give")
	errNoUIDs  = errors.New("the mailbox has no UIDVALIDITY")
)

// connect makes the connection, and opens the mailbox again if one was open.
func (s *Session) connect(ctx context.Context) error {
	if err := s.budget.spent(); err != nil {
		return err
	}
	dialing, cancel := context.WithTimeout(ctx, min(idleTime, s.budget.left()))
	defer cancel()
	began := time.Now()
	raw, err := s.cfg.Dial(dialing)
	s.budget.wait(time.Since(began))
	if err != nil {
		return failed(ctx, wire.NewFault(wire.ErrUnavailable, err))
	}
	c := newConn(raw, s.budget)
	stop := context.AfterFunc(ctx, c.Abort)
	defer stop()
	if err := s.begin(ctx, c); err != nil {
		c.Abort()
		return failed(ctx, err)
	}
	s.conn = c
	return nil
}

// failed returns the reason for which ctx ended, if it has ended, and otherwise err.
func failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// begin does everything that comes before the first message.
func (s *Session) begin(ctx context.Context, c *wire.Conn) error {
	preauth, err := c.Begin(s.cfg.Implicit, s.cfg.AllowPlaintext, func() error {
		_, err := c.Handshake(ctx, s.cfg.TLS, s.cfg.Host)
		return err
	})
	if err != nil {
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

func (s *Session) logIn(ctx context.Context, c *wire.Conn) error {
	if s.cfg.Login == nil {
		return wire.NewFault(wire.ErrCredentials, errNoLogin)
	}
	if !s.asked {
		user, password, err := s.cfg.Login(ctx)
		if err != nil {
			return wire.NewFault(wire.ErrCredentials, err)
		}
		s.user = user
		s.password = password
		s.asked = true
	}
	return c.LogIn(wire.Login{User: s.user, Password: s.password})
}

// examine opens the mailbox. It must be the one that was opened before.
func (s *Session) examine(c *wire.Conn) error {
	var validity, uidNext uint32
	var exists int64
	name := c.Mailbox(s.mailbox)
	if raw, ok := s.raw[s.mailbox]; ok {
		name = wire.Quoted(raw)
	}
	err := c.Command(wire.ErrNotFound, func(line []byte) error {
		if n, ok := codeNumber(line, "UIDVALIDITY"); ok {
			validity = n
		}
		if n, ok := codeNumber(line, "UIDNEXT"); ok {
			uidNext = n
		}
		if n, word, _ := numbered(line); word == "EXISTS" {
			exists = int64(n)
		}
		return nil
	}, "EXAMINE "+name)
	switch {
	case err != nil && c.Broken:
		return err
	case err != nil:
		return fmt.Errorf("the mailbox cannot be opened: %w", err)
	case validity == 0:
		return wire.NewFault(wire.ErrProtocol, errNoUIDs)
	case s.uidValidity != 0 && s.uidValidity != validity:
		return newChanged(s.uidValidity, validity)
	}
	s.uidValidity = validity
	s.exists = exists
	s.uidNext = uidNext
	return nil
}

// Limits on attempts in vain.
const (
	maxConnects = 5
	maxSearches = 6 // connections that are lost in a search
	maxBarren   = 10
	maxWait     = 5 * time.Second
)

// connected makes a connection unless one is open. Its errors are final.
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
		if tries == maxConnects || s.barren >= maxBarren || !errors.Is(err, wire.ErrUnavailable) {
			if s.mailbox == "" || errors.Is(err, wire.ErrUnavailable) {
				s.failed = err // for every mailbox and message
			}
			return err
		}
	}
	return nil
}

// wait lets some time pass before the next connection: none at first, and twice as much
// after each connection in vain.
func (s *Session) wait(ctx context.Context, vain int) error {
	if vain <= 0 {
		return nil
	}
	pause := min(maxWait, 250*time.Millisecond<<min(vain, 10))
	s.budget.wait(pause)
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// An idleConn puts a deadline on each Read and each Write, so that data that flows is
// never interrupted. It counts their cost.
type idleConn struct {
	net.Conn
	budget *budget
}

func (c *idleConn) Read(p []byte) (int, error) {
	return c.within(c.SetReadDeadline, func() (int, error) {
		n, err := c.Conn.Read(p)
		c.budget.received(n)
		return n, err
	})
}

func (c *idleConn) Write(p []byte) (int, error) {
	return c.within(c.SetWriteDeadline, func() (int, error) { return c.Conn.Write(p) })
}

// within calls do, with a deadline for the time that is left.
func (c *idleConn) within(set func(time.Time) error, do func() (int, error)) (int, error) {
	if err := c.budget.spent(); err != nil {
		return 0, err
	}
	began := time.Now()
	set(began.Add(min(idleTime, c.budget.left())))
	n, err := do()
	c.budget.wait(time.Since(began))
	if errors.Is(err, os.ErrDeadlineExceeded) && c.budget.spent() != nil {
		err = c.budget.spent()
	}
	return n, err
}

// newConn returns a connection to a server. Its costs are counted in b.
func newConn(raw net.Conn, b *budget) *wire.Conn {
	return wire.New(&idleConn{raw, b}, wire.Options{Sending: b.command})
}

// Open connects and logs in. No mailbox is open until Examine is called.
func Open(ctx context.Context, cfg *Config) (*Session, error) {
	s := &Session{cfg: *cfg, budget: newBudget(cfg.Limits), suspects: make(map[uint32]bool)}
	s.cfg.MaxMessage = cmp.Or(s.cfg.MaxMessage, defaultMaxMessage)
	if err := s.connect(ctx); err != nil {
		return nil, err
	}
	return s, nil
}
