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
// Nothing is changed on the server: mailboxes are opened with EXAMINE, and sections are
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
//   - The message on which a connection is lost is read as a whole, once, and not asked
//     for again.
//   - EXISTS counts as far as the server lists the messages.
//   - Sections are fetched as ranges of bounded size, and a longer range is refused.
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
//   - a response of 4 MiB;
//   - the structures of 512 messages, and of 1024 that are being read;
//   - twice 2 MiB of sections, and twice the sections of one message more.
package imapsession

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"iter"
	"net"
	"slices"
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

// Open connects and logs in. No mailbox is open until Examine is called.
func Open(ctx context.Context, cfg *Config) (*Session, error) {
	s := &Session{cfg: *cfg, budget: newBudget(cfg.Limits), suspects: make(map[uint32]bool)}
	s.cfg.MaxMessage = cmp.Or(s.cfg.MaxMessage, defaultMaxMessage)
	if err := s.connect(ctx); err != nil {
		return nil, err
	}
	return s, nil
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

// Some yields those messages among uids of which something is wanted, as Sweep does.
// uids must be in order, each once.
func (s *Session) Some(ctx context.Context, uids []uint32, want Want) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) { s.some(ctx, uids, 0, want, yield) }
}

// some is Some, given the number of messages that the server does not list.
func (s *Session) some(ctx context.Context, uids []uint32, unlisted int64, want Want, yield func(*Message, error) bool) {
	s.gone = nil
	reading, stop := context.WithCancel(ctx)
	read := make(chan []*Message)
	var err error
	var reader sync.WaitGroup
	reader.Go(func() {
		defer close(read)
		err = s.readSome(reading, uids, unlisted, want, func(messages []*Message) error {
			select {
			case read <- messages:
				return nil
			case <-reading.Done():
				return context.Cause(reading)
			}
		})
	})
	defer reader.Wait()
	defer stop()
	for messages := range read {
		for _, m := range messages {
			if !yield(m, nil) {
				return
			}
		}
	}
	if err != nil {
		yield(nil, err)
	}
}

// readSome gives messages to give, a batch at a time.
func (s *Session) readSome(ctx context.Context, uids []uint32, unlisted int64, want Want, give func([]*Message) error) error {
	// The first windows are small, so that some messages are read before a server that dies does so.
	for start, size := 0, firstWindow; start < len(uids); size = min(2*size, structureWindow) {
		end := min(start+size, len(uids))
		if left, err := s.window(ctx, uids, start, end, want, give); err != nil {
			return newUnread(left, uids[end:], unlisted, err)
		}
		start = end
	}
	return s.missed(ctx, unlisted)
}

// Since returns those among uids that the mailbox received on the given day in UTC, or
// later. uids must be in order. It uses SEARCH SINCE (RFC 3501 section 6.4.4), which
// compares days of INTERNALDATE in the time zone of the server, for some UIDs at a
// time. If the server refuses or does not answer, Since returns all of them.
func (s *Session) Since(ctx context.Context, uids []uint32, day time.Time) ([]uint32, error) {
	var since []uint32
	for part := range slices.Chunk(uids, listWindow) {
		var found []uint32
		var known bool
		err := s.again(func() (err error) {
			found, known, err = s.search(ctx, part, fmt.Sprintf("SINCE %s UID %d:%d", day.UTC().Format("2-Jan-2006"), part[0], part[len(part)-1]))
			return err
		})
		if err != nil {
			return nil, err
		}
		if !known {
			found = part
		}
		since = append(since, found...)
		s.budget.progress()
	}
	return since, nil
}

// again calls do until the connection is not lost in it, or was lost too often.
func (s *Session) again(do func() error) error {
	for {
		err := do()
		l, ok := err.(*lost)
		if !ok {
			return err
		}
		if s.barren >= maxSearches {
			return l.error
		}
	}
}

// searched returns the UIDs in a SEARCH response, or in the ESEARCH response that a
// server with IMAP4rev2 alone sends in its place (RFC 9051 section 7.3.4). It reports
// false for any other response.
func searched(line []byte) (uids []uint32, ok bool, err error) {
	switch {
	case wire.HasPrefixFold(line, "* SEARCH"):
		for digits := range bytes.FieldsSeq(line[len("* SEARCH"):]) {
			uid, err := wire.Number(digits)
			if err != nil {
				return nil, false, wire.NewFault(wire.ErrProtocol, wire.ErrSyntax)
			}
			uids = append(uids, uid)
		}
		return uids, true, nil
	case wire.HasPrefixFold(line, "* ESEARCH"):
		uids, err = extended(&parser{wire.Parser{Rest: line[len("* ESEARCH"):]}})
		return uids, err == nil, err
	}
	return nil, false, nil
}

// extended reads the rest of an ESEARCH response: a correlator, UID, and results. The result ALL
// is a set.
func extended(p *parser) (uids []uint32, err error) {
	byUID := false
	for p.Accept(' ') {
		if p.Next('(') {
			if err := p.Skip(0); err != nil {
				return nil, wire.NewFault(wire.ErrProtocol, err)
			}
			continue
		}
		switch name := p.Atom(); {
		case bytes.EqualFold(name, []byte("UID")):
			byUID = true
		case bytes.EqualFold(name, []byte("ALL")) && p.Accept(' '):
			if uids, err = expand(p.Atom()); err != nil {
				return nil, err
			}
		case len(name) == 0 || !p.Accept(' ') || p.Skip(0) != nil:
			return nil, wire.NewFault(wire.ErrProtocol, wire.ErrSyntax)
		}
	}
	if len(p.Rest) > 0 || len(uids) > 0 && !byUID {
		return nil, wire.NewFault(wire.ErrProtocol, wire.ErrSyntax)
	}
	return uids, nil
}

// expand returns the numbers of a set. No command asks for more than listWindow.
func expand(set []byte) ([]uint32, error) {
	var uids []uint32
	for r := range bytes.SplitSeq(set, []byte(",")) {
		from, to, isRange := bytes.Cut(r, []byte(":"))
		if !isRange {
			to = from
		}
		first, err := wire.Number(from)
		last, err2 := wire.Number(to)
		if err != nil || err2 != nil {
			return nil, wire.NewFault(wire.ErrProtocol, wire.ErrSyntax)
		}
		first, last = min(first, last), max(first, last)
		if last-first >= listWindow || len(uids) > listWindow {
			return nil, wire.NewFault(wire.ErrProtocol, wire.ErrTooLong)
		}
		for n := range last - first + 1 {
			uids = append(uids, first+n)
		}
	}
	return uids, nil
}

// The kinds of errors of this package, in addition to the kinds of package wire. Each
// is matched with [errors.Is].
var (
	ErrGone     = errors.New("the message is no longer in the mailbox")
	ErrChanged  = errors.New("the UIDVALIDITY of the mailbox is another one")
	ErrTooLarge = errors.New("the message is too large")
	ErrBudget   = errors.New("the limits of the session are reached")
)

// A lost is an error that ended the connection. Another connection may follow.
type lost struct{ error }

func (l *lost) Unwrap() error { return l.error }

// Unread is the error that ends a sweep before the end of the mailbox.
type Unread struct {
	// N is the number of messages that were not read. Their UIDs are from First to
	// Last; both are 0 if they are not known.
	N           int64
	First, Last uint32

	// Err is the reason.
	Err error
}

func (u *Unread) Error() string {
	messages := fmt.Sprintf("%d messages were not read", u.N)
	if u.N == 1 {
		messages = "1 message was not read"
	}
	if u.First == 0 {
		return fmt.Sprintf("%s: %v", messages, u.Err)
	}
	return fmt.Sprintf("%s, from UID %d to %d: %v", messages, u.First, u.Last, u.Err)
}

func (u *Unread) Unwrap() error { return u.Err }
