package imapsession

import (
	"errors"
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
	errPieces    = errors.New("the server sent the start of the message in pieces")
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
			i.offset = p.Offset
			i.size = p.Size
			i.all = false
			if sum > maxRanges && p.Size > maxSection {
				i.size = maxSection
				i.all = true
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

// beginningName is the name of a start of the message.
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
