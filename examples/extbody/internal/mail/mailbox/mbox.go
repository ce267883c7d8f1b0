package mailbox

import (
	"bytes"
)

// headerSize bounds the search for the end of a header. Content-Length is written near
// its start.
const headerSize = 64 << 10

// header returns the facts in the header at off. It looks at headerSize octets.
func (s *splitter) header(off int64) head {
	h := head{body: off, value: -1}
	fields := 0
	named := false // a line like a header field was there
	for limit := off + headerSize; h.body < limit; {
		b := s.at(h.body, lookSize, headerSize)
		lf := bytes.IndexByte(b, '\n')
		if lf < 0 && len(b) < headerSize {
			b = s.at(h.body, headerSize, headerSize)
			lf = bytes.IndexByte(b, '\n')
		}
		if lf < 0 {
			h.body += int64(len(b))
			break
		}
		for ; lf >= 0 && h.body < limit; lf = bytes.IndexByte(b, '\n') {
			line := bytes.TrimRight(b[:lf], "\r")
			start := h.body
			if named && bytes.HasPrefix(line, fromWord) && separates(s.look(start), false, s.dated) {
				return head{body: start, value: -1, cut: true}
			}
			named = named || isField(line)
			b = b[lf+1:]
			h.body += int64(lf + 1)
			if len(line) == 0 {
				h.blank = Span{start, h.body}
				if fields != 1 {
					h.field = Span{start, start}
					h.value = -1
				}
				return h
			}
			if h.contentType == 0 && isContentType(line) {
				h.contentType = start
			}
			if n, ok := contentLength(line); ok {
				h.field = Span{start, h.body}
				h.value = n
				fields++
			}
		}
	}
	return head{body: h.body, value: -1, contentType: h.contentType}
}

// follow follows the Content-Length of a header. It returns where the message then ends,
// where the next one starts, and whether a message can end there.
func (s *splitter) follow(h head) (trailer, next int64, ok bool) {
	if h.value < 0 || h.value > s.size-h.body {
		return 0, 0, false
	}
	trailer = h.body + h.value
	if trailer == s.size {
		return trailer, trailer, true
	}
	// The octet before the place shows whether a line starts there.
	b := s.look(trailer - 1)
	if len(b) == 0 {
		return 0, 0, false
	}
	lineStart := b[0] == '\n'
	b = b[1:]
	empty := newline(b)
	next = trailer + int64(empty)
	switch {
	case next == s.size:
		return trailer, next, true
	case empty == 0 && !lineStart, !separates(b[empty:], true, s.dated):
		return 0, 0, false
	}
	return trailer, next, true
}

// scan looks for the next "From " line that separates messages, at or after the end of
// a header. It returns where the message ends and where the next one starts. If there
// none is before far, next is at least far. If far is also the size of the file, both
// are the size, unless an empty line is at the end.
func (s *splitter) scan(header, far int64) (trailer, next int64) {
	// The LF before "From " may be the last octet of the header.
	next = header - 1
	for {
		next = s.findBefore(next, far, len(fromLine), indexFrom)
		if next >= far {
			break
		}
		next++
		b := s.at(next-before, before+lookSize, before+lookSize)
		if len(b) > before && separates(b[before:], emptyLine(b[:before]) > 0, s.dated) {
			break
		}
	}
	trailer = next - int64(emptyLine(s.at(next-before, before, before)))
	if trailer < header {
		trailer = next // the empty line is the end of the header
	}
	return trailer, next
}

func (s *splitter) delimiter(off int64) int {
	return delimiter(s.at(off, len(delimiterMark)+2, lookSize))
}

// nextDelimiter returns the offset of the first delimiter at or after off, or
// size.
func (s *splitter) nextDelimiter(off int64) int64 {
	for ; off < s.size; off++ {
		off = s.find(off, len(delimiterMark), func(b []byte) int { return bytes.Index(b, delimiterMark) })
		if s.delimiter(off) > 0 && bytes.HasPrefix(s.at(off-1, 1, 1), []byte("\n")) {
			break
		}
	}
	return min(off, s.size)
}

// leastLengths is how many messages an mbox must have for their lengths to show its
// variant. A single length may be the work of the sender.
const leastLengths = 2

// lengthsHold reports whether the file is an mbox of the variant that has a
// Content-Length in each message instead of quoting: each leads to the next
// message, and the last one to the end.
func (s *splitter) lengthsHold() bool {
	if s.lengths == nil {
		hold := s.allLead()
		s.lengths = &hold
	}
	return *s.lengths
}

func (s *splitter) allLead() bool {
	c := splitter{window: window{r: s.r, size: s.size}, dated: s.dated}
	n := 0
	for from := s.first; from < s.size; n++ {
		_, next, ok := c.follow(c.header(c.line(from)))
		if !ok || c.err != nil {
			return false
		}
		from = next
	}
	return n >= leastLengths
}
