package imapsession

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

var (
	errNotListed = errors.New("the server has more messages than it lists")
	errNotSent   = errors.New("the server lists messages that it does not send")
	errNIL       = errors.New("the server answered NIL for a section that it has")
	errLonger    = errors.New("the server sent more of a section than it was asked for")
	errOffset    = errors.New("the server sent another range than it was asked for")
	errManyItems = errors.New("the message has too many sections of interest")
	errLarge     = errors.New("a section has more than 64 KiB")
)

// A Message is a message of which something was wanted.
type Message struct {
	// UID is its UID in the mailbox.
	UID uint32

	// Structure is its BODYSTRUCTURE, reduced to types, transfer encodings, sizes and
	// nesting. It is nil if the server has none that can be read.
	Structure imap.BodyStructure

	// Plan is the Plan of the Wanted.
	Plan any

	// Whole means that the message must be read with Fetch. Either the caller wanted
	// that, or its structure or sections could not be had, for the reason Why.
	Whole bool
	Why   error

	items []item
}

// Section returns the octets of a section that was asked for, and nil for any other. It
// ignores the range of section.
func (m *Message) Section(section *imap.FetchItemBodySection) []byte {
	name := sectionName(section)
	for i := range m.items {
		if m.items[i].name == name {
			return m.items[i].data
		}
	}
	return nil
}

// Octets returns how many octets of sections are held.
func (m *Message) Octets() int64 { return octets(m.items) }

func octets(items []item) (n int64) {
	for i := range items {
		n += int64(len(items[i].data))
	}
	return n
}

// An item is a section that is asked for.
type item struct {
	name    string // as responses have it
	command string
	offset  int64  // where it starts
	size    int64  // the most octets that it may have
	all     bool   // it must have fewer octets than size, so that it is known to be whole
	data    []byte // nil until it comes
}

const (
	// maxSection is how many octets of a section are asked for if no range of it is
	// wanted. A message with a larger section is fetched as a whole.
	maxSection = 64 << 10

	// maxRanges bounds the sum of the ranges that are wanted of a message, so that they
	// fit into a response. If they are more, each of them gets maxSection.
	maxRanges = 3 << 20
)

// newItems returns the items of a message.
func newItems(sections []*imap.FetchItemBodySection) []item {
	var sum int64
	for _, section := range sections {
		if p := section.Partial; p != nil {
			sum = min(maxRanges+1, sum+max(0, min(p.Size, maxRanges+1)))
		}
	}
	items := make([]item, len(sections))
	for k, section := range sections {
		i := &items[k]
		*i = item{name: sectionName(section), size: maxSection, all: true}
		if p := section.Partial; p != nil {
			i.offset, i.size, i.all = p.Offset, p.Size, false
			if sum > maxRanges && p.Size > maxSection {
				i.size, i.all = maxSection, true
			}
		}
		i.command = "BODY.PEEK" + i.name[len("BODY"):] + "<" + strconv.FormatInt(i.offset, 10) + "." + strconv.FormatInt(i.size, 10) + ">"
	}
	return items
}

// take keeps the octets of a section, if they can be the whole section.
func (i *item) take(section fetchedSection) error {
	n := int64(len(section.data))
	switch {
	case section.data == nil:
		return wire.NewFault(wire.ErrProtocol, errNIL)
	case section.offset != i.offset:
		return wire.NewFault(wire.ErrProtocol, errOffset)
	case n > i.size:
		return wire.NewFault(wire.ErrProtocol, errLonger)
	case n == i.size && i.all:
		return wire.NewFault(ErrTooLarge, errLarge)
	}
	i.data = append(make([]byte, 0, n), section.data...)
	return nil
}

// cost returns how many octets an item is expected to have. Sections of which no range
// is wanted are usually headers.
func (i *item) cost() int64 {
	switch {
	case i.all:
		return maxSection / 16
	case i.name == beginningName:
		return i.size // the caller knows its octets
	}
	return i.size / 2
}

// beginningName is the name of a beginning of the message.
const beginningName = "BODY[]"

// sectionName returns a section as IMAP writes it, without its range, in
// capitals.
func sectionName(section *imap.FetchItemBodySection) string {
	if len(section.Part) == 0 && section.Specifier == "" {
		return beginningName
	}
	b := append(make([]byte, 0, 48), "BODY["...)
	for i, n := range section.Part {
		if i > 0 {
			b = append(b, '.')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	if section.Specifier != "" {
		if len(section.Part) > 0 {
			b = append(b, '.')
		}
		b = append(b, strings.ToUpper(string(section.Specifier))...)
	}
	switch {
	case len(section.HeaderFields) > 0:
		b = append(b, ".FIELDS ("+strings.ToUpper(strings.Join(section.HeaderFields, " "))+")"...)
	case len(section.HeaderFieldsNot) > 0:
		b = append(b, ".FIELDS.NOT ("+strings.ToUpper(strings.Join(section.HeaderFieldsNot, " "))+")"...)
	}
	return string(append(b, ']'))
}

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
