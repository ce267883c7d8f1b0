// Package uu decodes mail bodies in uuencode (POSIX.1-2017, uuencode). The transfer
// encoding x-uuencode names it. There is one decoder, and a constructor for each purpose:
//
//   - [NewReader] is for searching a text. Text outside the encoded file is part of the
//     data, because mail programs show it.
//   - [NewStrict] is for data that are stored, compared or passed on: only the file is.
package uu

import (
	"bufio"
	"bytes"
	"io"
)

// A Reader decodes a body in uuencode. Damage within the file never ends the data. Lines
// longer than 4 KiB are cut. A Reader must not be used by several goroutines concurrently.
type Reader struct {
	r        *bufio.Reader
	strict   bool
	within   bool   // the file
	began    bool   // a file
	cut      bool   // the line goes on
	out      []byte // not yet returned
	line     [96]byte
	forgiven int64
	err      error // of r; returned after out
}

// NewReader returns a Reader for searching a text.
func NewReader(r io.Reader) *Reader { return &Reader{r: bufio.NewReader(r)} }

// NewStrict returns a Reader of the file alone. It returns io.ErrUnexpectedEOF if the file
// has no beginning or no end.
func NewStrict(r io.Reader) *Reader { return &Reader{r: bufio.NewReader(r), strict: true} }

// Forgiven returns the number of faults so far that other readers may decode to other
// octets: text outside the file (if u is strict), a second file, and lines with other characters or
// another length than they start with.
func (u *Reader) Forgiven() int64 { return u.forgiven }

// Read implements io.Reader.
func (u *Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if u.err != nil || len(p) == 0 {
			return 0, u.err
		}
		u.next()
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// next reads a line.
func (u *Reader) next() {
	line, err := u.r.ReadSlice('\n')
	text := bytes.TrimRight(line, "\r\n")
	more := u.cut
	u.cut = err == bufio.ErrBufferFull
	switch {
	case u.within && more:
		u.forgiven++
	case u.within && string(bytes.TrimSpace(text)) == "end":
		u.within = false
	case u.within:
		u.out = u.decode(text)
	case !more && begins(text):
		if u.began {
			u.forgiven++
		}
		u.within = true
		u.began = true
	case !u.strict:
		u.out = line
	case len(bytes.TrimSpace(text)) > 0:
		u.forgiven++
	}
	if err != nil && !u.cut {
		u.err = err
		isWhole := u.began && !u.within
		if err == io.EOF && u.strict && !isWhole {
			u.err = io.ErrUnexpectedEOF
		}
	}
}

// begins reports whether a line begins a file: "begin", a mode in octal, and a name.
func begins(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("begin "))
	mode, name, _ := bytes.Cut(rest, []byte(" "))
	isMode := len(mode) > 0 && len(bytes.Trim(mode, "01234567")) == 0
	return ok && isMode && len(name) > 0
}

// decode returns the octets of a line of a file. It starts with their number.
func (u *Reader) decode(line []byte) []byte {
	if len(line) == 0 {
		return nil
	}
	n := u.value(line[0])
	text := line[1:]
	// Some encoders leave out the end of the last group, and some add a check character.
	if least := (n*8 + 5) / 6; len(text) < least || len(text) > (n+2)/3*4+1 {
		u.forgiven++
	}
	n = min(n, len(text)*6/8)
	out := u.line[:0]
	bits := 0
	for i := 0; len(out) < n; i++ {
		bits = bits<<6 | u.value(text[i])
		if i%4 > 0 {
			out = append(out, byte(bits>>(6-i%4*2)))
		}
	}
	return out
}

// value returns the bits of a character.
func (u *Reader) value(c byte) int {
	if c < ' ' || c > '`' {
		u.forgiven++
	}
	return int(c-' ') & 63
}
