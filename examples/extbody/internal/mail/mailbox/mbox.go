package mailbox

import (
	"bytes"
	"strconv"
)

// headerSize bounds the search for the end of a header. Content-Length is written near
// its start.
const headerSize = 64 << 10

func (s *splitter) mbox() bool {
	dated := hasDate(s.look(s.first))
	return s.run(s.first, dated)
}

// run yields the messages from the one at from on.
func (s *splitter) run(from int64, dated bool) bool {
	for from < s.size {
		s.begin(from)
		content := s.line(from)
		h := s.header(content)
		header := h.body
		trailer, next, ok := s.follow(h, dated)
		if !ok {
			trailer, next = s.scan(header, s.size, dated)
		} else if t, n := s.scan(header, next, dated); s.err != nil {
			s.excuse() // the reader of the message sees the error
		} else if n < next && !s.lengthsHold(dated) {
			trailer, next = t, n
		}
		envelope := from
		if from == s.first {
			envelope = 0
		}
		from = next
		if !s.message(envelope, content, trailer, next) {
			return false
		}
	}
	return true
}

// header returns the facts in the header at off. It looks at headerSize octets.
func (s *splitter) header(off int64) head {
	h := head{body: off, value: -1}
	fields := 0
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
			line := bytes.TrimSuffix(b[:lf], []byte("\r"))
			b = b[lf+1:]
			start := h.body
			h.body += int64(lf + 1)
			if len(line) == 0 {
				if h.blank = (Span{start, h.body}); fields != 1 {
					h.field, h.value = Span{start, start}, -1
				}
				return h
			}
			if n, ok := contentLength(line); ok {
				h.field, h.value = Span{start, h.body}, n
				fields++
			}
		}
	}
	return head{body: h.body, value: -1}
}

// contentLength reports whether line is a Content-Length field, and returns its value,
// or -1 if that is not a number.
func contentLength(line []byte) (n int64, ok bool) {
	const name = "content-length"
	if len(line) <= len(name) || line[0]|0x20 != 'c' || !bytes.EqualFold(line[:len(name)], []byte(name)) {
		return -1, false
	}
	value, ok := bytes.CutPrefix(bytes.TrimLeft(line[len(name):], " \t"), []byte(":"))
	if !ok {
		return -1, false
	}
	u, err := strconv.ParseUint(string(bytes.TrimSpace(value)), 10, 63)
	if err != nil {
		return -1, true
	}
	return int64(u), true
}

// follow follows the Content-Length of a header. It returns where the message then ends,
// where the next one begins, and whether a message can end there.
func (s *splitter) follow(h head, dated bool) (trailer, next int64, ok bool) {
	if h.value < 0 || h.value > s.size-h.body {
		return 0, 0, false
	}
	trailer = h.body + h.value
	if trailer == s.size {
		return trailer, trailer, true
	}
	// The octet before the place shows whether a line begins there.
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
	case empty == 0 && !lineStart, !separates(b[empty:], true, dated):
		return 0, 0, false
	}
	return trailer, next, true
}

// scan looks for the next "From " line that separates messages, at or after the end of
// a header. It returns where the message ends and where the next one begins. If there
// none is before far, next is at least far. If far is also the size of the file, both
// are the size, unless an empty line is at the end.
func (s *splitter) scan(header, far int64, dated bool) (trailer, next int64) {
	// The LF before "From " may be the last octet of the header.
	next = header - 1
	for {
		next = s.findBefore(next, far, len(fromLine), indexFrom)
		if next >= far {
			break
		}
		next++
		b := s.at(next-before, before+lookSize, before+lookSize)
		if len(b) > before && separates(b[before:], emptyLine(b[:before]) > 0, dated) {
			break
		}
	}
	trailer = next - int64(emptyLine(s.at(next-before, before, before)))
	if trailer < header {
		trailer = next // the empty line is the end of the header
	}
	return trailer, next
}

// before is how many octets before a place show whether an empty line is there.
const before = 3

// emptyLine returns the length of the empty line at the end of b, or 0 if there is
// none.
func emptyLine(b []byte) int {
	switch {
	case bytes.HasSuffix(b, []byte("\n\r\n")):
		return 2
	case bytes.HasSuffix(b, []byte("\n\n")):
		return 1
	}
	return 0
}

// newline returns the length of the line end at the beginning of b, or 0 if there is
// none.
func newline(b []byte) int {
	switch {
	case bytes.HasPrefix(b, []byte("\n")):
		return 1
	case bytes.HasPrefix(b, []byte("\r\n")):
		return 2
	}
	return 0
}
