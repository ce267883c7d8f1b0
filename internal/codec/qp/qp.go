// Package qp is a fast decoder of quoted-printable (RFC 2045 section 6.7). Where
// mime/quotedprintable gives no error, it gives the same octets. There is one decoder,
// and a constructor for each purpose:
//
//   - [NewReader] and [Append] are for looking into a text: damage never ends it, and
//     nothing is counted.
//   - [NewChecked] is for octets that are stored or compared: damage never ends them,
//     and is counted, so that they can be refused.
//   - [NewStrict] is for octets that are handed on as they come: octets that cannot be
//     quoted-printable end them, and damage is counted.
package qp

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

const (
	// bufferSize is the size of each of the two buffers of a Reader, which should fit
	// into the caches close to the core. It is also the longest run of blanks for which
	// the Reader knows whether it ends its line.
	bufferSize = 16 << 10

	// maxEmptyReads is how often in a row a reader may return neither octets nor an
	// error.
	maxEmptyReads = 100
)

// ErrControl is the error of a strict Reader whose text has a control.
var ErrControl = errors.New("quoted-printable: a control in the text")

// A Reader decodes a mail body in quoted-printable. Damage never ends the data, unless
// the Reader is strict:
//
//   - a "=" that neither two hexadecimal digits nor a line end follow is a "=",
//   - hexadecimal digits may be in lower case,
//   - a line may end with LF or CRLF and may have any length,
//   - blanks at the end of a line are removed (RFC 2045 section 6.7 rule 3), also
//     after the "=" of a soft line break, unless there are more than 16 KiB,
//   - the text may end with the "=" of a soft line break,
//   - octets that have no place in quoted-printable are copied.
//
// Forgiven counts the damage among these that other readers may read in another way.
// Line ends are those of the text. Errors of the underlying reader are returned as they
// are, after all octets before them. They are final.
//
// A Reader holds 32 KiB, whatever the text. It must not be used by several
// goroutines at once.
type Reader struct {
	r   io.Reader
	err error // of r; returned when all is used up

	faults *faults // nil if they are not counted
	strict bool

	in  []byte // of inBuf, read and not yet decoded
	out []byte // of outBuf, decoded and not yet returned

	inBuf, outBuf [bufferSize]byte
}

// NewReader returns a Reader of the text that r gives.
func NewReader(r io.Reader) *Reader { return &Reader{r: r} }

// NewChecked returns a Reader that counts what it forgives. It takes about three times
// as long as one of NewReader.
func NewChecked(r io.Reader) *Reader { return &Reader{r: r, faults: new(faults)} }

// NewStrict returns a Reader that counts what it forgives. It ends with ErrControl at a
// control other than a tab, a CR and a LF: such data is not text, so it is not
// quoted-printable. Up to 16 KiB before the control may be missing.
func NewStrict(r io.Reader) *Reader { return &Reader{r: r, faults: new(faults), strict: true} }

// faults counts what was found so far.
type faults struct {
	forgiven int64 // all of them
	controls int64 // those that end the data of a strict Reader
}

// Forgiven returns the number of faults that were forgiven in what was decoded so far.
// Because of them other readers may get other octets:
//
//   - a "=" that neither two hexadecimal digits nor a line end follow,
//   - the "=" of a soft line break at which the text ends,
//   - a control other than a tab, a CR that is not within a CRLF, or an octet above
//     126 (RFC 2045 section 6.7 rule 2),
//   - a run of more than 16 KiB of blanks, since the Reader did not know whether it
//     ends its line.
//
// Digits in lower case and long lines leave no doubt, and do not count. After Read has
// returned io.EOF, these are the faults of the whole text. Forgiven returns 0 for a
// Reader of NewReader.
func (q *Reader) Forgiven() int64 {
	if q.faults == nil {
		return 0
	}
	return q.faults.forgiven
}

// Read decodes up to len(p) octets into p. It may use all of p as scratch space.
func (q *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		if len(q.out) > 0 {
			n := copy(p, q.out)
			q.out = q.out[n:]
			return n, nil
		}
		dst := q.outBuf[:]
		if len(p) >= bufferSize {
			dst = p
		}
		n, used := decode(dst, q.in, q.err != nil, len(q.in) == bufferSize, q.faults)
		q.in = q.in[used:]
		if q.strict && q.faults.controls > 0 {
			q.in, q.err = nil, ErrControl
			return 0, ErrControl
		}
		switch {
		case n > 0 && len(p) >= bufferSize:
			return n, nil
		case n > 0:
			q.out = dst[:n]
		case used > 0:
		case q.err != nil:
			return 0, q.err
		default:
			q.fill()
		}
	}
}

// Append appends what text stands for to dst. That is not longer than text, and dst may
// be text[:0].
func Append(dst, text []byte) []byte {
	dst = slices.Grow(dst, len(text))
	n, _ := decode(dst[len(dst):cap(dst)], text, true, false, nil)
	return dst[:len(dst)+n]
}

// fill reads more of the text, after the octets that are not decoded yet.
func (q *Reader) fill() {
	n := copy(q.inBuf[:], q.in)
	q.in = q.inBuf[:n]
	for range maxEmptyReads {
		k, err := q.r.Read(q.inBuf[n:])
		q.in, q.err = q.inBuf[:n+k], err
		if k > 0 || err != nil {
			return
		}
	}
	q.err = io.ErrNoProgress
}

// decode decodes src to dst, which has room for all of it, as far as that does not
// depend on what follows. last says that nothing follows. full says that nothing more
// can be read before this is used. decode returns how much it wrote and used, and adds
// faults to f unless that is nil.
func decode(dst, src []byte, last, full bool, f *faults) (n, used int) {
	for used < len(src) {
		rest := src[used:]
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			if !last {
				k, u := decodePart(dst[n:], rest, full, f)
				return n + k, used + u
			}
			return n + decodeLine(dst[n:], rest, len(rest), f), len(src)
		}
		n += decodeLine(dst[n:], rest[:end+1], end, f)
		used += end + 1
	}
	return n, used
}

// decodeLine decodes a line, whose LF is at end, and returns how much it wrote.
func decodeLine(dst, line []byte, end int, f *faults) int {
	text := line[:end]
	for len(text) > 0 && isSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	if f != nil {
		f.forgiven += int64(bytes.Count(line[len(text):], []byte("\r")))
		if end < len(line) && end > 0 && line[end-1] == '\r' {
			f.forgiven-- // that of the CRLF
		}
	}
	if len(text) > 0 && text[len(text)-1] == '=' {
		if f != nil && end == len(line) {
			f.forgiven++
		}
		return decodeText(dst, text[:len(text)-1], f)
	}
	n := decodeText(dst, text, f)
	if end < len(line) && end > 0 && line[end-1] == '\r' {
		n += copy(dst[n:], "\r")
	}
	return n + copy(dst[n:], line[end:])
}

// decodePart decodes the beginning of a line whose end is not known. It leaves out what
// may be blanks at the end of the line, a soft line break, or half of an encoded octet.
// If there is no room for more of the line, blanks are text.
func decodePart(dst, part []byte, full bool, f *faults) (n, used int) {
	used = len(part)
	for used > 0 && isSpace(part[used-1]) {
		used--
	}
	switch {
	case used > 0 && part[used-1] == '=':
		used--
	case used > 1 && used == len(part) && part[used-2] == '=':
		used -= 2
	}
	if used == 0 && full {
		used = len(part)
		if part[0] == '=' {
			used = 1
		}
		if f != nil {
			f.forgiven++
		}
		return copy(dst, part[:used]), used
	}
	return decodeText(dst, part[:used], f), used
}

// decodeText decodes text without line ends and returns how much it wrote.
func decodeText(dst, text []byte, f *faults) int {
	if f != nil {
		f.misplaced(text)
	}
	n := 0
	for {
		i := bytes.IndexByte(text, '=')
		if i < 0 {
			return n + copy(dst[n:], text)
		}
		n += copy(dst[n:], text[:i])
		text = text[i:]
		for len(text) >= 3 && text[0] == '=' {
			high, low := digits[text[1]], digits[text[2]]
			if high|low > 0xF {
				break
			}
			dst[n] = high<<4 | low
			n, text = n+1, text[3:]
		}
		if len(text) > 0 && text[0] == '=' {
			dst[n] = '='
			n, text = n+1, text[1:]
			if f != nil {
				f.forgiven++
			}
		}
	}
}

// misplaced counts the octets of text that have no place in quoted-printable.
func (f *faults) misplaced(text []byte) {
	n := 0
	for _, c := range text {
		// Neither printable nor a tab.
		if c-' ' > '~'-' ' && c != '\t' {
			n++
		}
	}
	if n == 0 {
		return
	}
	f.forgiven += int64(n)
	for _, c := range text {
		if c < ' ' && c != '\t' && c != '\r' || c == 0x7f {
			f.controls++
		}
	}
}

// digits holds the value of each hexadecimal digit, and more than 15 for all
// other octets.
var digits = digitTable()

func digitTable() (t [256]byte) {
	for c := range t {
		t[c] = 0xFF
	}
	for v, c := range []byte("0123456789ABCDEF") {
		t[c] = byte(v)
	}
	for v, c := range []byte("abcdef") {
		t[c] = byte(10 + v)
	}
	return t
}

// isSpace reports whether c is removed at the end of a line.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
