package mailbox

import "bytes"

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
