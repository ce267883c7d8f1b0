package charset

import (
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"github.com/go-extbody/extbody/internal/codec/ascii"
)

// A JISReader sets the high bit of the octets of ISO-2022-JP (RFC 1468) that are not
// ASCII characters. This converts them to EUC-JP, so that they do not look like tags
// or line ends. Escape sequences stay, and no octet moves. It must not be used by several
// goroutines concurrently.
type JISReader struct {
	r       io.Reader
	escape  int  // the number of octets of an escape sequence so far
	kind    byte // the second octet of the escape sequence
	doubled bool // characters have two octets
}

// NewJISReader returns a JISReader of r.
func NewJISReader(r io.Reader) *JISReader { return &JISReader{r: r} }

// Read implements [io.Reader].
func (j *JISReader) Read(p []byte) (int, error) {
	n, err := j.r.Read(p)
	j.Set(p[:n])
	return n, err
}

// Set sets the high bits in b, the next octets of a text.
func (j *JISReader) Set(b []byte) {
	for i, c := range b {
		switch {
		case j.escape == 1:
			j.kind = c
			j.escape = 2
		case j.escape == 2:
			j.doubled = j.kind == '$'
			j.escape = 0
		case c == escape:
			j.escape = 1
		case c == '\n' || c == '\r':
			j.doubled = false // a line ends in ASCII
		case j.doubled && ' ' < c && c < 0x7F:
			b[i] = c | 0x80
		}
	}
}

// WithoutEscapes returns b, a text from a [JISReader], without its escape sequences. b is
// then EUC-JP.
func WithoutEscapes(b []byte) []byte {
	if bytes.IndexByte(b, escape) < 0 {
		return b
	}
	var out []byte
	for {
		i := bytes.IndexByte(b, escape)
		if i < 0 {
			return append(out, b...)
		}
		out = append(out, b[:i]...)
		b = b[min(len(b), i+len("\x1b$B")):]
	}
}

// A userArea adds the characters of private use to a decoder of Shift_JIS or GB18030
// (Encoding Standard sections 12.3.1 and 10.2.1), which golang.org/x/text lacks.
type userArea struct {
	transform.Transformer
	private func(a, b byte) rune // the character of a pair of octets, or 0
	single  func(c byte) bool    // an octet above 127 is a character
}

func shiftJIS(d *encoding.Decoder) *encoding.Decoder {
	return &encoding.Decoder{
		Transformer: userArea{d.Transformer, privateJIS, func(c byte) bool { return 0xA0 <= c && c < 0xE0 }},
	}
}

func privateJIS(a, b byte) rune {
	isLead := 0xF0 <= a && a <= 0xF9
	isTrail := 0x40 <= b && b <= 0xFC && b != 0x7F
	if !isLead || !isTrail {
		return 0
	}
	if b > 0x7F {
		b--
	}
	return 0xE000 + rune(a-0xF0)*188 + rune(b-0x40)
}

func gb18030(d *encoding.Decoder) *encoding.Decoder {
	return &encoding.Decoder{Transformer: userArea{d.Transformer, privateGB, func(c byte) bool { return c == 0x80 }}}
}

func privateGB(a, b byte) rune {
	isLow := 0x40 <= b && b <= 0xA0 && b != 0x7F
	switch {
	case b == 0xFF || a == 0xFF:
	case 0xAA <= a && a <= 0xAF && b >= 0xA1:
		return 0xE000 + rune(a-0xAA)*94 + rune(b-0xA1)
	case 0xF8 <= a && b >= 0xA1:
		return 0xE234 + rune(a-0xF8)*94 + rune(b-0xA1)
	case 0xA1 <= a && a <= 0xA7 && isLow:
		if b > 0x7F {
			b--
		}
		return 0xE4C6 + rune(a-0xA1)*96 + rune(b-0x40)
	}
	return 0
}

// Transform implements transform.Transformer.
func (u userArea) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		n, r := u.span(src[nSrc:], atEOF)
		if n == 0 && r == 0 {
			return nDst, nSrc, transform.ErrShortSrc
		}
		d, s, err := u.Transformer.Transform(dst[nDst:], src[nSrc:nSrc+n], true)
		nDst += d
		nSrc += s
		if err != nil {
			return nDst, nSrc, err
		}
		if r == 0 {
			continue
		}
		if nDst+utf8.UTFMax > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += 2
	}
	return nDst, nSrc, nil
}

// span returns the length of the whole characters at the start of src, up to one of
// private use, and that character, or 0 at the end.
func (u userArea) span(src []byte, atEOF bool) (n int, r rune) {
	for n < len(src) {
		rest := src[n:]
		switch {
		case rest[0] < utf8.RuneSelf || u.single(rest[0]):
			n++
			continue
		case len(rest) < 4 && !atEOF:
			return n, 0 // a character of GB18030 has at most 4 octets
		case len(rest) == 1:
			return len(src), 0
		}
		r = u.private(rest[0], rest[1])
		if r != 0 {
			return n, r
		}
		switch {
		case rest[1] >= 0x40:
			n += 2
		case rest[1] >= '0' && len(rest) >= 4 && isFourOctets(rest[2], rest[3]):
			n += 4
		default:
			n++ // the second octet is ASCII
		}
	}
	return n, 0
}

// isFourOctets reports whether c and d are the last two octets of a character of four (Encoding
// Standard section 10.2.1).
func isFourOctets(c, d byte) bool { return c >= utf8.RuneSelf && ascii.IsDigit(d) }
