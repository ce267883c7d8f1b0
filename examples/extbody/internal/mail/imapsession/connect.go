package imapsession

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
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

// logIn authenticates.
func (s *Session) logIn(ctx context.Context, c *wire.Conn) error {
	if s.cfg.Login == nil {
		return wire.NewFault(wire.ErrCredentials, errNoLogin)
	}
	if !s.asked {
		user, password, err := s.cfg.Login(ctx)
		if err != nil {
			return wire.NewFault(wire.ErrCredentials, err)
		}
		s.user, s.password, s.asked = user, password, true
	}
	return c.LogIn(wire.Login{User: s.user, Password: s.password})
}

// examine opens the mailbox. It must be the one that was opened before.
func (s *Session) examine(c *wire.Conn) error {
	var validity uint32
	exists, uidNext := int64(0), uint32(0)
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
	s.uidValidity, s.exists, s.uidNext = validity, exists, uidNext
	return nil
}

func newChanged(from, to uint32) error {
	return wire.NewFault(ErrChanged, fmt.Errorf("%d instead of %d", to, from))
}

// codeNumber returns the number of a response code in an untagged OK.
func codeNumber(line []byte, code string) (uint32, bool) {
	prefix := "* OK [" + code + " "
	if !wire.HasPrefixFold(line, prefix) {
		return 0, false
	}
	digits, _, _ := bytes.Cut(line[len(prefix):], []byte("]"))
	n, err := strconv.ParseUint(string(digits), 10, 32)
	return uint32(n), err == nil
}

// numbered returns the number and the word of a response such as "* 3 EXISTS",
// and the rest.
func numbered(line []byte) (n uint32, word string, data []byte) {
	rest, ok := bytes.CutPrefix(line, []byte("* "))
	digits, rest, spaced := bytes.Cut(rest, []byte(" "))
	number, err := strconv.ParseUint(string(digits), 10, 32)
	if !ok || !spaced || err != nil {
		return 0, "", nil
	}
	name, data, _ := bytes.Cut(rest, []byte(" "))
	return uint32(number), strings.ToUpper(string(name)), data
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

// The zero Limits mean these.
const (
	DefaultOctets   = 32 << 30
	DefaultCommands = 1_000_000
	DefaultWait     = 2 * time.Minute
)

// NoLimits are as good as no limits.
var NoLimits = Limits{1 << 61, 1 << 61, 1 << 61}

// Limits bound the cost of a Session, over all its connections.
type Limits struct {
	// Octets is how many octets the server may send; 0 is DefaultOctets.
	Octets int64

	// Commands is how many commands may be sent; 0 is DefaultCommands.
	Commands int64

	// Wait is how long the Session waits for the server, all waits together; 0 is
	// DefaultWait. Each 16 KiB that came adds a second, and each message that was read
	// adds a quarter of a second. So only a server that is slower than that uses Wait
	// up. The time between two calls does not count.
	Wait time.Duration
}

const (
	earnedOctets = 16 << 10               // octets for which a second is added
	earnedTime   = 250 * time.Millisecond // added for each message

	// The cost of a server in a row without a message, or without an octet of one.
	maxUselessOctets   = 64 << 20
	maxUselessCommands = 5000
)

var errUseless = errors.New("much came from the server, and none of what was asked for")

// A budget is the rest of Limits.
type budget struct {
	limits           Limits
	octets, commands int64
	waited, earned   time.Duration

	uselessOctets, uselessCommands int64 // since the last progress
}

func newBudget(l Limits) *budget {
	return &budget{limits: Limits{
		Octets:   cmp.Or(l.Octets, DefaultOctets),
		Commands: cmp.Or(l.Commands, DefaultCommands),
		Wait:     cmp.Or(l.Wait, DefaultWait),
	}}
}

// spent returns an error if nothing is left.
func (b *budget) spent() error {
	switch {
	case b.octets > b.limits.Octets:
		return wire.NewFault(ErrBudget, fmt.Errorf("the server sent more than %d octets", b.limits.Octets))
	case b.commands > b.limits.Commands:
		return wire.NewFault(ErrBudget, fmt.Errorf("%d commands were sent", b.limits.Commands))
	case b.left() <= 0:
		return wire.NewFault(ErrBudget, fmt.Errorf("the server is too slow: more than %v went by waiting for it", b.limits.Wait))
	case b.uselessOctets > maxUselessOctets, b.uselessCommands > maxUselessCommands:
		return wire.NewFault(ErrBudget, errUseless)
	}
	return nil
}

// left returns how much longer the server may be waited for.
func (b *budget) left() time.Duration {
	transfer := time.Duration(float64(b.octets) / earnedOctets * float64(time.Second))
	return b.limits.Wait + b.earned + transfer - b.waited
}

// wait counts the time spent waiting.
func (b *budget) wait(d time.Duration) { b.waited += d }

// received counts octets that came.
func (b *budget) received(n int) {
	b.octets += int64(n)
	b.uselessOctets += int64(n)
}

// command counts commands. It returns an error if they must not be sent.
func (b *budget) command(n int) error {
	b.commands += int64(n)
	b.uselessCommands += int64(n)
	return b.spent()
}

// progress notes that something came that was asked for.
func (b *budget) progress() { b.uselessOctets, b.uselessCommands = 0, 0 }

// message notes that a message came.
func (b *budget) message() {
	b.earned += earnedTime
	b.progress()
}
