package message

import "bytes"

// An Extent is how far a message goes that is written to it. It is for octets of a server,
// which has announced other numbers of them. The zero Extent has no octets.
type Extent struct {
	octets int64
	body   int64 // after the empty line that ends the header
	bare   int64 // line ends without CR, in all of it
	inBody int64 // line ends without CR, in the body

	last  byte // the octet before
	text  bool // the line has an octet besides CR
	after bool // the header has ended
}

// Write implements [io.Writer]. It does not fail.
func (e *Extent) Write(p []byte) (int, error) {
	rest := p
	for i := 0; !e.after && i < len(p); i++ {
		e.header(p[i])
		rest = p[i+1:]
	}
	e.octets += int64(len(p))
	if e.after {
		e.lines(rest)
	}
	return len(p), nil
}

// header takes an octet of the header.
func (e *Extent) header(c byte) {
	switch {
	case c == '\n':
		if e.last != '\r' {
			e.bare++
		}
		e.after = !e.text
		e.text = false
	case c != '\r':
		e.text = true
	}
	e.last = c
}

// lines takes octets of the body.
func (e *Extent) lines(p []byte) {
	if len(p) == 0 {
		return
	}
	bare := bytes.Count(p, []byte("\n")) - bytes.Count(p, []byte("\r\n"))
	if p[0] == '\n' && e.last == '\r' {
		bare--
	}
	e.bare += int64(bare)
	e.inBody += int64(bare)
	e.body += int64(len(p))
	e.last = p[len(p)-1]
}

// Octets returns how many octets there are, and how many of them are after the header.
func (e *Extent) Octets() (all, body int64) { return e.octets, e.body }

// A Completeness is whether the octets that there are can be all of a message.
type Completeness uint8

const (
	// Whole means that nothing speaks against it.
	Whole Completeness = iota

	// Doubtful means that the body is shorter than its parts by no more than the message is
	// shorter than announced. Servers that are wrong about both numbers exist.
	Doubtful

	// Cut means that the bodies of the parts do not fit in, or that there is nothing.
	Cut
)

// Against compares the octets, after which the server has no more, with the announced size of the
// message and the sum of the bodies of its parts. Either is 0 or less if it is not known.
// A line end without CR counts as two octets if that helps: servers count it so.
func (e *Extent) Against(size, bodies int64) Completeness {
	announced := size > 0 || bodies > 0
	missing := bodies - (e.body + e.inBody)
	switch {
	case e.octets == 0 && announced, e.octets+e.bare < bodies:
		return Cut
	case missing > 0 && missing <= size-e.octets:
		return Doubtful
	}
	return Whole
}
