package mailbox

import (
	"bytes"
	"errors"
	"io"
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
	format     format
	dated      bool  // the first line of an mbox has a date
	first      int64 // where the first message begins
	open       int64 // up to here the messages are in doubt
	joined     Span  // of the message that is read, if a line after it is in doubt
	searched   int64 // octets that were searched for delimiters
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
		s.format = s.detect(oneMessage)
		if s.format == mbox && s.err == nil && crOnly(s.look(s.first)) {
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
		format:     s.format,
		dated:      s.dated,
		joined:     s.joined,
		inDoubt:    s.joined.Len() > 0 || s.begun < s.open,
	}
	if s.file != nil {
		m.r = &markedReader{file: s.file, start: s.begun, mark: s.mark}
		s.file.retain()
	}
	s.index++
	return s.yield(m, nil)
}

const (
	// windowSize is the size of the buffer if one goroutine reads. The rate at which
	// Linux copies from its cache grows up to this size, by 40 % from 256 KiB, and no
	// further above it.
	windowSize = 1 << 20

	// lookSize bounds the octets read at a place outside the buffer. Two lines of the
	// greatest length that RFC 5322 section 2.1.1 allows fit into it.
	lookSize = 2 << 10
)

// A window is a buffer over a file that moves forward. Its err is the first error of
// reading. After an error it finds nothing.
type window struct {
	r    io.ReaderAt
	size int64
	file *sharedFile // nil if the file is not ours to close
	buf  []byte      // the octets of the file at off
	off  int64
	seen fileState // of the file when buf was read

	ahead Span // the octets that look read last

	space *space // allocated when it is needed

	err error
}

// A space is the memory of a window, kept from one file to the next.
type space struct {
	buf   []byte // as large as was needed
	ahead [lookSize]byte

	behind, again [behindSize]byte
}

// behindSize is how many octets before a buffer are read again if the file was changed
// meanwhile.
const behindSize = 4 << 10

// at returns octets from off on: at least least and at most most, and fewer only at the
// end of the file. They are valid until the next call. The window moves to off if it
// does not hold enough from there.
func (w *window) at(off int64, least, most int) []byte {
	if off >= w.size || w.err != nil {
		return nil
	}
	end := min(off+int64(least), w.size)
	if !w.holds(off, end) {
		w.move(off)
	}
	if w.err != nil {
		return nil
	}
	b := w.buf[off-w.off:]
	return b[:min(len(b), most)]
}

// holds reports whether the octets from off to end are in the buffer.
func (w *window) holds(off, end int64) bool {
	return w.off <= off && end <= w.off+int64(len(w.buf))
}

func (w *window) move(off int64) {
	s := w.memory()
	var behind []byte // the octets before off
	if end := off - w.off; w.file != nil && 0 < end && end <= int64(len(w.buf)) {
		behind = s.behind[:copy(s.behind[:], w.buf[max(0, end-behindSize):end])]
	}
	n := int(min(windowSize, w.size-off))
	if len(s.buf) < n {
		s.buf = make([]byte, n)
	}
	w.off, w.buf = off, s.buf[:n]
	w.read(w.buf, off)
	if w.file != nil && w.err == nil {
		w.err = w.unmoved(behind)
	}
}

// unmoved returns ErrChanged if the octets before the buffer have moved. A program that
// rewrites the file in place may have passed here: the octets to be read next could be
// before the buffer, and lost.
func (w *window) unmoved(behind []byte) error {
	now, err := w.file.check()
	if err != nil {
		return err
	}
	before := w.seen
	if w.seen = *now; before == *now || len(behind) == 0 {
		return nil
	}
	again := w.space.again[:len(behind)]
	if _, err := w.file.ReadAt(again, w.off-int64(len(behind))); err != nil || !bytes.Equal(again, behind) {
		return ErrChanged
	}
	return nil
}

// look returns up to lookSize octets at off without moving the window, so that a look
// far ahead reads little. They are valid until the next call.
func (w *window) look(off int64) []byte {
	if off >= w.size || w.err != nil {
		return nil
	}
	end := min(off+lookSize, w.size)
	if w.holds(off, end) {
		return w.buf[off-w.off : end-w.off]
	}
	ahead := &w.memory().ahead
	if off < w.ahead.Start || end > w.ahead.End {
		w.ahead = Span{off, end}
		w.read(ahead[:end-off], off)
	}
	return ahead[off-w.ahead.Start : end-w.ahead.Start]
}

func (w *window) memory() *space {
	if w.space == nil {
		w.space = new(space)
	}
	return w.space
}

func (w *window) read(b []byte, off int64) {
	n, err := w.r.ReadAt(b, off)
	if n == len(b) {
		return
	}
	if w.err = err; err == nil || errors.Is(err, io.EOF) {
		w.err = io.ErrUnexpectedEOF
	}
}

// excuse forgets an error in reading octets that are not needed to find messages.
func (w *window) excuse() {
	if !errors.Is(w.err, ErrChanged) {
		w.err, w.buf = nil, nil
	}
}

// find returns the offset of the first place at or after off that index finds, or size.
// width is the length of the text that index finds.
func (w *window) find(off int64, width int, index func([]byte) int) int64 {
	return w.findBefore(off, w.size, width, index)
}

// findBefore is find for a text that ends before limit, or not far after it. It returns limit
// instead of size. limit is at most size.
func (w *window) findBefore(off, limit int64, width int, index func([]byte) int) int64 {
	for limit-off >= int64(width) && w.err == nil {
		b := w.at(off, width, windowSize)
		if i := index(b); i >= 0 {
			return off + int64(i)
		}
		off += int64(len(b) - width + 1)
	}
	return limit
}

// skipEmpty returns the offset of the first octet at or after off that is not
// part of an empty line, or size. off is the start of a line.
func (w *window) skipEmpty(off int64) int64 {
	return w.find(off, 1, func(b []byte) int {
		for i, c := range b {
			if c != '\r' && c != '\n' {
				return i
			}
		}
		return -1
	})
}

// line returns where the line at off ends: after its LF, or at size.
func (w *window) line(off int64) int64 {
	lf := w.find(off, 1, func(b []byte) int { return bytes.IndexByte(b, '\n') })
	return min(lf+1, w.size)
}
