package mailbox

import (
	"bytes"
	"errors"
	"io"
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
	w.off = off
	w.buf = s.buf[:n]
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
	w.seen = *now
	if before == *now || len(behind) == 0 {
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
	w.err = err
	if err == nil || errors.Is(err, io.EOF) {
		w.err = io.ErrUnexpectedEOF
	}
}

// excuse forgets an error in reading octets that are not needed to find messages.
func (w *window) excuse() {
	if !errors.Is(w.err, ErrChanged) {
		w.err = nil
		w.buf = nil
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

const (
	// windowSize is the size of the buffer if one goroutine reads. The rate at which
	// Linux copies from its cache grows up to this size, by 40 % from 256 KiB, and no
	// further above it.
	windowSize = 1 << 20

	// lookSize bounds the octets read at a place outside the buffer. Two lines of the
	// greatest length that RFC 5322 section 2.1.1 allows fit into it.
	lookSize = 2 << 10
)

// A space is the memory of a window, kept from one file to the next.
type space struct {
	buf   []byte // as large as was needed
	ahead [lookSize]byte

	behind, again [behindSize]byte
}

// behindSize is how many octets before a buffer are read again if the file was changed
// meanwhile.
const behindSize = 4 << 10
