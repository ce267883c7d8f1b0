// Package qp is a fast decoder of quoted-printable (RFC 2045 section 6.7). If
// mime/quotedprintable decodes a text without an error, this package returns the same
// octets. There is one decoder, and a constructor for each purpose:
//
//   - [NewReader] and [Append] are for searching a text. Damage never ends the data. Only each stray "=" is counted,
//     which is a "=" without two hexadecimal digits or a line end after it. [WithoutStrays] has other readings of
//     such a text.
//   - [NewChecked] is for data that are stored or compared. Damage never ends the
//     data, but is counted, so that the caller can refuse the data.
//   - [NewStrict] is for data that are passed on while they are read. Damage is
//     counted, and octets that cannot be quoted-printable end the data.
package qp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/codec/progress"
)

// bufferSize is the size of each of the two buffers of a Reader, which should fit
// into the inner caches of a processor. It is also the longest run of blanks that
// the Reader can recognize as the end of a line.
const bufferSize = 16 << 10

// ErrControl is the error of a strict Reader whose text has a control character.
var ErrControl = errors.New("quoted-printable: a control in the text")

// A Reader decodes a mail body in quoted-printable. Unless the Reader is strict,
// damage never ends the data:
//
//   - a "=" that is not followed by two hexadecimal digits or a line end is a "=",
//   - hexadecimal digits may be in lower case,
//   - a line may end with LF or CRLF and may have any length,
//   - blanks at the end of a line are removed (RFC 2045 section 6.7 rule 3), also
//     after the "=" of a soft line break, unless there are more than 16 KiB,
//   - the text may end with the "=" of a soft line break,
//   - octets that are not allowed in quoted-printable are copied.
//
// Forgiven counts the kinds of damage that other readers may decode in another way.
// Line ends stay as they are in the text. Errors of the underlying reader are
// returned unchanged, after all octets before them. After an error, Read returns the
// same error again.
//
// A Reader always holds 32 KiB. It must not be used by several goroutines concurrently.
type Reader struct {
	r   io.Reader
	err error // of r; returned after all octets

	faults faults
	strict bool

	in  []byte // the part of inBuf that is not yet decoded
	out []byte // the part of outBuf that is not yet returned

	inBuf, outBuf [bufferSize]byte
}

// NewReader returns a Reader that decodes the text read from r and counts only its stray "=".
func NewReader(r io.Reader) *Reader { return &Reader{r: r} }

// NewChecked returns a Reader that counts the faults that it forgives. It takes about
// three times as long as a Reader of NewReader.
func NewChecked(r io.Reader) *Reader { return &Reader{r: r, faults: faults{all: true}} }

// NewStrict returns a Reader that counts the faults that it forgives. It returns
// ErrControl at a control character other than a tab, a CR or an LF: a text with such
// a character is not quoted-printable. Up to 16 KiB of the octets before the
// character may be missing.
func NewStrict(r io.Reader) *Reader { return &Reader{r: r, faults: faults{all: true}, strict: true} }

type faults struct {
	all      bool  // not only each stray "=" is counted
	forgiven int64 // all faults that are counted
	controls int64 // faults that end the data of a strict Reader
}

// Forgiven returns the number of faults that were forgiven so far. These faults
// count, because other readers may decode them to other octets:
//
//   - a "=" that is not followed by two hexadecimal digits or a line end,
//   - the "=" of a soft line break at the end of the text,
//   - a control character other than a tab, a CR that is not part of a CRLF, or an
//     octet above 126 (RFC 2045 section 6.7 rule 2),
//   - a run of more than 16 KiB of blanks, because the Reader cannot know whether the
//     run ends its line.
//
// Digits in lower case and long lines are unambiguous and do not count. After Read
// has returned io.EOF, it is the number of faults in the whole text. A Reader of NewReader counts only the first kind.
func (q *Reader) Forgiven() int64 { return q.faults.forgiven }

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
		n, used := decode(dst, q.in, q.err != nil, len(q.in) == bufferSize, &q.faults)
		q.in = q.in[used:]
		if q.strict && q.faults.controls > 0 {
			q.in = nil
			q.err = ErrControl
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

// Append decodes text, appends the result to dst and returns the extended buffer, and the number of stray "=". The
// result is not longer than text, and dst may be text[:0].
func Append(dst, text []byte) (extended []byte, strays int) {
	var f faults
	dst = slices.Grow(dst, len(text))
	n, _ := decode(dst[len(dst):cap(dst)], text, true, false, &f)
	return dst[:len(dst)+n], int(f.forgiven)
}

// WithoutStrays decodes text as some mail programs do: they leave out each stray "=", and with digit a hexadecimal
// digit after it too.
func WithoutStrays(text []byte, digit bool) []byte {
	kept := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		rest := text[i+1:]
		isOctet := len(rest) > 1 && percent.Hex[rest[0]]|percent.Hex[rest[1]] <= 0xF
		switch {
		case text[i] != '=' || endsLine(rest):
			kept = append(kept, text[i])
		case isOctet:
			kept = append(kept, text[i:i+len("=41")]...)
			i += len("41")
		case digit && len(rest) > 0 && percent.Hex[rest[0]] <= 0xF:
			i++
		}
	}
	decoded, _ := Append(kept[:0], kept)
	return decoded
}

// endsLine reports whether nothing but blanks stands in the line before text ends it.
func endsLine(text []byte) bool {
	for _, c := range text {
		if c == '\n' {
			return true
		}
		if !isSpace(c) {
			return false
		}
	}
	return true
}

// fill reads more of the text, after the octets that are not decoded yet.
func (q *Reader) fill() {
	n := copy(q.inBuf[:], q.in)
	q.in = q.inBuf[:n]
	k, err := progress.Read(q.r, q.inBuf[n:])
	q.in = q.inBuf[:n+k]
	q.err = err
}

// decode decodes src to dst, which must be as long as src. It stops where the result
// depends on the octets after src. If last is true, src is the end of the text. If
// full is true, the buffer has no room for more octets, and decode must use some. It
// returns the number of octets written and used, and adds faults to f.
func decode(dst, src []byte, last, full bool, f *faults) (n, used int) {
	if !f.all {
		if lines := bytes.LastIndexByte(src, '\n') + 1; hasPlainEnds(src[:lines]) {
			n = decodeLines(dst, src[:lines], f)
			used = lines
		}
	}
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

// hasPlainEnds reports whether nothing has to be removed at the ends of lines: no blank, and no CR except in a
// CRLF.
func hasPlainEnds(lines []byte) bool {
	for i := 0; i < len(lines); i++ {
		n := bytes.IndexByte(lines[i:], '\n')
		if n < 0 {
			break
		}
		end := i + n
		if end > i && lines[end-1] == '\r' {
			end--
		}
		if end > i && isSpace(lines[end-1]) {
			return false
		}
		i += n
	}
	return true
}

// decodeLines decodes whole lines with plain ends and returns the number of octets written. dst may be lines[:0].
func decodeLines(dst, lines []byte, f *faults) (n int) {
	const word, short = 8, 32
	for used := 0; ; {
		k := bytes.IndexByte(lines[used:], '=')
		if k < 0 {
			return n + copy(dst[n:], lines[used:])
		}
		if next := used + k; k <= short && next-n >= short && len(lines)-used >= short {
			// To copy more than k octets does no harm: they are before the octets that are still to be read.
			from := lines[used : used+short]
			to := dst[n : n+short]
			a := binary.LittleEndian.Uint64(from)
			b := binary.LittleEndian.Uint64(from[word:])
			c := binary.LittleEndian.Uint64(from[2*word:])
			d := binary.LittleEndian.Uint64(from[3*word:])
			binary.LittleEndian.PutUint64(to, a)
			binary.LittleEndian.PutUint64(to[word:], b)
			binary.LittleEndian.PutUint64(to[2*word:], c)
			binary.LittleEndian.PutUint64(to[3*word:], d)
		} else {
			copy(dst[n:], lines[used:next])
		}
		n += k
		used += k
		for used < len(lines) && lines[used] == '=' {
			rest := lines[used+1:]
			if len(rest) > 1 {
				high := percent.Hex[rest[0]]
				low := percent.Hex[rest[1]]
				if high|low <= 0xF {
					dst[n] = high<<4 | low
					n++
					used += len("=41")
					continue
				}
			}
			switch {
			case bytes.HasPrefix(rest, []byte("\r\n")):
				used += len("=\r\n")
			case bytes.HasPrefix(rest, []byte("\n")):
				used += len("=\n")
			default:
				f.forgiven++
				dst[n] = '='
				n++
				used++
			}
		}
	}
}

// decodeLine decodes a line and returns the number of octets written. end is the
// index of the LF, or the length of a line without one.
func decodeLine(dst, line []byte, end int, f *faults) int {
	text := line[:end]
	for len(text) > 0 && isSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	if f.all {
		f.forgiven += int64(bytes.Count(line[len(text):], []byte("\r")))
		if end < len(line) && end > 0 && line[end-1] == '\r' {
			f.forgiven-- // the CR of the CRLF
		}
	}
	if len(text) > 0 && text[len(text)-1] == '=' {
		if f.all && end == len(line) {
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

// decodePart decodes the start of a line whose end is not known. It stops before
// octets that may be blanks at the end of the line, a soft line break, or half of an
// encoded octet. If full is true, blanks are text.
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
		if f.all {
			f.forgiven++
		}
		return copy(dst, part[:used]), used
	}
	return decodeText(dst, part[:used], f), used
}

// decodeText decodes text without line ends and returns the number of octets written.
func decodeText(dst, text []byte, f *faults) int {
	if f.all {
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
			high := percent.Hex[text[1]]
			low := percent.Hex[text[2]]
			if high|low > 0xF {
				break
			}
			dst[n] = high<<4 | low
			n++
			text = text[3:]
		}
		if len(text) > 0 && text[0] == '=' {
			dst[n] = '='
			n++
			text = text[1:]
			f.forgiven++
		}
	}
}

// misplaced counts the octets of text that are not allowed in quoted-printable.
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
		switch {
		case c == '\t', c == '\r':
		case c < ' ', c == 0x7f:
			f.controls++
		}
	}
}

// isSpace reports whether c is removed at the end of a line.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
