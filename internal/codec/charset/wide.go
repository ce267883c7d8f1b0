package charset

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"

	"github.com/go-extbody/extbody/internal/codec/utf7"
)

// maxSample is the number of octets from which the order of octets in UTF-16 is
// guessed.
const maxSample = 4 << 10

// IsWide reports whether a text that starts with begin must be converted by [Narrow]
// before it is searched for ASCII: it is UTF-16 or UTF-32, where letters have zero octets,
// EBCDIC, or UTF-7, ISO-2022-KR or HZ with characters other than ASCII.
//
// A text without a label that starts with a byte order mark is UTF-16. If there is a
// label, the mark does not count, although it counts for browsers (Encoding Standard,
// section 6). Mail programs use the label, so a sender could use the mark to hide
// text from this package that mail programs show.
func IsWide(start []byte, label string) bool {
	label = normalized(label)
	switch {
	case label == "":
		return bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff"))
	case shifts(label):
		return bytes.IndexByte(start, shiftOut) >= 0 || bytes.Contains(start, []byte("~{")) || utf7.MayHide(start)
	}
	if !IsWideLabel(label) {
		return false
	}
	return bytes.IndexByte(start, 0) >= 0 || ebcdic[codePage(label)] != nil && !IsASCII(start)
}

// IsDisputed reports whether programs read a text that starts with begin, and that has this
// label, in charsets in which other octets are ASCII: it has a byte order mark and another
// label, or has no label and names ISO-2022-JP in HTML.
func IsDisputed(start []byte, label string) bool {
	if label == "" {
		start = bytes.ToLower(start[:min(len(start), maxSample)])
		return bytes.Contains(start, []byte("<meta")) && bytes.Contains(start, []byte("iso-2022-jp"))
	}
	if !IsWideLabel(label) && IsWide(start, "") {
		return true
	}
	return Name(label) == "iso-2022-jp" && bytes.HasPrefix(start, []byte("\xef\xbb\xbf"))
}

// IsASCII reports whether b has only octets below 0x80.
func IsASCII(b []byte) bool {
	for len(b) >= 8 {
		if binary.LittleEndian.Uint64(b)&0x8080808080808080 != 0 {
			return false
		}
		b = b[8:]
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// IsKnown reports whether the charset of a label is supported. It returns true for ""
// and for labels that mean an unknown charset.
func IsKnown(label string) bool {
	label = normalized(label)
	switch label {
	case "", "unknown", "unknown-8bit", "x-unknown", "default", "default_charset", "none", "binary", "8bit", "7bit", "x-user-defined":
		return true
	}
	return Name(label) != "" || IsWideLabel(label)
}

// IsWideLabel reports whether [IsWide] can report true for a text with this label.
func IsWideLabel(label string) bool {
	label = normalized(label)
	switch label {
	case "utf-16", "utf-16be", "utf-16le", "utf16", "unicode", "unicodefeff", "unicodefffe", "csunicode", "ucs-2", "iso-10646-ucs-2",
		"utf-32", "utf-32be", "utf-32le", "utf32", "ucs-4", "iso-10646-ucs-4":
		return true
	}
	return ebcdic[codePage(label)] != nil || shifts(label)
}

// Narrow returns a reader that converts r to UTF-8 from a charset for which [IsWide]
// reports true. start is the start of the text of r. The order of octets in
// UTF-16 comes from the first of these that gives one:
//
//   - a byte order mark,
//   - the label,
//   - start: the order that makes more of its characters ASCII. RFC 2781 section 4.3
//     has no such rule, but senders omit the mark.
func Narrow(r io.Reader, start []byte, label string) io.Reader {
	return transform.NewReader(r, wide(normalized(label), isLittle(start)))
}

// isLittle reports whether more octets at odd indexes are zero than at even indexes.
func isLittle(start []byte) bool {
	odd := 0
	for i, c := range start[:min(len(start), maxSample)] {
		if c == 0 {
			odd += 2*(i%2) - 1
		}
	}
	return odd > 0
}

// shifts reports whether label is a label of a charset in which octets of ASCII can be
// other characters. It must be normalized.
func shifts(label string) bool { return newShifted(label) != nil }

// newShifted returns a decoder for a label for which shifts reports true, and nil for any
// other. Browsers refuse ISO-2022-KR and HZ; mail programs read them.
func newShifted(label string) transform.Transformer {
	switch label {
	case "utf-7", "unicode-1-1-utf-7", "csunicode11utf7", "x-unicode-2-0-utf-7":
		return &utf7Decoder{}
	case "iso-2022-kr", "csiso2022kr", "iso2022-kr", "iso2022kr":
		return transform.Chain(&krShift{}, korean.EUCKR.NewDecoder())
	case "hz", "hz-gb", "hz-gb-2312":
		return simplifiedchinese.HZGB2312.NewDecoder()
	}
	return nil
}

// wide returns a decoder for a label for which [IsWideLabel] reports true, and for UTF-16
// for any other. little is the order of octets if neither the label nor a byte order
// mark gives one.
func wide(label string, little bool) *encoding.Decoder {
	if page := ebcdic[codePage(label)]; page != nil {
		return page.decoder()
	}
	if shifted := newShifted(label); shifted != nil {
		return &encoding.Decoder{Transformer: shifted}
	}
	little = strings.HasSuffix(label, "le") || little && !strings.HasSuffix(label, "be")
	if strings.Contains(label, "32") || strings.HasSuffix(label, "ucs-4") {
		if little {
			return utf32.UTF32(utf32.LittleEndian, utf32.UseBOM).NewDecoder()
		}
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM).NewDecoder()
	}
	if little {
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()
	}
	return unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder()
}

// ebcdic are the code pages of EBCDIC by their numbers.
var ebcdic = map[string]octets{
	"037": charmap.CodePage037.DecodeByte, "37": charmap.CodePage037.DecodeByte, "500": decode500,
	"1047": charmap.CodePage1047.DecodeByte, "01047": charmap.CodePage1047.DecodeByte, "1140": charmap.CodePage1140.DecodeByte, "01140": charmap.CodePage1140.DecodeByte,
}

// decode500 decodes an octet of IBM500, which differs from IBM037 in seven characters.
func decode500(c byte) rune {
	if i := strings.IndexByte("\x4a\x4f\x5a\x5f\xb0\xba\xbb", c); i >= 0 {
		return [...]rune{'[', '!', ']', '^', '\u00a2', '\u00ac', '|'}[i]
	}
	return charmap.CodePage037.DecodeByte(c)
}

// A utf7Decoder is a utf7.Decoder as a transform.Transformer.
type utf7Decoder struct{ utf7.Decoder }

// Transform implements transform.Transformer.
func (d *utf7Decoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for out := dst[:0]; ; nSrc++ {
		switch {
		case nSrc == len(src) && !atEOF:
			return len(out), nSrc, nil
		case len(out)+utf7.MaxLen > len(dst):
			return len(out), nSrc, transform.ErrShortDst
		case nSrc == len(src):
			return len(d.End(out)), nSrc, nil
		}
		out = d.Append(out, src[nSrc:nSrc+1])
	}
}

// Reset implements transform.Transformer.
func (d *utf7Decoder) Reset() { *d = utf7Decoder{} }

// A krShift converts ISO-2022-KR (RFC 1557) to EUC-KR: it sets the high bit of the octets
// between SO and SI, and removes these and the header "ESC $ ) C".
type krShift struct {
	escape int  // octets of an escape sequence still to come
	high   byte // is set in the octets that come next
}

const (
	escape   = 0x1B
	shiftOut = 0x0E
	shiftIn  = 0x0F
)

// Transform implements transform.Transformer.
func (k *krShift) Transform(dst, src []byte, _ bool) (nDst, nSrc int, err error) {
	for ; nSrc < len(src); nSrc++ {
		if nDst == len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		c := src[nSrc]
		switch {
		case k.escape > 0:
			k.escape--
			continue
		case c == escape:
			k.escape = len("$)C")
			continue
		case c == shiftOut || c == shiftIn:
			k.high = (c ^ shiftIn) << 7
			continue
		case c == '\n':
			k.high = 0 // a line ends in ASCII
		case ' ' < c && c < 0x7F:
			c |= k.high
		}
		dst[nDst] = c
		nDst++
	}
	return nDst, nSrc, nil
}

// Reset implements transform.Transformer.
func (k *krShift) Reset() { *k = krShift{} }
