package imapsession

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/utf7"
	"github.com/go-extbody/extbody/internal/imap/wire"
)

// A Mailbox is one that the server lists.
type Mailbox struct {
	Name string // in UTF-8; it may have control characters, except for NUL and line ends
	Err  error  // the name cannot be sent back to the server, and Name only resembles it
}

// Limits on the list of mailboxes.
const (
	maxMailboxes = 10_000
	maxNames     = 4 << 20 // octets
)

var (
	errManyBoxes = errors.New("more mailboxes than are read")
	errName      = errors.New("the server lists a mailbox under a name that cannot be sent back to it")
)

// Mailboxes returns the mailboxes that the server lists, in its order, without those
// that cannot be opened (RFC 3501 section 7.2.2). It may return some together with an
// error.
func (s *Session) Mailboxes(ctx context.Context) (list []Mailbox, err error) {
	err = s.again(func() (err error) {
		list, err = s.listMailboxes(ctx)
		return err
	})
	return list, err
}

func (s *Session) listMailboxes(ctx context.Context) (list []Mailbox, err error) {
	seen := make(map[string]bool)
	names := make(map[string]bool)
	s.raw = nil
	octets := 0
	tooMany := false
	refused, err := s.run(ctx, func(line []byte) error {
		raw, ok, err := listed(line)
		if err != nil {
			raw = string(line[len("* LIST "):])
			ok = true
		}
		if !ok || seen[raw] {
			return nil
		}
		if octets += len(raw); octets > maxNames || len(list) == maxMailboxes {
			tooMany = true
			return nil
		}
		seen[raw] = true
		m := s.newMailbox(raw)
		if m.Err == nil && names[m.Name] {
			m.Err = wire.NewFault(wire.ErrProtocol, errName) // another form of a name before
		}
		names[m.Name] = true
		if err != nil {
			m = Mailbox{likeness(raw), err} // one mailbox whose line cannot be read
		}
		list = append(list, m)
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

// newMailbox reads a name as the server sent it. A name that would be sent in another
// form is opened by the name that the server sent.
func (s *Session) newMailbox(raw string) Mailbox {
	name := raw
	ok := utf8.ValidString(raw)
	if !s.conn.NamesInUTF8() {
		name, ok = utf7.Decode(raw)
		if !ok && isPlain(raw) {
			name = raw // it has control characters
			ok = true
		}
	}
	sendable := !strings.ContainsAny(raw+name, "\r\n\x00")
	if !ok || name == "" || !sendable {
		return Mailbox{likeness(raw), wire.NewFault(wire.ErrProtocol, errName)}
	}
	if s.conn.Mailbox(name) != wire.Quoted(raw) {
		if s.raw == nil {
			s.raw = make(map[string]string)
		}
		s.raw[name] = raw
	}
	return Mailbox{Name: name}
}

// isPlain reports whether a name is in ASCII and has nothing that starts an encoding.
func isPlain(raw string) bool {
	return !strings.ContainsFunc(raw, func(c rune) bool { return c == '&' || c >= utf8.RuneSelf })
}

// likeness returns a text that resembles a name, and is short and without control
// characters.
func likeness(raw string) string {
	const most = 100
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || c == utf8.RuneError {
			return '?'
		}
		return c
	}, raw[:min(len(raw), most)])
}

// listed returns the name in a LIST response. It reports false if the mailbox cannot be
// opened, and for any other response.
func listed(line []byte) (name string, ok bool, err error) {
	if !wire.HasPrefixFold(line, "* LIST ") {
		return "", false, nil
	}
	p := &parser{wire.Parser{Rest: line[len("* LIST "):]}}
	opens := true
	err = p.List(0, func() error {
		attribute := p.Atom()
		if len(attribute) == 0 {
			return wire.ErrSyntax
		}
		// RFC 3501 section 7.2.2, RFC 5258 section 3.
		for _, closed := range []string{`\Noselect`, `\NonExistent`} {
			opens = opens && !bytes.EqualFold(attribute, []byte(closed))
		}
		return nil
	})
	if err != nil || !p.Accept(' ') {
		return "", false, wire.NewFault(wire.ErrProtocol, wire.ErrSyntax)
	}
	if _, err := p.String(); err != nil || !p.Accept(' ') { // the delimiter
		return "", false, wire.NewFault(wire.ErrProtocol, wire.ErrSyntax)
	}
	var raw []byte
	if p.NextString() {
		raw, err = p.String()
	} else {
		// QUIRK: servers leave the quotation marks out, whatever the name.
		raw = bytes.TrimRight(p.Rest, " ")
	}
	if err != nil {
		return "", false, wire.NewFault(wire.ErrProtocol, err)
	}
	return string(raw), opens, nil
}

// Examine closes the open mailbox and opens another one, by its name in UTF-8. validity is
// the UIDVALIDITY that it must have; 0 means any. After an error other mailboxes can be opened.
func (s *Session) Examine(ctx context.Context, mailbox string, validity uint32) error {
	s.mailbox = ""
	s.uidValidity = 0
	s.exists = 0
	s.gone = nil
	clear(s.suspects)
	if err := s.connected(ctx); err != nil {
		return err
	}
	s.mailbox = mailbox
	s.uidValidity = validity
	stop := context.AfterFunc(ctx, s.conn.Abort)
	err := s.examine(s.conn)
	stop()
	if err != nil {
		if s.conn.Broken || ctx.Err() != nil {
			s.drop()
			s.barren++
		}
		s.mailbox = ""
		s.uidValidity = 0
		return failed(ctx, err)
	}
	s.barren = 0
	s.budget.progress()
	return nil
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
