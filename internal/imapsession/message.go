package imapsession

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/emersion/go-imap/v2"
)

// A Message is a message of which sections were asked for.
type Message struct {
	// UID is its number in the mailbox.
	UID uint32

	// Structure is its BODYSTRUCTURE, as far as it says types, transfer
	// encodings, sizes and what is nested in what; nil if the server has none
	// that can be read.
	Structure imap.BodyStructure

	// Whole says that the message has to be read with Fetch: the caller wanted
	// it so, or its structure or sections could not be had, for the reason Why.
	Whole bool
	Why   error

	items []*item
}

// Section returns the octets of a section that was asked for; nil for another.
// The range is not compared.
func (m *Message) Section(section *imap.FetchItemBodySection) []byte {
	name := sectionName("BODY", section)
	for _, i := range m.items {
		if i.name == name {
			return i.data
		}
	}
	return nil
}

// An item is a section that is asked for.
type item struct {
	name    string // as in responses
	command string
	offset  int64  // where it begins
	size    int64  // the most octets that it may have
	data    []byte // nil until it came
}

// maxSection is how many octets of a section are asked for. A message with a
// section that has more is fetched as a whole.
const maxSection = 64 << 10

func newItem(section *imap.FetchItemBodySection) *item {
	i := &item{name: sectionName("BODY", section), size: maxSection}
	if p := section.Partial; p != nil {
		i.offset, i.size = p.Offset, min(p.Size, maxSection)
	}
	i.command = fmt.Sprintf("%s<%d.%d>", sectionName("BODY.PEEK", section), i.offset, i.size)
	return i
}

// sectionName returns a section as IMAP writes it, without its range, in
// capitals.
func sectionName(item string, section *imap.FetchItemBodySection) string {
	var words []string
	for _, n := range section.Part {
		words = append(words, strconv.Itoa(n))
	}
	if section.Specifier != "" {
		words = append(words, strings.ToUpper(string(section.Specifier)))
	}
	name := item + "[" + strings.Join(words, ".")
	switch {
	case len(section.HeaderFields) > 0:
		name += ".FIELDS (" + strings.ToUpper(strings.Join(section.HeaderFields, " ")) + ")"
	case len(section.HeaderFieldsNot) > 0:
		name += ".FIELDS.NOT (" + strings.ToUpper(strings.Join(section.HeaderFieldsNot, " ")) + ")"
	}
	return name + "]"
}
