package mailbox

import (
	"bytes"
	"io"
	"iter"
	"path/filepath"
	"strings"
)

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
			trailer = t
			next = n
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
		envelope = next
		from = next
	}
	return true
}

// bom is the mark that some editors put at the start of a file in UTF-8.
const bom = "\xEF\xBB\xBF"

// split yields the messages of the file. It decides the format by the file's name and
// first octets, unless the file is known to be one message. It reports whether the
// caller wants more messages.
func (s *splitter) split(oneMessage bool) bool {
	more := true
	if s.size > 0 {
		s.first = s.start()
		if s.err == nil {
			if e := foreign(s.look(s.first)); e != nil {
				s.err = e
				if oneMessage {
					e.err = ErrUnread
				}
			}
		}
		s.format = s.detect(oneMessage)
		if s.err == nil && crOnly(s.look(s.first)) {
			s.err = ErrCR
		}
		if s.format != single && s.file != nil && s.err == nil {
			s.err = s.file.several()
		}
		switch s.format {
		case mbox:
			s.dated = hasDate(s.look(s.first))
			more = s.mbox(s.first)
		case mmdf:
			more = s.mmdf()
		default:
			more = s.single()
		}
	}
	if s.err == nil && more && s.file != nil {
		_, s.err = s.file.check()
	}
	if s.err != nil && more {
		return s.yield(&Message{Path: s.path, Index: s.index}, s.err)
	}
	return more
}

// start returns the offset of the first octet that is not a byte order mark or
// part of an empty line.
func (s *splitter) start() int64 {
	b := s.look(0)
	rest := bytes.TrimLeft(bytes.TrimPrefix(b, []byte(bom)), "\r\n")
	off := int64(len(b) - len(rest))
	if len(rest) > 0 {
		return off
	}
	return s.skipEmpty(off)
}

func (s *splitter) detect(oneMessage bool) format {
	name := s.path
	if s.compressed {
		name = strings.TrimSuffix(name, filepath.Ext(name)) // "a.eml.gz"
	}
	if oneMessage || strings.EqualFold(filepath.Ext(name), ".eml") {
		return single
	}
	b := s.look(s.first)
	switch {
	case bytes.HasPrefix(b, fromWord):
		return mbox
	case delimiter(b) > 0:
		return mmdf
	}
	return single
}

// single yields the file as one message. A "From " line before its header, which
// delivery agents write, is its envelope.
func (s *splitter) single() bool {
	var content int64
	if s.file != nil {
		b := s.look(0)
		s.mark = markOf(b[:min(len(b), markSize)])
	}
	if content, trailer, ok := s.emlx(); ok {
		s.compressed = true
		s.apple = true
		return s.message(0, content, trailer, s.size)
	}
	if bytes.HasPrefix(s.look(s.first), fromWord) {
		content = s.line(s.first)
	}
	return s.message(0, content, s.size, s.size)
}

// Read yields the messages of the mailbox of size octets in r. The messages have the
// given Path. It is for mailboxes without a path, such as standard input.
//
// An error ends the sequence. It comes with a Message that has only Path and Index.
//
// The sequence can be ranged over more than once. r must stay open until the
// last message was read; it is not closed.
func Read(path string, r io.ReaderAt, size int64) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		s := splitter{window: window{r: r, size: size}, path: path, yield: yield}
		s.split(false)
	}
}
