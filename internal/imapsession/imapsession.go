// Package imapsession reads mailboxes of an IMAP server and loses nothing on the
// way: each message is given to the caller, or the caller is told that it
// was not read and why.
//
// A [Session] sweeps a mailbox by BODYSTRUCTURE, asks its caller which sections
// of which messages are wanted, and fetches those of many messages at once. A
// message whose structure or sections cannot be had that way is one to be read
// as a whole, with [Session.Fetch].
//
// # What is not done
//
// Nothing is changed on the server: mailboxes are opened with EXAMINE, and
// sections fetched with PEEK. BINARY is not used (servers and clients disagree
// on its ranges), and nothing is said in plaintext that is secret, unless
// [Config].AllowPlaintext is set.
//
// # What is not trusted
//
// Of a server nothing is believed that can be checked. Commands are answered
// message by message: what did not come is asked for again, alone, whatever the
// status of the command. Responses are matched by UID wherever it stands in
// them, and several responses for one message are put together. The message on
// which a connection is lost is read as a whole, once, and not asked for again.
// What EXISTS says counts as far as the server lists the messages. Sections are
// fetched as ranges of bounded size, and a range that is longer than it may be is
// refused. [Limits] bound what all of that may cost, however many connections it
// takes.
//
// The package has a reader of responses of its own, on the lines and literals of
// package imapwire. That of go-imap, of which
// it uses the types, ends a connection for one odd BODYSTRUCTURE, has deadlines
// that end a literal however it flows, drops the second of two responses for a
// message, and does not bound what it keeps.
//
// # Memory
//
// A Session holds four octets for each message of the mailbox, which are 16 million
// at most, the names of 10,000 mailboxes at most, a response of at most 4 MiB, the structures of 1024 messages at most, and sections of at most 4
// MiB and those of one message.
package imapsession

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"github.com/go-extbody/extbody/internal/imapwire"
)

// A Config says which mailbox to read, and how.
type Config struct {
	// Dial connects to the server. The connection is closed by the Session.
	Dial func(context.Context) (net.Conn, error)

	// Host is the name that the certificate of the server has to be for.
	Host string

	// TLS is the configuration of TLS; nil is the default. It is cloned, and
	// its ServerName replaced by Host.
	TLS *tls.Config

	// Implicit says that TLS begins with the first octet (RFC 8314 section 3).
	// Without it, STARTTLS is used.
	Implicit bool

	// AllowPlaintext lets a password be sent to a server that does not offer
	// TLS. TLS that is offered is used all the same.
	AllowPlaintext bool

	// Login returns who logs in. It is called once, when a server first wants
	// to know.
	Login func(context.Context) (user, password string, err error)

	// Mailbox is the name of the mailbox, in UTF-8. With "" none is opened until
	// Examine is called.
	Mailbox string

	// UIDValidity is what the mailbox has to have; 0 is anything.
	UIDValidity uint32

	// Idle is how long a server may send and take nothing, and how long
	// connecting may take; 0 is a minute.
	Idle time.Duration

	// Limits bound what the Session may cost.
	Limits Limits

	// MaxMessage is the most octets of a message that Fetch reads; 0 is 256
	// MiB.
	MaxMessage int64
}

const (
	defaultIdle       = time.Minute
	defaultMaxMessage = 256 << 20
)

// A Session reads mailboxes, one after the other, through one connection at a time. A connection
// that is lost is made again, and the mailbox has to be the same then. Its
// methods must not be called by several goroutines at once; between two
// messages of a Sweep, Fetch may be called.
type Session struct {
	cfg  Config
	conn *imapwire.Conn // nil while there is none

	user, password string
	asked          bool  // Login was called
	failed         error // of the last try to connect, after which there is no other

	budget   *budget
	suspects map[uint32]bool // UIDs of messages on which a connection was lost

	mailbox     string // the one that is open; "" if there is none
	uidValidity uint32
	exists      int      // messages in the mailbox when it was opened last
	gone        []uint32 // messages that did not come in a Sweep, in no order
	barren      int      // commands in a row in which the connection was lost and nothing came
}

// Open connects, logs in and opens the mailbox.
func Open(ctx context.Context, cfg *Config) (*Session, error) {
	s := &Session{cfg: *cfg, mailbox: cfg.Mailbox, uidValidity: cfg.UIDValidity, budget: newBudget(cfg.Limits), suspects: make(map[uint32]bool)}
	if s.cfg.Idle <= 0 {
		s.cfg.Idle = defaultIdle
	}
	if s.cfg.MaxMessage <= 0 {
		s.cfg.MaxMessage = defaultMaxMessage
	}
	if err := s.connect(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// UIDValidity returns that of the mailbox that is open, which is never 0.
func (s *Session) UIDValidity() uint32 { return s.uidValidity }

// Close ends the Session. It does not wait for the server.
func (s *Session) Close() {
	if s.conn != nil {
		s.conn.LogOut()
		s.drop()
	}
}

func (s *Session) drop() {
	if s.conn != nil {
		s.conn.Abort()
		s.conn = nil
	}
}
