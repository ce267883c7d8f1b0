package imapsession

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

const (
	// wholeChunk is how many octets of a message are asked for at once.
	wholeChunk = 1 << 20

	// maxTries is how often in a row a connection may be lost before any octet comes. For a
	// message on which a connection was lost before, the loss of a new connection is enough:
	// one that was used may be lost for another reason.
	maxTries = 2
)

var (
	errShort = errors.New("the server has fewer octets of the message than it says")
	errNone  = errors.New("the server sent no octets of the message")
)

// Fetch writes a message to w and returns how many octets it has. On an error w may
// have been given some of them. Fetch asks for ranges of octets until the server has no
// more, whatever size it announces. If the message has fewer octets than announced,
// that is an error.
func (s *Session) Fetch(ctx context.Context, uid uint32, w io.Writer) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var n int64
	size := int64(-1)
	for tries := 0; ; {
		unused := s.conn == nil
		f, err := s.chunk(ctx, uid, n)
		if l, ok := err.(*lost); ok {
			if tries++; tries == maxTries || n == 0 && s.suspects[uid] && unused {
				return n, l.error
			}
			continue
		}
		if err != nil {
			return n, err
		}
		tries = 0
		s.budget.message()
		if f.size >= 0 {
			size = f.size
		}
		data := f.sections[0].data
		if max(size, n+int64(len(data))) > s.cfg.MaxMessage {
			return n, wire.NewFault(ErrTooLarge, fmt.Errorf("more than %d octets", s.cfg.MaxMessage))
		}
		if _, err := w.Write(data); err != nil {
			return n, err
		}
		n += int64(len(data))
		switch {
		case len(data) == 0 && n < size:
			return n, wire.NewFault(wire.ErrProtocol, errShort)
		case len(data) == 0, len(data) < wholeChunk && n == size:
			return n, nil
		}
	}
}

// chunk fetches a range of a message. It does not matter if the connection is lost
// after it. The result has one section, and is valid until the next command.
func (s *Session) chunk(ctx context.Context, uid uint32, offset int64) (*fetched, error) {
	t := &target{uid: uid}
	got := &fetched{size: -1}
	command := fmt.Sprintf("UID FETCH %d (UID RFC822.SIZE BODY.PEEK[]<%d.%d>)", uid, offset, wholeChunk)
	refused, err := s.fetch(ctx, []*target{t}, []string{command}, func(t *target, f *fetched) {
		if f.badSize {
			t.why = wire.NewFault(wire.ErrProtocol, wire.ErrSyntax)
			return
		}
		got.size = max(got.size, f.size)
		for _, section := range f.sections {
			if section.name == "BODY[]" && got.sections == nil {
				section.data = slices.Clone(section.data)
				got.sections = []fetchedSection{section}
			}
		}
		t.answered = got.sections != nil
	})
	if _, ok := err.(*lost); err != nil && (!ok || got.sections == nil) {
		return nil, err
	}
	if got.sections == nil {
		if err := s.missing(ctx, []*target{t}, true, refused); err != nil {
			return nil, err
		}
		switch {
		case t.gone:
			return nil, wire.NewFault(ErrGone, fmt.Errorf("UID %d", uid))
		case t.why != nil:
			return nil, t.why
		}
		return nil, &lost{wire.NewFault(wire.ErrUnavailable, errNoReply)}
	}
	section := got.sections[0]
	switch {
	case section.data == nil && offset == 0:
		return nil, wire.NewFault(wire.ErrUnavailable, errNone)
	case section.data == nil:
		// QUIRK: some servers send NIL after the end, where RFC 3501 section 6.4.5 has
		// an empty string.
	case section.offset != offset:
		return nil, wire.NewFault(wire.ErrProtocol, errOffset)
	case len(section.data) > wholeChunk:
		return nil, wire.NewFault(wire.ErrProtocol, errLonger)
	}
	return got, nil
}
