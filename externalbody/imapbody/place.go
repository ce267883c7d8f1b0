package imapbody

import (
	"slices"
	"strconv"
	"strings"

	"github.com/emersion/go-imap/v2"
)

// An enclosure is the kind of part that a part is directly in.
type enclosure uint8

const (
	nothing   enclosure = iota // it is the message
	multipart                  // a body part
	rfc822                     // the message within a message part
)

// A place is where a part is in the message. The zero place is the message.
type place struct {
	in   enclosure
	path []int // of the part in a multipart, of the message part around one in rfc822
}

// multipart returns the numbers that precede the numbers of the children if the part at p is
// a multipart. A multipart that is a message has no number of its own (RFC 9051 section
// 6.4.5.1).
func (p place) multipart() []int { return p.path }

// single returns the numbers of the part at p if it is not a multipart.
func (p place) single() []int {
	if p.in == multipart {
		return p.path
	}
	return extend(p.path, 1)
}

// header returns the section that has the header of the part at p. The header of a
// message is not a MIME header. RFC 9051 section 6.4.5.1 leaves open whether n.1.MIME is
// for the message within part n if that is not a multipart.
func (p place) header() *imap.FetchItemBodySection {
	s := &imap.FetchItemBodySection{Part: p.path, Specifier: imap.PartSpecifierHeader, Peek: true}
	if p.in == multipart {
		s.Specifier = imap.PartSpecifierMIME
	}
	return s
}

// whole returns the sections that together are the part at p with its header, one after
// another.
func (p place) whole() []*imap.FetchItemBodySection {
	body := &imap.FetchItemBodySection{Part: p.path, Peek: true}
	if p.in == multipart {
		return []*imap.FetchItemBodySection{p.header(), body}
	}
	return []*imap.FetchItemBodySection{body}
}

// extend returns a copy of path with n at its end.
func extend(path []int, n int) []int { return append(slices.Clone(path), n) }

// section returns the text of a path.
func section(path []int) string {
	var b strings.Builder
	for i, n := range path {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}
