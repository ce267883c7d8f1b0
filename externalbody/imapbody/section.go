package imapbody

import (
	"slices"
	"strconv"
	"strings"
)

// A Section names octets of a message as IMAP does (RFC 9051 section 6.4.5.1). Fetching it
// does not set the \Seen flag.
type Section struct {
	// Part has the numbers of the part; nil is the message.
	Part []int

	// Specifier is "HEADER" for the header of a message, "MIME" for that of a part in a
	// multipart, and "" for the body of the part.
	Specifier string

	// Offset is how many octets are left out before the first that is wanted. It is 0 if Size is.
	Offset int64

	// Size is how many octets are wanted; 0 stands for all. The section may have fewer.
	Size int64
}

// String returns the section as a command FETCH has it, such as "BODY.PEEK[1.2.MIME]" or
// "BODY.PEEK[2]<0.16384>".
func (s Section) String() string {
	text := "BODY.PEEK[" + s.name() + "]"
	if s.Size > 0 {
		text += "<" + strconv.FormatInt(s.Offset, 10) + "." + strconv.FormatInt(s.Size, 10) + ">"
	}
	return text
}

// name returns the text in the brackets.
func (s Section) name() string {
	name := section(s.Part)
	if name != "" && s.Specifier != "" {
		name += "."
	}
	return name + s.Specifier
}

// A place is where a part is in the message. The zero place is the message.
type place struct {
	multipart bool  // the part is in one, and is not a message
	path      []int // of the part, or of the part around a message
}

// part returns the place of a part of the multipart at p, from 1. A multipart that is a
// message has no number of its own (RFC 9051 section 6.4.5.1).
func (p place) part(number int) place { return place{true, extend(p.path, number)} }

// message returns the place of the message in the part at p.
func (p place) message() place { return place{path: p.single()} }

// single returns the numbers of the part at p if it is not a multipart.
func (p place) single() []int {
	if p.multipart {
		return p.path
	}
	return extend(p.path, 1)
}

// header returns the section that has the header of the part at p. The header of a
// message is not a MIME header. RFC 9051 section 6.4.5.1 leaves open whether n.1.MIME is
// for the message within part n if that is not a multipart.
func (p place) header() Section {
	if p.multipart {
		return Section{Part: slices.Clone(p.path), Specifier: "MIME"}
	}
	return Section{Part: slices.Clone(p.path), Specifier: "HEADER"}
}

// body returns the section that has the first octets of the body of the part at p.
func (p place) body(size int64) Section { return Section{Part: slices.Clone(p.single()), Size: size} }

// extend returns a copy of path with n at its end.
func extend(path []int, n int) []int { return append(slices.Clone(path), n) }

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
