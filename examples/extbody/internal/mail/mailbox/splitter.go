package mailbox

import (
	"bytes"
	"path/filepath"
	"strings"
)

// A format is how a file holds messages.
type format uint8

const (
	single format = iota // one message
	mbox
	mmdf
)

// bom is the mark that some editors put at the start of a file in UTF-8.
const bom = "\xEF\xBB\xBF"

// A splitter yields the messages of one file.
type splitter struct {
	window
	path       string
	compressed bool // the file at path is compressed; r is not
	index      int
	flags      string
	first      int64 // where the first message begins
	lengths    *bool // whether each Content-Length of an mbox leads to the next message; nil if not known
	begun      int64 // where the message that is read begins
	mark       mark  // of that place, if file is not nil
	yield      func(*Message, error) bool
}

// split yields the messages of the file. It decides the format by the file's name and
// first octets, unless the file is known to be one message. It reports whether the
// caller wants more messages.
func (s *splitter) split(oneMessage bool) bool {
	more := true
	if s.size > 0 {
		s.first = s.start()
		if s.err == nil && foreign(s.look(s.first)) {
			if s.err = ErrNotMail; oneMessage {
				s.err = ErrUnread
			}
		}
		format := s.detect(oneMessage)
		if format != single && s.file != nil && s.err == nil {
			s.err = s.file.several()
		}
		switch format {
		case mbox:
			more = s.mbox()
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
	if oneMessage || isMail(name) {
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

// isMail reports whether a file of that name is one message.
func isMail(name string) bool { return strings.EqualFold(filepath.Ext(name), ".eml") }

// single yields the file as one message. A "From " line before its header, which
// delivery agents write, is its envelope.
func (s *splitter) single() bool {
	var content int64
	if s.file != nil {
		b := s.look(0)
		s.mark = markOf(b[:min(len(b), markSize)])
	}
	if bytes.HasPrefix(s.look(s.first), fromWord) {
		content = s.line(s.first)
	}
	return s.message(0, content, s.size, s.size)
}

// begin is called at the beginning of a message with its envelope.
func (s *splitter) begin(off int64) {
	if s.begun = off; s.file != nil {
		s.mark = markOf(s.at(off, markSize, markSize))
	}
}

// message yields a message. Its envelope, content and trailer begin at the first three
// offsets, and its trailer ends at end.
func (s *splitter) message(envelope, content, trailer, end int64) bool {
	if s.err != nil {
		return true
	}
	m := &Message{
		Path:       s.path,
		Index:      s.index,
		Flags:      s.flags,
		Compressed: s.compressed,
		Envelope:   Span{envelope, content},
		Content:    Span{content, trailer},
		Trailer:    Span{trailer, end},
		r:          s.r,
		file:       s.file,
	}
	if s.file != nil {
		m.r = &markedReader{file: s.file, start: s.begun, mark: s.mark}
		s.file.retain()
	}
	s.index++
	return s.yield(m, nil)
}
