package imapsession

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/internal/imap/wire"
	"github.com/go-extbody/extbody/internal/mime/message"
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

// Fetch writes a message to w and returns how many octets it has: all of them, or an error. On an
// error w may have been given some of them.
//
// Fetch asks for ranges of octets until there are as many as announced, or a range is empty. An
// empty range is the end of the message, whatever size the server announces: many are wrong by a
// few octets. It is an error if the message has no octets, or if it is shorter than announced and
// its BODYSTRUCTURE, or a section of it, says so too.
func (s *Session) Fetch(ctx context.Context, uid uint32, w io.Writer) (int64, error) {
	return s.whole(ctx, uid, w, func(*fetched) {})
}

// FetchDated is Fetch. It returns when the message came to its mailbox by the server, or the zero Time if the server does
// not say so.
func (s *Session) FetchDated(ctx context.Context, uid uint32, w io.Writer) (arrived time.Time, err error) {
	_, err = s.whole(ctx, uid, w, func(f *fetched) { arrived = f.arrived }, itemArrived)
	return arrived, err
}

// whole is Fetch. It asks for items with the first octets, and calls answer with the reply.
func (s *Session) whole(ctx context.Context, uid uint32, w io.Writer, answer func(*fetched), items ...string) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var n int64
	var extent message.Extent
	size := int64(-1)
	emptied := false
	for tries := 0; ; {
		unused := s.conn == nil
		f, err := s.chunk(ctx, uid, n, items...)
		if l, ok := err.(*lost); ok {
			tries++
			lostAnew := unused && n == 0 && s.suspects[uid]
			if tries == maxTries || lostAnew {
				return n, l.error
			}
			continue
		}
		if err != nil {
			return n, err
		}
		tries = 0
		if items != nil {
			answer(f)
			items = nil
		}
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
		extent.Write(data)
		n += int64(len(data))
		asAnnounced := n > 0 && n == size
		nothingYet := n == 0 && size > 0
		switch {
		case asAnnounced && len(data) < wholeChunk:
			return n, nil
		case nothingYet && !emptied:
			emptied = true // the range after no octets is the same one
		case len(data) == 0:
			return n, s.lacks(ctx, uid, &extent, size)
		}
	}
}

// lacks returns an error if the octets of a message, after which the server has no more, are not
// all of it.
func (s *Session) lacks(ctx context.Context, uid uint32, extent *message.Extent, size int64) error {
	n, inBody := extent.Octets()
	switch {
	case n == 0 && size > 0:
		return wire.NewFault(wire.ErrProtocol, errNone)
	case n > 0 && n >= size:
		return nil
	}
	bodies, err := s.bodies(ctx, uid)
	if err != nil {
		return err
	}
	switch extent.Against(size, bodies) {
	case message.Cut:
		return wire.NewFault(wire.ErrProtocol, errShort)
	case message.Doubtful:
		return s.noMoreText(ctx, uid, inBody)
	}
	return nil
}

// bodies returns how many octets the bodies of a message have by its BODYSTRUCTURE, or -1 if the
// server has none that can be read.
func (s *Session) bodies(ctx context.Context, uid uint32) (int64, error) {
	sum := int64(-1)
	err := s.oneOf(ctx, uid, "BODYSTRUCTURE", func(f *fetched) {
		if f.structure != nil {
			sum = octetsOf(f.structure)
		}
	})
	return sum, err
}

// noMoreText returns an error if the text of a message goes on after n octets.
func (s *Session) noMoreText(ctx context.Context, uid uint32, n int64) error {
	more := false
	err := s.oneOf(ctx, uid, fmt.Sprintf("BODY.PEEK[TEXT]<%d.1>", n), func(f *fetched) {
		for _, section := range f.sections {
			more = more || section.name == "BODY[TEXT]" && len(section.data) > 0
		}
	})
	if err == nil && more {
		return wire.NewFault(wire.ErrProtocol, errShort)
	}
	return err
}

// oneOf asks for an item of a message, and calls answer if it comes. A server that has no answer has
// said nothing.
func (s *Session) oneOf(ctx context.Context, uid uint32, item string, answer func(*fetched)) error {
	command := fmt.Sprintf("UID FETCH %d (UID %s)", uid, item)
	_, err := s.fetch(ctx, []*target{{uid: uid}}, []string{command}, func(t *target, f *fetched) { answer(f) })
	if l, ok := err.(*lost); ok {
		return l.error
	}
	return err
}

// octetsOf returns the sum of the sizes of the parts in a structure.
func octetsOf(bs imap.BodyStructure) (sum int64) {
	switch bs := bs.(type) {
	case *imap.BodyStructureSinglePart:
		return int64(bs.Size)
	case *imap.BodyStructureMultiPart:
		for _, child := range bs.Children {
			sum += octetsOf(child)
		}
	}
	return sum
}

// chunk fetches a range of a message, and items. It does not matter if the connection is lost
// after it. The result has one section, and is valid until the next command.
func (s *Session) chunk(ctx context.Context, uid uint32, offset int64, items ...string) (*fetched, error) {
	t := &target{uid: uid}
	got := &fetched{size: -1}
	items = append(items, fmt.Sprintf("RFC822.SIZE BODY.PEEK[]<%d.%d>", offset, wholeChunk))
	command := fmt.Sprintf("UID FETCH %d (UID %s)", uid, strings.Join(items, " "))
	refused, err := s.fetch(ctx, []*target{t}, []string{command}, func(t *target, f *fetched) {
		got.size = max(got.size, f.size)
		if !f.arrived.IsZero() {
			got.arrived = f.arrived
		}
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
