package mailbox

import (
	"bytes"
)

const (
	// maxAhead bounds how far after a message a delimiter of it is looked for. A message
	// that is larger is rare, and a mailbox that was cut short within one is not.
	maxAhead = 128 << 20

	// maxSearches bounds all searches for delimiters in a file, in multiples of its size.
	// The messages after that are in doubt if a multipart is open at their end.
	maxSearches = 8

	// closeBefore is how far before the end of a message the last delimiter mostly is.
	closeBefore = 1 << 10
)

// doubt finds out whether the line at next, after a message with the header h, may be in
// the text of a part: a multipart of the message is open there, and a delimiter of it
// follows.
func (s *splitter) doubt(h head, content Span, next int64) {
	s.joined = Span{}
	if h.contentType == 0 || next >= s.size || s.err != nil {
		return
	}
	boundary := boundaryOf(s.look(h.contentType))
	if boundary == "" {
		return
	}
	final := []byte("\n--" + boundary + "--")
	tail := max(h.body-1, content.End-closeBefore)
	b := s.look(tail)
	if bytes.Contains(b[:min(int64(len(b)), content.End-tail)], final) {
		return
	}
	c := splitter{window: window{r: s.r, size: s.size}, dated: s.dated}
	if c.findBefore(h.body-1, content.End, len(final), indexOf(final)) < content.End || c.err != nil {
		return
	}
	far := min(s.size, next+maxAhead)
	if s.searched += far - content.Start; s.searched/maxSearches > s.size {
		s.open = max(s.open, next+1)
		s.joined = Span{content.Start, content.End}
		return
	}
	last := c.lastDelimiter(next, far, []byte("\n--"+boundary))
	if last < 0 || c.err != nil {
		return
	}
	trailer, end := c.scan(last, s.size)
	s.open = max(s.open, end)
	s.joined = Span{content.Start, trailer}
}

// lastDelimiter returns where the line of the closing delimiter begins that is the first
// one from off to far, or else the last of the other delimiters; -1 if there is none.
// open is a line end and the delimiter.
func (s *splitter) lastDelimiter(off, far int64, open []byte) int64 {
	last := int64(-1)
	for {
		off = s.findBefore(off, far, len(open), indexOf(open))
		if off >= far || s.err != nil {
			return last
		}
		rest := s.look(off + int64(len(open)))
		off++
		switch {
		case bytes.HasPrefix(rest, []byte("--")):
			return off
		case len(bytes.TrimLeft(rest, " \t\r")) == 0 || newline(bytes.TrimLeft(rest, " \t")) > 0:
			last = off
		}
	}
}

func indexOf(text []byte) func([]byte) int {
	return func(b []byte) int { return bytes.Index(b, text) }
}
