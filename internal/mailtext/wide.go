package mailtext

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"golang.org/x/text/transform"

	"github.com/go-extbody/extbody/internal/codec/charset"
)

// maxSample is the number of octets from which the order of octets in UTF-16 is
// guessed.
const maxSample = 4 << 10

// IsWide reports whether a text that begins with start must be converted by [Narrow]:
// it is UTF-16 or UTF-32, where letters have zero octets, EBCDIC, or UTF-7, which
// hides tags. label returns the label of its charset. It is called only if start
// could be in one of these charsets.
//
// A text without a label that begins with a byte order mark is UTF-16. If there is a
// label, the mark does not count, although it counts for browsers (Encoding Standard,
// section 6). Mail programs use the label, so a sender could use the mark to hide
// text from this package that mail programs show.
func IsWide(start []byte, label func() string) bool {
	if IsASCII(start) && bytes.IndexByte(start, 0) < 0 {
		return mayShiftASCII(start) && isUTF7Label(label())
	}
	name := strings.ToLower(strings.TrimSpace(label()))
	if name == "" {
		return hasMark(start)
	}
	return charset.IsWide(name) && (bytes.IndexByte(start, 0) >= 0 || charset.IsEBCDIC(name)) || mayShiftASCII(start) && isUTF7Label(name)
}

// hasMark reports whether a text begins with a byte order mark of UTF-16.
func hasMark(start []byte) bool {
	return bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff"))
}

// IsKnown reports whether the charset of a label is supported. It returns true for ""
// and for labels that mean an unknown charset.
func IsKnown(label string) bool {
	label = strings.ToLower(strings.TrimSpace(label))
	switch label {
	case "", "unknown", "unknown-8bit", "x-unknown", "default", "default_charset", "none", "binary", "8bit", "7bit", "iso-2022-kr", "hz-gb-2312", "x-user-defined":
		return true
	}
	enc, _ := charset.Find(label)
	return enc != nil || IsWideLabel(label)
}

// IsWideLabel reports whether [IsWide] can report true for a text with this label.
func IsWideLabel(label string) bool {
	return charset.IsWide(strings.ToLower(strings.TrimSpace(label))) || isUTF7Label(label)
}

// Narrow returns a reader that converts r to UTF-8 from a charset for which [IsWide]
// reports true. start is the beginning of the text of r. The order of octets in
// UTF-16 comes from the first of these that gives one:
//
//   - a byte order mark,
//   - the label,
//   - start: the order that makes more of its characters ASCII. RFC 2781 section 4.3
//     has no such rule, but senders omit the mark.
func Narrow(r io.Reader, start []byte, label string) io.Reader {
	if isUTF7Label(label) {
		return &utf7Reader{r: bufio.NewReader(r)}
	}
	return transform.NewReader(r, charset.Wide(label, isLittle(start)).NewDecoder())
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
