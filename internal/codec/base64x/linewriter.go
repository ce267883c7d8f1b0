package base64x

import (
	"errors"
	"io"
)

// Lengths of a line of encoded text. RFC 2045 section 6.8 allows 76 characters.
const (
	lineOctets = 57
	lineChars  = lineOctets / 3 * 4
)

// A LineWriter writes blockLines lines at a time. blockGap is the length of their
// line breaks; see breakLines.
const (
	blockLines  = 64
	blockOctets = blockLines * lineOctets
	blockGap    = blockLines * len("\r\n")
)

var errClosed = errors.New("base64x: write to a closed LineWriter")

// A LineWriter writes base64 in lines of 76 characters. Each line ends with CRLF,
// also the last one, which may be shorter. If nothing is written to a LineWriter, it
// writes nothing.
//
// It writes to the underlying writer in blocks of up to 64 lines, and holds about 9
// KB. An error of the underlying writer is returned by that call and by all later
// ones. A LineWriter must not be used by several goroutines concurrently.
type LineWriter struct {
	w    io.Writer
	err  error
	held int // octets in in
	in   [blockOctets]byte
	out  [blockGap + blockLines*lineChars]byte
}

// NewLineWriter returns a LineWriter that writes to w. The caller must call Close to
// write the last block.
func NewLineWriter(w io.Writer) *LineWriter { return &LineWriter{w: w} }

// Write encodes p. It writes whole blocks and keeps the rest for the next call.
func (l *LineWriter) Write(p []byte) (n int, err error) {
	if l.err != nil {
		return 0, l.err
	}
	if l.held > 0 {
		n = copy(l.in[l.held:], p)
		l.held += n
		if l.held < blockOctets {
			return n, nil
		}
		l.held = 0
		if err := l.writeBlock(l.in[:]); err != nil {
			return n, err
		}
	}
	for len(p)-n >= blockOctets {
		if err := l.writeBlock(p[n : n+blockOctets]); err != nil {
			return n, err
		}
		n += blockOctets
	}
	l.held = copy(l.in[:], p[n:])
	return len(p), nil
}

// Close writes the last block. It does not close the underlying writer. A second
// Close does nothing.
func (l *LineWriter) Close() error {
	if l.err == errClosed {
		return nil
	}
	if l.err != nil {
		return l.err
	}
	if l.held > 0 {
		if err := l.writeBlock(l.in[:l.held]); err != nil {
			return err
		}
	}
	l.err = errClosed
	return nil
}

// writeBlock writes src as lines. src is at most a block.
func (l *LineWriter) writeBlock(src []byte) error {
	chars := l.out[blockGap:][:EncodedLen(len(src))]
	encode(chars, src)
	_, l.err = l.w.Write(l.out[:breakLines(l.out[:], chars)])
	return l.err
}

// breakLines copies chars to dst with a line break after each line, and returns the
// length of the result. chars is a part of dst. It follows a gap as long as all the
// line breaks, so no line is overwritten before it is copied.
func breakLines(dst, chars []byte) int {
	n := 0
	for len(chars) > 0 {
		k := copy(dst[n:], chars[:min(lineChars, len(chars))])
		chars = chars[k:]
		dst[n+k], dst[n+k+1] = '\r', '\n'
		n += k + 2
	}
	return n
}
