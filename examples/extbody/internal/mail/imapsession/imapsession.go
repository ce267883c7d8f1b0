// Package imapsession reads mailboxes of an IMAP server and loses nothing: the caller
// gets each message, or the reason why it was not read.
//
// A [Session] sweeps a mailbox by BODYSTRUCTURE and RFC822.SIZE. It asks its caller which
// sections of which messages are wanted, and fetches the sections of many messages at once. If
// the structure or sections of a message cannot be had that way, the message must be read
// as a whole, with [Session.Fetch].
//
// # Reading only
//
// Nothing is changed on the server, except that [Session.Append] adds a message: mailboxes are opened with EXAMINE, and sections are
// fetched with PEEK. BINARY is not used, since servers and clients disagree on its
// ranges. No secret is sent in plaintext, unless [Config].AllowPlaintext is set.
//
// # Trust
//
// Nothing that can be checked is taken on the server's word:
//
//   - The answers to a command are checked message by message. A message that did not
//     come is asked for again, alone, whatever the status of the command.
//   - Responses are matched by UID, wherever in them that is. Several responses for one
//     message are put together.
//   - The message on which a connection is lost is read as a whole. It is not asked for
//     again if a new connection is lost on it too.
//   - EXISTS counts as far as the server lists the messages.
//   - Sections are fetched as ranges of bounded size, and a longer range is refused.
//   - A range of a message that is shorter than asked for is the end of the message only if there
//     are as many octets as announced, or the range after it is empty.
//   - [Limits] bound the cost of all this, over all connections.
//
// The package has its own reader of responses, on the lines and literals of package
// wire. It uses the types of go-imap and not its reader. That one ends a connection
// for one odd BODYSTRUCTURE, has deadlines that end a literal even while it flows,
// drops the second of two responses for a message, and does not bound its memory.
//
// # Memory
//
// A Session holds at most:
//
//   - four octets for each message of the mailbox, up to 16 million messages;
//   - the names of 10,000 mailboxes;
//   - the ids that EmailIDs returns;
//   - a response of 4 MiB;
//   - the structures of 512 messages, and of 1024 that are being read;
//   - twice 2 MiB of sections, and twice the sections of one message more.
package imapsession

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
	"time"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// A Config is the server to read, and how to read it.
type Config struct {
	// Dial connects to the server. The Session closes the connection.
	Dial func(context.Context) (net.Conn, error)

	// Host is the name that the server's certificate must have.
	Host string

	// TLS is the configuration of TLS; nil is the default. It is cloned, and its
	// ServerName is replaced by Host.
	TLS *tls.Config

	// Implicit means that TLS starts with the first octet (RFC 8314 section 3).
	// Without it, STARTTLS is used.
	Implicit bool

	// AllowPlaintext lets a password be sent to a server that does not offer
	// TLS. TLS that is offered is used all the same.
	AllowPlaintext bool

	// Login returns who logs in. It is called once, when a server first asks.
	Login func(context.Context) (user, password string, err error)

	// Limits bound the cost of the Session.
	Limits Limits

	// MaxMessage is the most octets of a message that Fetch reads; 0 is 256 MiB.
	MaxMessage int64
}

// idleTime is how long a server may neither send nor take anything, and how long
// connecting may take.
const idleTime = time.Minute

const defaultMaxMessage = 256 << 20

// A Session reads mailboxes, one after the other, through one connection at a time. It
// makes a lost connection again; the mailbox must then be the same as before. Several
// goroutines must not call its methods concurrently. Only Fetch may be called between two
// messages of a Sweep, and also while another goroutine goes on with the Sweep.
type Session struct {
	cfg  Config
	mu   sync.Mutex // held by methods that speak with the server
	conn *wire.Conn // nil while none is open

	user, password string
	asked          bool  // Login was called
	failed         error // why there is no other try to connect

	ids      *string // the item of ids that messages keep, "" without one; nil if it was not asked for
	budget   *budget
	suspects map[uint32]bool // UIDs of messages on which a connection was lost

	raw         map[string]string // names as the server lists them, by Mailbox.Name, if they are sent so
	mailbox     string            // the open one; "" if none is open
	uidValidity uint32
	uidNext     uint32   // no message had a higher UID when it was opened last; 0 if not known
	exists      int64    // messages in the mailbox when it was opened last
	gone        []uint32 // messages that did not come in a Sweep, in any order
	barren      int      // commands in a row during which the connection was lost and nothing came
}

// UIDValidity returns the UIDVALIDITY of the open mailbox. It is never 0.
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

// Failed returns the error of a server that let a few connections in a row fail, each at once; nil as long as
// there are other tries. All methods return it from then on.
func (s *Session) Failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// Exists returns the number of messages that the server gave when the mailbox was
// opened last.
func (s *Session) Exists() int64 { return s.exists }

// How much is asked for at a time.
const (
	listWindow      = 5000     // UIDs of messages
	maxListed       = 16 << 20 // UIDs of a mailbox
	firstWindow     = 64       // structures, at first
	structureWindow = 512      // structures
	sectionWindow   = 1024     // sections
	maxHeld         = 2 << 20  // octets of sections
	maxItems        = 128      // of one message; one with more is fetched as a whole
)
