package base64x

import (
	"bytes"
	"fmt"
	"io"

	"github.com/go-extbody/extbody/internal/codec/progress"
)

// ErrTruncated is the error of a [MailReader] whose text ends, or is padded, after
// the first character of a group. Six bits are less than an octet, so at least one
// character is lost. It wraps [io.ErrUnexpectedEOF].
var ErrTruncated = fmt.Errorf("base64: incomplete group: %w", io.ErrUnexpectedEOF)

// mailBuffer is the size of each of the two buffers of a MailReader. A MailReader
// just fits into 32 KB.
const mailBuffer = 16<<10 - 64

// A MailReader decodes a mail body in base64. As RFC 2045 section 6.8 asks, it
// ignores all characters that are not of the alphabet, and the data end at the
// padding of an incomplete group. It forgives and counts:
//
//   - an ignored character that is neither a line break nor a space or tab,
//   - missing padding, and each superfluous "=",
//   - each character after the padding that is neither a line break nor a space or
//     tab, such as a footer that a mailing list added,
//   - left-over bits of an incomplete group that are not zero.
//
// A "=" after a whole group is superfluous and does not end the data.
//
// A MailReader of [NewPieceReader] goes on after the padding: each piece of the text with a padding of its own is
// decoded, and counts as one fault. Mailman adds its footer to a text in this way.
//
// The only fault that it does not forgive is [ErrTruncated], which Read returns after
// all octets before the fault. Errors of the underlying reader are returned
// unchanged, after the whole groups before them. After an error, Read returns the
// same error again.
//
// A MailReader always holds 32 KB and reads almost 16 KB at a time. It must not be
// used by several goroutines concurrently.
type MailReader struct {
	r        io.Reader
	err      error // of r, or ErrTruncated; returned after all octets
	forgiven int64

	in  []byte // the part of inBuf that is not yet decoded
	out []byte // the part of outBuf that is not yet returned

	group  [4]byte // an incomplete group
	held   int     // the number of characters in group
	ragged bool    // the text has more than base64 and line breaks
	pieces bool    // the data go on after the padding
	padded bool    // a group was padded: the data has ended
	pads   int     // the number of "=" that its padding still lacks

	inBuf, outBuf [mailBuffer]byte
}

// NewMailReader returns a MailReader that decodes the text read from r.
func NewMailReader(r io.Reader) *MailReader { return &MailReader{r: r} }

// NewPieceReader returns a MailReader that decodes all padded pieces of the text read from r. It is for searching:
// programs differ in whether they read after the first padding.
func NewPieceReader(r io.Reader) *MailReader { return &MailReader{r: r, pieces: true} }

// Forgiven returns the number of faults forgiven so far. After Read has returned
// io.EOF, it is the number of faults in the whole text.
func (m *MailReader) Forgiven() int64 { return m.forgiven }

// Read decodes up to len(p) octets into p. It may use all of p as scratch space.
func (m *MailReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		if len(m.out) > 0 {
			n := copy(p, m.out)
			m.out = m.out[n:]
			return n, nil
		}
		if len(m.in) == 0 && m.err != nil {
			m.out = m.finish(m.outBuf[:0])
			if len(m.out) == 0 {
				return 0, m.err
			}
			continue
		}
		if len(m.in) == 0 {
			m.fill()
		}
		if len(p) >= mailBuffer/4 {
			if n := m.decode(p); n > 0 {
				return n, nil
			}
			continue
		}
		m.out = m.outBuf[:m.decode(m.outBuf[:])]
	}
}

// fill reads more of the text into in, which must be empty.
func (m *MailReader) fill() {
	n, err := progress.Read(m.r, m.inBuf[:])
	m.in = m.inBuf[:n]
	m.err = err
}

// decode decodes as much of in as dst has room for, and returns the number of octets.
// dst must be at least a quarter of a buffer.
func (m *MailReader) decode(dst []byte) int {
	if m.padded {
		return m.decodeSlowly(dst, len(m.in))
	}
	// The text after a "=" is read after it is known what it means.
	in, _, _ := bytes.Cut(m.in, []byte("="))
	n := copy(dst, m.group[:m.held])
	used := 0
	if !m.ragged {
		// The CR of a line break that is cut here waits for the LF.
		k, ns := Lines(dst[n:], bytes.TrimSuffix(in, []byte("\r")))
		n += k
		used = ns
	}
	for m.ragged {
		k := Run(dst[n:], in[used:])
		n += k
		used += k
		if n == len(dst) || used == len(in) || !isLinear(in[used]) {
			break
		}
		used++
	}
	var tail [4]byte
	whole := n &^ 3
	held := copy(tail[:], dst[whole:n])
	octets, ok := Decode(dst, dst[:whole])
	for _, c := range tail[:held] {
		ok = ok && IsAlphabet(c)
	}
	if !ok && !m.ragged {
		m.ragged = true
		return m.decode(dst)
	}
	if !ok || used == 0 {
		return m.decodeSlowly(dst, max(used, min(1, len(m.in))))
	}
	m.group = tail
	m.held = held
	m.in = m.in[used:]
	return octets
}

// decodeSlowly decodes the first used octets of in, one by one.
func (m *MailReader) decodeSlowly(buf []byte, used int) int {
	dst := buf[:0]
	in := m.in[:used]
	m.in = m.in[used:]
	for _, c := range in {
		switch {
		case isLinear(c):
		case c == '=' && m.pads > 0:
			m.pads--
		case m.padded && (!m.pieces || !IsAlphabet(c)):
			m.endPadding()
			m.forgiven++
		case IsAlphabet(c):
			m.startPiece()
			m.group[m.held] = c
			m.held++
			if m.held == 4 {
				octets, _ := DecodeGroup(m.group)
				dst = append(dst, octets[:]...)
				m.held = 0
			}
		case c != '=', m.held == 0:
			m.forgiven++
		default:
			m.padded = true
			m.pads = 3 - m.held
			dst = m.flush(dst)
			if m.held > 0 {
				return len(dst)
			}
		}
	}
	return len(dst)
}

// startPiece counts a character after the padding as a fault, and ends the padding.
func (m *MailReader) startPiece() {
	if m.padded {
		m.endPadding()
		m.forgiven++
		m.padded = false
	}
}

// endPadding counts missing padding as a fault.
func (m *MailReader) endPadding() {
	if m.pads > 0 {
		m.forgiven++
		m.pads = 0
	}
}

// flush decodes the incomplete group. If the group has less than an octet, the text
// ends with ErrTruncated, and flush keeps the group. If the data go on, flush drops it.
func (m *MailReader) flush(dst []byte) []byte {
	group := m.group[:m.held]
	dst, ok := AppendTail(dst, group)
	if !ok && m.pieces && m.padded {
		m.held = 0
		m.forgiven++
		return dst
	}
	if !ok {
		m.in = nil
		m.err = ErrTruncated
		return dst
	}
	if !ZeroTail(group) {
		m.forgiven++
	}
	m.held = 0
	return dst
}

// finish appends the last octets, after in is used up and r has returned an error.
func (m *MailReader) finish(dst []byte) []byte {
	if m.err != io.EOF {
		return dst
	}
	m.endPadding()
	if m.held > 1 {
		m.forgiven++
	}
	return m.flush(dst)
}

// isLinear reports whether c is part of a line break or of white space. Encoders put
// both into base64.
func isLinear(c byte) bool { return c == '\n' || c == '\r' || c == ' ' || c == '\t' }
