package imapsession

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/utf7"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// A Mailbox is one that the server lists.
type Mailbox struct {
	Name string // in UTF-8, and without control characters
	Err  error  // the name cannot be sent back to the server, and Name only resembles it
}

// Limits on the list of mailboxes.
const (
	maxMailboxes = 10_000
	maxNames     = 4 << 20 // octets
)

var (
	errManyBoxes = errors.New("more mailboxes than are read")
	errName      = errors.New("the server lists a mailbox under a name that nobody can give back to it")
)

// Mailboxes returns the mailboxes that the server lists, in its order, without those
// that cannot be opened (RFC 3501 section 7.2.2). It may return some together with an
// error.
func (s *Session) Mailboxes(ctx context.Context) ([]Mailbox, error) {
	for {
		list, err := s.listMailboxes(ctx)
		if l, ok := err.(*lost); ok {
			if s.barren < maxBarren/4 {
				continue
			}
			err = l.error
		}
		return list, err
	}
}

func (s *Session) listMailboxes(ctx context.Context) (list []Mailbox, err error) {
	seen := make(map[string]bool)
	octets, tooMany := 0, false
	refused, err := s.run(ctx, func(line []byte) error {
		raw, ok, err := listed(line)
		if err != nil || !ok || seen[raw] {
			return err
		}
		if octets += len(raw); octets > maxNames || len(list) == maxMailboxes {
			tooMany = true
			return nil
		}
		seen[raw] = true
		list = append(list, newMailbox(raw, s.conn.NamesInUTF8()))
		return nil
	}, `LIST "" "*"`)
	switch {
	case err != nil:
		return nil, err
	case refused != nil:
		return nil, wire.NewFault(wire.ErrProtocol, refused)
	case tooMany:
		return list, wire.NewFault(ErrTooLarge, errManyBoxes)
	}
	s.budget.progress()
	return list, nil
}

// newMailbox reads a name as the server sent it.
func newMailbox(raw string, utf8Names bool) Mailbox {
	name, ok := raw, utf8.ValidString(raw)
	if !utf8Names {
		name, ok = utf7.Decode(raw)
	}
	control := func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 }
	if ok && name != "" && !strings.ContainsFunc(name, control) {
		return Mailbox{Name: name}
	}
	likeness := strings.Map(func(c rune) rune {
		if control(c) || c == utf8.RuneError {
			return '?'
		}
		return c
	}, raw)
	return Mailbox{likeness, wire.NewFault(wire.ErrProtocol, errName)}
}

// listed returns the name in a LIST response. It reports false if the mailbox cannot be
// opened, and for any other response.
func listed(line []byte) (name string, ok bool, err error) {
	if !wire.HasPrefixFold(line, "* LIST ") {
		return "", false, nil
	}
	p := &parser{b: line[len("* LIST "):]}
	opens := true
	err = p.list(0, func() error {
		attribute := p.atom()
		if len(attribute) == 0 {
			return errSyntax
		}
		// RFC 3501 section 7.2.2, RFC 5258 section 3.
		for _, closed := range []string{`\Noselect`, `\NonExistent`} {
			opens = opens && !bytes.EqualFold(attribute, []byte(closed))
		}
		return nil
	})
	if err != nil || !p.accept(' ') {
		return "", false, wire.NewFault(wire.ErrProtocol, errSyntax)
	}
	if _, err := p.str(); err != nil || !p.accept(' ') { // the delimiter
		return "", false, wire.NewFault(wire.ErrProtocol, errSyntax)
	}
	var raw []byte
	if p.next('"') || p.next('{') || p.next('~') {
		raw, err = p.str()
	} else {
		// QUIRK: servers leave the quotation marks out, whatever the name.
		raw = bytes.TrimRight(p.b, " ")
	}
	if err != nil {
		return "", false, wire.NewFault(wire.ErrProtocol, err)
	}
	return string(raw), opens, nil
}

// Examine opens another mailbox in place of the open one. validity is the UIDVALIDITY
// that it must have; 0 means any. After an error other mailboxes can be opened.
func (s *Session) Examine(ctx context.Context, mailbox string, validity uint32) error {
	s.mailbox, s.uidValidity, s.exists = "", 0, 0
	s.gone = nil
	clear(s.suspects)
	if err := s.connected(ctx); err != nil {
		return err
	}
	s.mailbox, s.uidValidity = mailbox, validity
	err := s.examineOn(ctx, s.conn)
	if err != nil {
		if s.conn.Broken || ctx.Err() != nil {
			s.drop()
			s.barren++
		}
		s.mailbox, s.uidValidity = "", 0
		return failed(ctx, err)
	}
	s.barren = 0
	s.budget.progress()
	return nil
}

// examineOn is examine, interrupted by the end of ctx.
func (s *Session) examineOn(ctx context.Context, c *wire.Conn) error {
	stop := context.AfterFunc(ctx, c.Abort)
	defer stop()
	return s.examine(c)
}

// Only yields one message of the mailbox, as Sweep does, if something of it is wanted.
// If it is not there, the error is ErrGone.
func (s *Session) Only(ctx context.Context, uid uint32, want Want) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		s.gone = nil
		_, err := s.window(ctx, []uint32{uid}, 0, 1, want, func(messages []*Message) error {
			for _, m := range messages {
				yield(m, nil) // there is only one
			}
			return nil
		})
		switch {
		case err != nil:
			yield(nil, &Unread{N: 1, First: uid, Last: uid, Err: err})
		case slices.Contains(s.gone, uid):
			yield(nil, wire.NewFault(ErrGone, errNoSuchUID))
		}
	}
}

var errNoSuchUID = errors.New("the server does not find it")
