package mailbox

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// headerSize bounds the search for the end of a header. Content-Length is written near
// its start.
const headerSize = 64 << 10

// mbox yields the messages from the one at from on.
func (s *splitter) mbox(from int64) bool {
	for from < s.size {
		s.begin(from)
		content := s.line(from)
		h := s.header(content)
		header := h.body
		trailer, next, ok := s.follow(h)
		if !ok {
			trailer, next = s.scan(header, s.size)
		} else if t, n := s.scan(header, next); s.err != nil {
			s.excuse() // the reader of the message sees the error
		} else if n < next && !s.lengthsHold() {
			trailer, next = t, n
		}
		envelope := from
		if from == s.first {
			envelope = 0
		}
		s.doubt(h, Span{content, trailer}, next)
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
			line := bytes.TrimRight(b[:lf], "\r")
			b = b[lf+1:]
			start := h.body
			h.body += int64(lf + 1)
			if len(line) == 0 {
				if h.blank = (Span{start, h.body}); fields != 1 {
					h.field, h.value = Span{start, start}, -1
				}
				return h
			}
			if h.contentType == 0 && isContentType(line) {
				h.contentType = start
			}
			if n, ok := contentLength(line); ok {
				h.field, h.value = Span{start, h.body}, n
				fields++
			}
		}
	}
	return head{body: h.body, value: -1, contentType: h.contentType}
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
func (s *splitter) follow(h head) (trailer, next int64, ok bool) {
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
	case empty == 0 && !lineStart, !separates(b[empty:], true, s.dated):
		return 0, 0, false
	}
	return trailer, next, true
}

// scan looks for the next "From " line that separates messages, at or after the end of
// a header. It returns where the message ends and where the next one begins. If there
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

// before is how many octets before a place show whether an empty line is there.
const before = 4

// emptyLine returns the length of the empty line at the end of b, or 0 if there is
// none.
func emptyLine(b []byte) int {
	for _, end := range lineEnds {
		if rest, ok := bytes.CutSuffix(b, end); ok && bytes.HasSuffix(rest, []byte("\n")) {
			return len(end)
		}
	}
	return 0
}

// newline returns the length of the line end at the beginning of b, or 0 if there is
// none.
func newline(b []byte) int {
	for _, end := range lineEnds {
		if bytes.HasPrefix(b, end) {
			return len(end)
		}
	}
	return 0
}

// lineEnds are the ends of the lines of a mailbox. The last one is what a program makes
// that writes LF as CRLF to a file whose lines end in CRLF already.
var lineEnds = [][]byte{[]byte("\n"), []byte("\r\n"), []byte("\r\r\n")}

// fromWord begins the line that separates the messages of an mbox. fromLine is fromWord
// after the end of the line before it.
var (
	fromWord = []byte("From ")
	fromLine = []byte("\nFrom ")
)

// textRun is how many octets after a space are treated as text.
const textRun = 2 << 10

// indexFrom is bytes.Index(b, "\nFrom "), faster on mail. Most octets of mail are
// base64, where an F is as frequent as a line end and spaces do not occur. So text
// without a space is passed over. In other text an F is rarer than a line end.
func indexFrom(b []byte) int {
	for i := 0; i < len(b); {
		sp := bytes.IndexByte(b[i:], ' ')
		if sp < 0 {
			return -1
		}
		i += sp + 1
		if bytes.HasSuffix(b[:i], fromLine) {
			return i - len(fromLine)
		}
		for end := min(len(b), i+textRun); i < end; {
			f := bytes.IndexByte(b[i:end], 'F')
			if f < 0 {
				i = end
				break
			}
			i += f
			if b[i-1] == '\n' && bytes.HasPrefix(b[i:], fromWord) {
				return i - 1
			}
			i++
		}
	}
	return -1
}

// separates reports whether b, at the start of a line after a header, begins with a
// line that separates messages by the rules in the package comment.
func separates(b []byte, afterEmpty, dated bool) bool {
	if !bytes.HasPrefix(b, fromWord) {
		return false
	}
	switch {
	case hasDate(b):
		return afterEmpty || fieldFollows(b)
	case isBare(b):
		return fieldFollows(b)
	}
	return !dated && afterEmpty && fieldFollows(b)
}

// isBare reports whether the first line of b, which begins with "From ", has nothing after
// that but the "-" that Thunderbird writes for a sender.
func isBare(b []byte) bool {
	line, _, whole := bytes.Cut(b, []byte("\n"))
	switch string(bytes.TrimRight(line[len(fromWord):], "\r")) {
	case "", "-", "- ":
		return whole
	}
	return false
}

// fieldFollows reports whether the second line of b looks like a header field: a name
// of printable characters and a colon (RFC 5322 section 3.6.8), or the ">From " that
// uucp adds.
func fieldFollows(b []byte) bool {
	_, next, _ := bytes.Cut(b, []byte("\n"))
	return bytes.HasPrefix(next, []byte(">From ")) || isField(next)
}

// isField reports whether b begins with the name of a header field and a colon.
func isField(b []byte) bool {
	for i, c := range b {
		switch {
		case c == ':':
			return i > 0
		case c <= ' ' || c > '~':
			return false
		}
	}
	return false
}

const (
	month = `(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)`
	blank = `[ \t,\r]`
	date  = `(?:^|` + blank + `)(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)` + blank + `+(?:` + month + blank + `+\d{1,2}|\d{1,2}` + blank + `+` + month + `)(` + blank + `.*)`
)

// dateLine finds a date, and the text after its day.
var (
	dateLine = regexp.MustCompile(date)
	timeWord = regexp.MustCompile(blank + `\d{1,2}:\d\d`)
	yearWord = regexp.MustCompile(blank + `\d{4}(?:` + blank + `|$)`)
)

// hasDate reports whether the first line of b has a day of the week, then a month and a
// day in either order, then a time and a year. That is the form of asctime, with or
// without seconds and time zone, and the one of RFC 5322.
func hasDate(b []byte) bool {
	line, _, whole := bytes.Cut(b, []byte("\n"))
	if !whole && len(b) == lookSize {
		return false // no date is further into a line
	}
	found := dateLine.FindSubmatch(line)
	return found != nil && timeWord.Match(found[1]) && yearWord.Match(found[1])
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// delimiterMark is the line before and after each message in MMDF, without its
// line end.
var delimiterMark = []byte("\x01\x01\x01\x01")

// delimiter returns the length of the MMDF delimiter at the beginning of b, with its
// line end, or 0 for anything else. The last line of a file may lack its end.
func delimiter(b []byte) int {
	rest, ok := bytes.CutPrefix(b, delimiterMark)
	if !ok {
		return 0
	}
	if len(rest) == 0 {
		return len(delimiterMark)
	}
	if n := newline(rest); n > 0 {
		return len(delimiterMark) + n
	}
	return 0
}

// mmdf yields the messages between delimiters. If there is one delimiter between two
// messages instead of two, it belongs to the first message. Empty lines between
// messages belong to the message before them.
func (s *splitter) mmdf() bool {
	envelope := int64(0)
	for from := s.first; from < s.size; {
		s.begin(from)
		content := from + int64(s.delimiter(from))
		if bytes.HasPrefix(s.at(content, len(fromWord), len(fromWord)), fromWord) {
			content = s.line(content)
		}
		trailer := s.nextDelimiter(content)
		next := s.skipEmpty(trailer + int64(s.delimiter(trailer)))
		if !s.message(envelope, content, trailer, next) {
			return false
		}
		envelope, from = next, next
	}
	return true
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
